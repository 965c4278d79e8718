import { describe, expect, test } from '@jest/globals';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import { isKarmadaTaint } from '../../src/karmada/taints/taintSources.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { TaintEffect } from '../../src/kubernetes/schema/core.ts';
import { cluster, START } from '../simulator/simulation/controlPlane.ts';
import { fleet, taint } from '../analysis/taintPolicy/policies.ts';
import { failoverByDesign, proposal } from './documents.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };

/** The taints of east-1 an hour after an event, without any policy. */
function taintsAfter(action: ScenarioAction, east: Cluster): string[] {
  const { clusters } = simulate(
    fleet([east, cluster('west-1')]),
    { start: START, until: START + 3_600_000, members, events: [{ at: START + 1000, action }] },
    failoverByDesign,
  );
  return clusters.find(({ name }) => name === 'east-1')!.after.taints;
}

describe('001 taint types: no more implicit and automatic addition of taints', () => {
  const pull = { ...cluster('east-1'), spec: { ...cluster('east-1').spec, syncMode: 'Pull' as const } };

  test.each<[string, Cluster]>([
    ['not-ready taint with NoSchedule or NoExecute if Ready is False', cluster('east-1')],
    ['unreachable taint with NoSchedule or NoExecute if Ready is Unknown', pull],
  ])('Karmada adds no %s', (_row, east) => {
    expect(taintsAfter({ type: 'fail', cluster: 'east-1' }, east)).toEqual([]);
  });

  test('existing taints are kept, like taints of other owners', () => {
    const before = cluster('east-1', [
      taint('cluster.karmada.io/not-ready:NoSchedule', '2026-08-01T00:00:00Z'),
    ]);
    const nothing: ScenarioAction = {
      type: 'condition',
      cluster: 'east-1',
      condition: { type: 'Net', status: 'True' },
    };
    expect(taintsAfter(nothing, before)).toEqual(['cluster.karmada.io/not-ready:NoSchedule']);
  });

  test.each<[string, TaintEffect]>([
    ['cluster.karmada.io/unreachable', 'NoSchedule'],
    ['cluster.karmada.io/not-ready', 'NoSchedule'],
    ['cluster.karmada.io/unreachable', 'NoExecute'],
    ['cluster.karmada.io/not-ready', 'NoExecute'],
    ['cluster.karmada.io/terminating', 'NoExecute'],
  ])('%s:%s is not a taint of Karmada itself', (key, effect) => {
    expect(isKarmadaTaint({ key, effect }, proposal.rules)).toBe(false);
  });
});
