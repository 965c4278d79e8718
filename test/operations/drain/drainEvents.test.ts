import { expect, test } from '@jest/globals';
import type { DrainedWorkload, DrainPhase } from '../../../src/analysis/drain/decide/drainStep.ts';
import { createDrainStepReader } from '../../../src/operations/drain/drainEvents.ts';
import { normalPace } from '../../views/drain/scriptedDrain.ts';

const web = (phase: DrainPhase, to = ['member2']): DrainedWorkload => ({
  binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
  workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  phase,
  from: [{ name: 'member1', replicas: 2 }],
  to: to.map((name) => ({ name, replicas: 2 })),
  evidence: [],
});

/** The events of looks that find one workload in these phases, none if a look does not find it. */
function news(...phases: (DrainPhase | undefined)[]): string[][] {
  const { read } = createDrainStepReader(true);
  return phases.map((phase) =>
    read({ workloads: phase ? [web(phase)] : [], pace: normalPace }).map(({ type }) => type),
  );
}

test('each event is reported once, even if several happen between two reads', () => {
  expect(news('queued', 'scheduling', 'starting', 'starting', 'ready', 'leaving', 'gone', 'gone')).toEqual([
    [],
    ['evicted'],
    ['scheduled'],
    [],
    [],
    ['released'],
    ['gone'],
    [],
  ]);
  expect(news('queued', 'leaving', 'gone')).toEqual([[], ['evicted', 'scheduled', 'released'], ['gone']]);
});

test('what Karmada evicts is placed once the scheduler has placed it', () => {
  const { read } = createDrainStepReader(false);
  const reported = (one: DrainedWorkload) =>
    read({ workloads: [one], pace: normalPace }).map(({ type }) => type);
  expect(reported(web('queued'))).toEqual([]);
  expect(reported(web('leaving', []))).toEqual(['evicted']);
  expect(reported(web('leaving'))).toEqual(['scheduled']);
  expect(reported(web('leaving'))).toEqual([]);
});

test('what was under way before is not reported again', () => {
  expect(news('starting', 'leaving', 'gone')).toEqual([[], ['released'], ['gone']]);
});

test('what only its Work shows to be leaving was neither evicted nor released by this run', () => {
  expect(news(undefined, 'leaving', 'gone')).toEqual([[], [], ['gone']]);
});
