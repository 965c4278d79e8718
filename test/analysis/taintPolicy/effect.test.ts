import { describe, expect, test } from '@jest/globals';
import { effectOf } from '../../../src/analysis/taintPolicy/effect.ts';
import type { PolicyChange } from '../../../src/analysis/taintPolicy/policyChange.ts';
import type { World } from '../../../src/karmada/world.ts';
import { deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { allowed, fleet, member, taint, taintPolicy, when } from './policies.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const effect = (world: World, change: PolicyChange) => effectOf(world, change, allowed, START, { members });
const words = ({ taint: { key, effect: how } }: { taint: { key: string; effect: string } }) =>
  `${key}:${how}`;

const net = {
  addOnConditions: [when('Net In False')],
  removeOnConditions: [when('Net In True')],
  taints: [taint('net:NoExecute')],
};

describe('the effect of a change of ClusterTaintPolicies', () => {
  test('lists the taints that clusters gain at once, and the taints that a condition would add', () => {
    const world = fleet([
      member('east-1', { conditions: ['Net=False'] }),
      member('west-1', { conditions: ['Net=True'] }),
    ]);
    const { clusters } = effect(world, { applied: [taintPolicy('net', net)] });
    expect(clusters.map(({ cluster, atOnce }) => [cluster, atOnce.gains.map(words)])).toEqual([
      ['east-1', ['net:NoExecute']],
      ['west-1', []],
    ]);
    const [east, west] = clusters;
    expect(west!.later).toMatchObject([
      {
        condition: { type: 'Net', status: 'False' },
        from: 'True',
        reconcile: { gains: [{ policy: 'net' }] },
      },
    ]);
    expect(east!.later).toMatchObject([
      {
        condition: { type: 'Net', status: 'True' },
        from: 'False',
        reconcile: { loses: [{ policy: 'net' }] },
      },
    ]);
  });

  test('lists the workloads that move', () => {
    const placement = { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } };
    const cart = deployment('cart', { placement, clusters: [{ name: 'east-1' }] });
    const world = {
      ...fleet([member('east-1', { conditions: ['Net=False'] }), member('west-1')]),
      bindings: [
        {
          ...cart,
          spec: {
            ...cart.spec,
            placement: {
              ...placement,
              spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: 1, minGroups: 1 }],
            },
          },
        },
      ],
    };
    const { workloads } = effect(world, { applied: [taintPolicy('net', net)] });
    expect(workloads).toMatchObject([
      { workload: { name: 'cart' }, to: { outcome: 'moves', after: [{ name: 'west-1' }] } },
    ]);
  });

  test('lists the workloads that move after a condition change, the most severe outcomes first', () => {
    const placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: 1, minGroups: 1 }],
    };
    const cart = deployment('cart', { placement, clusters: [{ name: 'west-1' }] });
    const up = { conditions: ['Net=True'] };
    const world = { ...fleet([member('east-1', up), member('west-1', up)]), bindings: [cart] };
    const change = { applied: [taintPolicy('net', net)] };
    const { turns, turnsNotPlayed, workloads } = effect(world, change);
    expect(workloads).toEqual([]);
    expect(turns).toMatchObject([
      {
        cluster: 'west-1',
        turn: { condition: { type: 'Net', status: 'False' } },
        workloads: [{ workload: { name: 'cart' }, from: { outcome: 'stays' }, to: { outcome: 'moves' } }],
      },
    ]);
    expect(turnsNotPlayed).toBe(0);
    const none = effectOf(world, change, allowed, START, { members, playedTurns: 0 });
    expect([none.turns, none.turnsNotPlayed]).toEqual([[], 1]);
  });

  test('lists the workloads that stay after a condition change, because no policy remains', () => {
    const placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: 1, minGroups: 1 }],
    };
    const cart = deployment('cart', { placement, clusters: [{ name: 'west-1' }] });
    const clusters = ['east-1', 'west-1'].map((name) => member(name, { conditions: ['Net=True'] }));
    const world = { ...fleet(clusters, [taintPolicy('net', net)]), bindings: [cart] };
    const { turns, turnsNotPlayed } = effect(world, { deleted: ['net'] });
    expect(turns).toMatchObject([
      {
        cluster: 'west-1',
        turn: { condition: { type: 'Net', status: 'False' } },
        workloads: [{ workload: { name: 'cart' }, from: { outcome: 'moves' }, to: { outcome: 'stays' } }],
      },
    ]);
    expect(turnsNotPlayed).toBe(0);
    // the same condition change with another taint counts as one
    const other = taintPolicy('net', { ...net, taints: [taint('net:NoSchedule')] });
    expect(effect(world, { applied: [other] }).turns).toHaveLength(1);
  });

  test('lists the remaining taints of a deleted or edited policy, with the policy name', () => {
    const there = taint('net:NoExecute', '2026-08-10T00:00:00Z');
    const world = fleet(
      [member('east-1', { conditions: ['Net=False'], taints: [there] })],
      [taintPolicy('net', net)],
    );
    expect(effect(world, { deleted: ['net'] })).toMatchObject({
      clusters: [
        {
          cluster: 'east-1',
          policies: [],
          atOnce: { gains: [], loses: [] },
          later: [],
          noLonger: [{ condition: { status: 'True' } }],
        },
      ],
      leftBehind: [
        {
          cluster: 'east-1',
          taint: there,
          why: 'deleted',
          policies: ['net'],
          ownership: { owner: 'policy' },
        },
      ],
      workloads: [],
    });
    const other = taintPolicy('net', { ...net, taints: [taint('other:NoExecute')] });
    expect(effect(world, { applied: [other] }).leftBehind).toMatchObject([
      { why: 'taint dropped', taint: there },
    ]);
    const elsewhere = taintPolicy('net', { ...net, targetClusters: { clusterNames: ['west-1'] } });
    expect(effect(world, { applied: [elsewhere] }).leftBehind).toMatchObject([{ why: 'cluster dropped' }]);
    const value = taintPolicy('net', { ...net, taints: [taint('net=down:NoExecute')] });
    expect(effect(world, { applied: [value] }).leftBehind).toMatchObject([
      { why: 'other value', wanted: 'down' },
    ]);
  });

  test('includes the removal of orphaned taints on request', () => {
    const placement = { clusterAffinity: { clusterNames: ['east-1'] } };
    const stuck = deployment('stuck', { placement, clusters: [] });
    const bindings = [stuck];
    const there = taint('net:NoExecute', '2026-08-10T00:00:00Z');
    const down = member('east-1', { conditions: ['Net=False'], taints: [there] });
    const world = { ...fleet([down], [taintPolicy('net', net)]), bindings };
    const dropped = taintPolicy('net', { ...net, taints: [taint('other:NoSchedule')] });
    for (const change of [{ deleted: ['net'] }, { applied: [dropped] }]) {
      const stays = effect(world, change);
      const goes = effectOf(world, change, allowed, START, { members, withTaints: true });
      const taints = ({ clusters }: typeof goes) => clusters[0]!.taints.map((one) => words({ taint: one }));
      expect(taints(stays)).toContain('net:NoExecute');
      expect(stays.clusters[0]!.removed).toEqual([]);
      expect(taints(goes)).not.toContain('net:NoExecute');
      expect(goes.clusters[0]!.removed).toEqual([there]);
    }
    const deleted = { deleted: ['net'] };
    expect(effect(world, deleted).workloads).toEqual([]);
    expect(effectOf(world, deleted, allowed, START, { members, withTaints: true }).workloads).toMatchObject([
      { workload: { name: 'stuck' }, from: { after: [] }, to: { after: [{ name: 'east-1' }] } },
    ]);
  });

  test('is a refusal of all taints on a cluster if the Cluster API refuses one of them', () => {
    const soft = taintPolicy('soft', {
      addOnConditions: [when('Ready In True')],
      taints: [taint('soft:PreferNoSchedule')],
    });
    const world = fleet([member('east-1', { conditions: ['Net=False'] })], []);
    const { clusters } = effect(world, { applied: [taintPolicy('net', net), soft] });
    expect(clusters[0]!.atOnce).toMatchObject({
      refused:
        'Cluster.cluster.karmada.io "east-1" is invalid: spec.taints[1].effect: Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "NoExecute"',
      taints: [],
    });
  });
});
