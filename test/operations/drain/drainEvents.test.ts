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

test('a drain reports each event once, even if several happen between two reads', () => {
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

test('a drain by taint reports a workload as scheduled once the scheduler has assigned a cluster', () => {
  const { read } = createDrainStepReader(false);
  const reported = (one: DrainedWorkload) =>
    read({ workloads: [one], pace: normalPace }).map(({ type }) => type);
  expect(reported(web('queued'))).toEqual([]);
  expect(reported(web('leaving', []))).toEqual(['evicted']);
  expect(reported(web('leaving'))).toEqual(['scheduled']);
  expect(reported(web('leaving'))).toEqual([]);
});

test('a resumed drain does not report earlier evictions', () => {
  expect(news('starting', 'leaving', 'gone')).toEqual([[], ['released'], ['gone']]);
});

test('a drain reports neither eviction nor release for an old copy that only its Work shows', () => {
  expect(news(undefined, 'leaving', 'gone')).toEqual([[], [], ['gone']]);
});
