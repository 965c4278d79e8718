import { describe, expect, test } from '@jest/globals';
import { startTrials } from '../../../../src/analysis/explanation/changes/trial.ts';
import type { ProposedChange } from '../../../../src/analysis/explanation/changes/change.ts';
import type { Simulation } from '../../../../src/simulator/simulation/simulation.ts';
import { ScenarioError } from '../../../../src/simulator/simulation/scenarioWrites.ts';
import type { WorkloadOutcome } from '../../../../src/simulator/verdicts/outcome.ts';
import { START, world } from '../../../simulator/simulation/controlPlane.ts';

const change: ProposedChange = {
  kinds: ['uncordon'],
  text: 'uncordon west-1',
  size: 1,
  patches: [],
  gives: [{ name: 'west-1', replicas: 3 }],
  alternatives: [],
};
const west = [{ name: 'west-1', replicas: 3 }] satisfies [{ name: string; replicas: number }];
const identity = (name: string) => ({ kind: 'ResourceBinding', namespace: 'shop', name });
const judged = (name: string, more: Partial<WorkloadOutcome> = {}) =>
  ({
    kind: 'Deployment',
    namespace: 'shop',
    name,
    binding: identity(name),
    before: west,
    after: west,
    evicting: [],
    certainty: 'certain',
    outcome: 'stays',
    ...more,
  }) as WorkloadOutcome;
const ready = { workloads: 1, replicas: 3, taints: [], ready: 'True' };
const onReady = (name: string) => ({ name, before: ready, after: ready });
const simulated = (ready: number, workloads: WorkloadOutcome[], atRest = true): Simulation => ({
  start: START,
  end: START,
  atRest,
  events: [],
  workloads,
  clusters: [onReady('west-1'), onReady('west-2')],
  readiness: [{ time: START, ready }],
});
const lost = judged('cart', { outcome: 'lost', after: [], gap: { replicas: 3, seconds: 60, open: true } });
const without = simulated(0, [lost, judged('search')]);
const moved = judged('cart', { outcome: 'moves' });

/** The result of a change with this simulation. */
function tried(after: Simulation, before = without) {
  const trials = startTrials({
    world: world([], []),
    binding: identity('cart'),
    before,
    now: START,
    replay: () => after,
  });
  return trials.try(change);
}

describe('a change helps', () => {
  test('if the workload runs again and settles, and its clusters are reported', () => {
    const elsewhere = judged('cart', { outcome: 'moves', after: [{ name: 'west-2', replicas: 3 }] });
    expect(tried(simulated(3, [elsewhere, judged('search')]))).toEqual({
      ...change,
      gives: [{ name: 'west-2', replicas: 3 }],
      leadsTo: 'moves',
    });
  });

  test('if a blocked eviction gets a destination or ends, with as many ready replicas as before', () => {
    const blocked = simulated(3, [judged('cart', { outcome: 'blocked' })]);
    expect(tried(simulated(3, [judged('cart')]), blocked)).toMatchObject({ leadsTo: 'stays' });
  });

  test('if a workload without a cluster gets a cluster', () => {
    const nowhere = simulated(0, [judged('cart', { before: [], after: [] })]);
    const starts = judged('cart', { outcome: 'starts', before: [] });
    expect(tried(simulated(3, [starts]), nowhere)).toMatchObject({ leadsTo: 'starts' });
  });
});

describe('a change does not help', () => {
  const flaps = judged('cart', { outcome: 'flaps' });

  test.each([
    ['flaps', simulated(3, [flaps])],
    ['is still lost', simulated(0, [lost])],
    ['is blocked', simulated(0, [judged('cart', { outcome: 'blocked' })])],
    [
      'is placed, but without ready replicas',
      simulated(0, [{ ...moved, gap: { replicas: 3, seconds: 60, open: true } }]),
    ],
    ['is deleted', simulated(0, [])],
  ])('if the workload %s', (_, after) => {
    expect(tried(after)).toBeUndefined();
  });

  test('if fewer replicas are ready at the end than without the change', () => {
    const blocked = simulated(3, [judged('cart', { outcome: 'blocked' })]);
    expect(tried(simulated(2, [moved]), blocked)).toBeUndefined();
  });

  test.each(['moves', 'starts'] as const)(
    'if the workload %s only on clusters that are not Ready',
    (outcome) => {
      const { clusters, ...moves } = simulated(3, [judged('cart', { outcome }), judged('search')]);
      const failed = clusters.map((one) => ({ ...one, after: { ...one.after, ready: 'False' } }));
      expect(tried({ ...moves, clusters })).toBeDefined();
      expect(tried({ ...moves, clusters: failed })).toBeUndefined();
    },
  );

  test('if the control plane no longer settles', () => {
    expect(tried(simulated(3, [moved], false))).toBeUndefined();
    expect(tried(simulated(3, [moved], false), { ...without, atRest: false })).toBeDefined();
  });

  test.each<[string, Partial<WorkloadOutcome>]>([
    ['is lost', { outcome: 'lost', after: [] }],
    ['is blocked', { outcome: 'blocked' }],
    ['flaps', { outcome: 'flaps' }],
    ['has replicas down at the end', { gap: { replicas: 1, seconds: 60, open: true } }],
    ['loses a ready copy', { deletedReady: [{ cluster: 'west-1', time: START, replicas: 1 }] }],
  ])('if another workload %s', (_, worse) => {
    expect(tried(simulated(3, [moved, judged('search', worse)]))).toBeUndefined();
    // it is no worse than without the change
    const before = simulated(0, [lost, judged('search', worse)]);
    expect(tried(simulated(3, [moved, judged('search', worse)]), before)).toBeDefined();
  });
});

test('a change that Karmada refuses is excluded, and the first refusal is reported', () => {
  const trials = startTrials({
    world: world([], []),
    binding: identity('cart'),
    before: without,
    now: START,
    replay: () => {
      throw new ScenarioError('Karmada would refuse it');
    },
  });
  expect(trials.try(change)).toBeUndefined();
  expect(trials.refused).toBe('Karmada would refuse it');
});

test('trials stop when their budget is used up, and later changes are not offered', () => {
  const trials = startTrials({
    world: world([], []),
    binding: identity('cart'),
    before: without,
    now: START,
    replay: () => simulated(3, [moved]),
  });
  const results = Array.from({ length: 40 }, () => trials.try(change));
  expect(results.filter((one) => one !== undefined)).toHaveLength(24);
});
