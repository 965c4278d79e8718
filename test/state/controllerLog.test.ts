import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateError } from '../../src/state/errors.ts';
import { readControllerLog } from '../../src/state/controllerLog.ts';
import { decisionSteps } from '../../src/views/dashboard/replayedSteps.ts';

const HEAD = { kind: 'ControllerEvent', schemaVersion: 'v1' };
const started = { ...HEAD, time: '2026-09-01T08:00:00Z', type: 'started', written: false };
const evicted = {
  ...HEAD,
  ...{ time: '2026-09-01T08:00:05Z', type: 'evicted', controller: 'binding-eviction', written: false },
  object: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  cluster: 'east-1',
  task: { fromCluster: 'east-1', purgeMode: 'Gracefully' },
  evidence: [{ rule: 'no toleration for the taint', field: 'spec.placement', value: {}, unknown: 1 }],
};
const text = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const read = (given: string) => readControllerLog(given, 'run.jsonl');

describe('given what controller run -o json has printed', () => {
  test('each decision becomes a step with its words, in the order of time; fields that are not known do not matter', () => {
    const log = read(`${text({ ...evicted, more: { a: 1 } }, started)}\n`);
    expect(log.decisions.map(({ line, type }) => [line, type])).toEqual([
      [2, 'started'],
      [1, 'evicted'],
    ]);
    expect(log.decisions[1]!.evidence).toEqual([
      { rule: 'no toleration for the taint', field: 'spec.placement', value: {} },
    ]);
    expect(decisionSteps(log).steps.map(({ type, message }) => `${type}: ${message}`)).toEqual([
      'Decision: what this log does not show: Enter',
      'Decision: started; nothing is written',
      'Evicted: would evict shop/deployment/web from east-1 (Gracefully)',
    ]);
  });

  test('what a decision rests on is as certain as the log says', () => {
    const guess = { rule: 'r', certainty: 'estimate', missing: 'when it failed' };
    expect(read(text({ ...evicted, evidence: [guess] })).decisions[0]!.evidence).toEqual([guess]);
  });

  test('a last line that is not whole is left out, and lines of a log on stderr are counted', () => {
    const log = read(
      `${text({ level: 30, msg: 'Started' }, started, { kind: 'ControllerReport' })}\n{"kind":"Cont`,
    );
    expect(log).toMatchObject({ decisions: [{ type: 'started' }], skipped: 2, isCut: true });
  });

  test.each([
    [
      'no JSON in the middle',
      `${text(started)}\nnonsense\n${text(started)}`,
      'run.jsonl:2: is not a JSON object',
    ],
    ['another kind', text(started, { kind: 'Simulation' }), 'run.jsonl:2: kind: is "Simulation"'],
    [
      'a wrong time',
      text(started, { ...evicted, time: 'soon' }),
      'run.jsonl:2: time: "soon" is not an RFC 3339 time',
    ],
    ['a wrong list', text({ ...evicted, evidence: 5 }), 'run.jsonl:1: evidence: is not a list'],
    [
      'a wrong taint',
      text({ ...evicted, added: [{ key: 1 }] }),
      'run.jsonl:1: added[0].key: 1 is not a text',
    ],
    [
      'a certainty that there is not',
      text({ ...evicted, evidence: [{ rule: 'r', certainty: 'sure' }] }),
      'run.jsonl:1: evidence[0].certainty: "sure" is not one of certain, estimate, unknown',
    ],
    ['nothing', '\n\n', 'run.jsonl: holds no ControllerEvent'],
  ])('%s is an error that names the line', (_what, given, message) => {
    expect(() => read(given)).toThrow(StateError);
    expect(() => read(given)).toThrow(message);
  });
});

test('whatever stands in the fields is read, or refused with the place', () => {
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
