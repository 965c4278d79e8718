import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateError } from '../../src/state/errors.ts';
import { readControllerLog } from '../../src/state/controllerLog.ts';
import { decisionSteps } from '../../src/views/dashboard/replayedSteps.ts';

const HEAD = { kind: 'ControllerEvent', schemaVersion: 'v1' };
const started = { ...HEAD, time: '2026-09-01T08:00:00Z', type: 'started', written: false };
const evicted = {
  ...HEAD,
  time: '2026-09-01T08:00:05Z',
  type: 'evicted',
  controller: 'binding-eviction',
  written: false,
  object: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  cluster: 'east-1',
  task: { fromCluster: 'east-1', purgeMode: 'Gracefully' },
  evidence: [{ rule: 'no toleration for the taint', field: 'spec.placement', value: {}, unknown: 1 }],
};
const text = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const read = (given: string) => readControllerLog(given, 'run.jsonl');

describe('the output of controller run -o json', () => {
  test('becomes one step for each decision, sorted by time, and unknown fields are ignored', () => {
    const log = read(`${text({ ...evicted, more: { a: 1 } }, started)}\n`);
    expect(log.decisions.map(({ line, type }) => [line, type])).toEqual([
      [2, 'started'],
      [1, 'evicted'],
    ]);
    expect(log.decisions[1]!.evidence).toEqual([
      { rule: 'no toleration for the taint', field: 'spec.placement', value: {} },
    ]);
    expect(decisionSteps(log).steps.map(({ type, message }) => `${type}: ${message}`)).toEqual([
      'Decision: limits of this log: Enter',
      'Decision: started; nothing is written',
      'Evicted: would evict shop/deployment/web from east-1 (Gracefully)',
    ]);
  });

  test('keeps the certainty of evidence', () => {
    const guess = { rule: 'r', certainty: 'estimate', missing: 'when it failed' };
    expect(read(text({ ...evicted, evidence: [guess] })).decisions[0]!.evidence).toEqual([guess]);
  });

  test('may contain lines of stderr and a truncated last line, which are skipped', () => {
    const log = read(
      `${text({ level: 30, msg: 'Started' }, started, { kind: 'ControllerReport' })}\n{"kind":"Cont`,
    );
    expect(log).toMatchObject({ decisions: [{ type: 'started' }], skipped: 2, isCut: true });
  });

  test.each([
    [
      'text that is not JSON',
      `${text(started)}\nnonsense\n${text(started)}`,
      'run.jsonl:2: is not a JSON object',
    ],
    ['another kind', text(started, { kind: 'Simulation' }), 'run.jsonl:2: kind: is "Simulation"'],
    [
      'an invalid time',
      text(started, { ...evicted, time: 'soon' }),
      'run.jsonl:2: time: "soon" is not an RFC 3339 time',
    ],
    [
      'a number in place of a list',
      text({ ...evicted, evidence: 5 }),
      'run.jsonl:1: evidence: is not a list',
    ],
    [
      'an invalid taint',
      text({ ...evicted, added: [{ key: 1 }] }),
      'run.jsonl:1: added[0].key: 1 is not text',
    ],
    [
      'an unknown certainty',
      text({ ...evicted, evidence: [{ rule: 'r', certainty: 'sure' }] }),
      'run.jsonl:1: evidence[0].certainty: "sure" is not one of certain, estimate, unknown',
    ],
    ['an empty log', '\n\n', 'run.jsonl: holds no ControllerEvent'],
  ])('is refused with the line for %s', (_what, given, message) => {
    expect(() => read(given)).toThrow(StateError);
    expect(() => read(given)).toThrow(message);
  });
});

test('a controller log with any value in a field is read, or refused with its line', () => {
  const fields = Object.keys(evicted).filter((name) => name !== 'kind');
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue(), (name, value) => {
      try {
        const log = read(text({ ...evicted, [name]: value }));
        expect(decisionSteps(log).steps).toHaveLength(2);
      } catch (error) {
        expect(error).toBeInstanceOf(StateError);
        expect((error as Error).message).toMatch(/^run\.jsonl:1: /);
      }
    }),
  );
});
