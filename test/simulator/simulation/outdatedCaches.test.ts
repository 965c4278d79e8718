import { expect, test } from '@jest/globals';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { canonicalOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { cluster, deployment, failoverOn, START, world } from './controlPlane.ts';

const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided' as const,
    replicaDivisionPreference: 'Aggregated' as const,
  },
};
const cart = deployment('cart', { placement, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] });
const scaled: ScenarioAction = { type: 'patch', target, merge: { spec: { replicas: 4 } } };
const task = { fromCluster: 'east-1', replicas: 2, reason: 'ByHand', producer: 'somebody' };
const evicted: ScenarioAction = {
  type: 'patch',
  target,
  merge: { spec: { clusters: [], gracefulEvictionTasks: [task] } },
};

/** Evicts it by hand at the moment at which the scheduler has begun to place its new replicas. */
function played(outdated: boolean) {
  const events = [
    { at: START + 10_000, action: scaled },
    { at: START + 10_030, action: evicted },
  ];
  const members = { workloadReadyAfter: 20_000, neverReady: [] };
  const ordering = { ...canonicalOrdering, outdated: () => outdated };
  return simulate(
    world([cluster('east-1'), cluster('east-2')], [cart]),
    { start: START, members, events },
    failoverOn,
    { ordering },
  );
}

const placements = (outdated: boolean) =>
  played(outdated)
    .events.filter(({ type }) => type === 'Scheduled')
    .map(({ clusters }) => clusters);

test('the scheduler may place a workload on the evicted cluster again, because its cache is stale', () => {
  expect(placements(false)).toEqual([[{ name: 'east-2', replicas: 4 }]]);
  // its patch only changes the placement: the task still exists, so it moves once the cache shows it
  expect(placements(true)).toEqual([[{ name: 'east-1', replicas: 4 }], [{ name: 'east-2', replicas: 4 }]]);
  const { events } = played(true);
  expect(events.some(({ type, cluster }) => type === 'TaskEnded' && cluster === 'east-1')).toBe(true);
});
