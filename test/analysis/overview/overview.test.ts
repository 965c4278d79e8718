import { expect, test } from '@jest/globals';
import { workloadSummary } from '../../../src/analysis/overview/overview.ts';
import type { AggregatedStatusItem } from '../../../src/karmada/api/work.ts';
import { deployment } from '../../simulator/simulation/controlPlane.ts';

/** How a workload is, of which each cluster reports this. */
function stateOf(...aggregatedStatus: AggregatedStatusItem[]) {
  const { status, ...binding } = deployment('cart', {
    placement: {},
    replicas: 2,
    clusters: ['east', 'west'].map((name) => ({ name, replicas: 2 })),
  });
  const { state, where } = workloadSummary(
    { ...binding, status: { ...status, aggregatedStatus } },
    () => true,
  );
  return [state, where];
}

const healthy = { clusterName: 'east', applied: true, health: 'Healthy' } as const;

test('a workload runs if each copy is applied, also if nobody can tell the health of its kind', () => {
  expect(stateOf(healthy, { ...healthy, clusterName: 'west' })).toEqual(['running', []]);
  expect(stateOf(healthy, { clusterName: 'west', applied: true, health: 'Unknown' })).toEqual([
    'running',
    [],
  ]);
});

test('a copy that is not in its cluster does not run: Karmada reports it without "applied", its health Unknown', () => {
  expect(stateOf(healthy, { clusterName: 'west', health: 'Unknown' })).toEqual(['unapplied', ['west']]);
});

test('a copy of which nothing is reported starts, and one that is unhealthy comes first', () => {
  expect(stateOf(healthy)).toEqual(['starting', ['west']]);
  expect(stateOf({ ...healthy, health: 'Unhealthy' }, { clusterName: 'west', health: 'Unknown' })).toEqual([
    'unhealthy',
    ['east'],
  ]);
});
