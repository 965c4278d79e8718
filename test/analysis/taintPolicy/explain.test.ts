import { describe, expect, test } from '@jest/globals';
import { explainTaintPolicies } from '../../../src/analysis/taintPolicy/explain.ts';
import { listTaintPolicies } from '../../../src/analysis/taintPolicy/list.ts';
import { planTaintRemoval, withoutTaints } from '../../../src/analysis/taintPolicy/removalPlan.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { allowed, fleet, member, OLD, removalAfterDeletion, taint, taintPolicy, when } from './policies.ts';

const SINCE = '2026-08-20T00:00:00Z';
const net = {
  addOnConditions: [when('Net In False')],
  removeOnConditions: [when('Net In True'), when('Ready In True')],
  taints: [taint('net=down:NoExecute')],
};

describe('an explanation of taint policies', () => {
  test('shows the matching conditions with their times, and the writer of the taint', () => {
    const world = fleet(
      [member('east-1', { conditions: ['Net=False'], taints: [taint('net=down:NoExecute', SINCE)] })],
      [taintPolicy('net', net)],
    );
    const { clusters } = explainTaintPolicies(world, allowed, START);
    expect(clusters).toMatchObject([
      {
        cluster: 'east-1',
        taints: [
          {
            taint: { key: 'net', value: 'down', effect: 'NoExecute' },
            isThere: true,
            since: Date.parse(SINCE),
            ownership: { owner: 'policy', policies: ['net'], certainty: 'estimate' },
            decides: 'net',
            fought: false,
            policies: [
              {
                policy: 'net',
                created: Date.parse(OLD),
                wants: 'adds',
                add: { holds: true, since: Date.parse(OLD), waitsFor: [] },
                remove: {
                  holds: false,
                  waitsFor: [{ wanted: { conditionType: 'Net' }, found: [{ status: 'False' }] }],
                },
              },
            ],
          },
        ],
        nextReconcile: { gains: [], loses: [], renews: [] },
        turns: [
          {
            condition: { type: 'Net', status: 'True' },
            from: 'False',
            reconcile: { loses: [{ policy: 'net' }] },
          },
        ],
      },
    ]);
  });

  test('shows that another policy removes a taint, and that the newer policy decides', () => {
    const remover = taintPolicy(
      'remover',
      { removeOnConditions: [when('Net In False')], taints: [taint('net:NoExecute')] },
      '2026-08-03T00:00:00Z',
    );
    const world = fleet(
      [member('east-1', { conditions: ['Net=False'] })],
      [taintPolicy('net', net), remover],
    );
    expect(explainTaintPolicies(world, allowed, START).clusters[0]!.taints).toMatchObject([
      {
        isThere: false,
        decides: 'remover',
        fought: true,
        policies: [
          { policy: 'net', wants: 'adds', overruledBy: 'remover' },
          { policy: 'remover', wants: 'removes' },
        ],
      },
    ]);
  });

  test('shows taints that never settle, with the reason', () => {
    const removes = { removeOnConditions: [when('Net In False')], taints: [taint('net:NoExecute')] };
    const flaps = (...policies: ClusterTaintPolicy[]) => {
      const world = fleet([member('east-1', { conditions: ['Net=False'] })], policies);
      return explainTaintPolicies(world, allowed, START).clusters[0]!.taints.map((one) => one.flaps);
    };
    const [older, newer] = ['2026-08-01T00:00:00Z', '2026-08-03T00:00:00Z'];
    expect(flaps(taintPolicy('net', net), taintPolicy('remover', removes, older))).toEqual(['renewed']);
    expect(flaps(taintPolicy('net', net), taintPolicy('remover', removes, newer))).toEqual([undefined]);
    expect(flaps(taintPolicy('net', net), taintPolicy('remover', removes))).toEqual(['order open']);
    const own = { ...net, taints: [taint('cluster.karmada.io/not-ready:NoSchedule')] };
    expect(flaps(taintPolicy('own', own))).toEqual(['undone']);
  });

  test('shows no deciding policy if both were created in the same second', () => {
    const removes = { removeOnConditions: [when('Net In False')], taints: [taint('net:NoExecute')] };
    const world = fleet(
      [member('east-1', { conditions: ['Net=False'] })],
      [taintPolicy('net', net), taintPolicy('remover', removes)],
    );
    const [reported] = explainTaintPolicies(world, allowed, START).clusters[0]!.taints;
    expect(reported).toMatchObject({ fought: true, flaps: 'order open' });
    expect(reported!.decides).toBeUndefined();
    expect(reported!.policies.map(({ overruledBy }) => overruledBy)).toEqual([undefined, undefined]);
  });

  test('shows the effect of the next reconcile, and of a selected condition change', () => {
    const world = fleet([member('east-1', { conditions: ['Net=False'] })], [taintPolicy('net', net)]);
    const { clusters } = explainTaintPolicies(world, allowed, START, {
      asked: { type: 'Net', status: 'Unknown' },
    });
    expect(clusters[0]).toMatchObject({
      nextReconcile: { gains: [{ taint: { key: 'net' }, policy: 'net' }] },
      asked: { condition: { status: 'Unknown' }, from: 'False', reconcile: { gains: [], loses: [] } },
    });
  });

  test('of one policy contains only its clusters and taints', () => {
    const east = taintPolicy('east', { ...net, targetClusters: { clusterNames: ['east-1'] } });
    const other = taintPolicy('other', { ...net, taints: [taint('other:NoSchedule')] });
    const world = fleet(
      [member('west-1'), member('east-1', { taints: [taint('x:NoSchedule')] })],
      [east, other],
    );
    const reported = ({ clusters }: ReturnType<typeof explainTaintPolicies>) =>
      clusters.map(({ cluster, taints }) => [cluster, taints.map((one) => one.taint.key)]);
    expect(reported(explainTaintPolicies(world, allowed, START, { policy: 'east' }))).toEqual([
      ['east-1', ['net']],
    ]);
    expect(reported(explainTaintPolicies(world, allowed, START, { cluster: 'west-1' }))).toEqual([
      ['west-1', ['other']],
    ]);
    expect(reported(explainTaintPolicies(world, allowed, START))).toEqual([
      ['east-1', ['x', 'net', 'other']],
      ['west-1', ['other']],
    ]);
    expect(explainTaintPolicies(world, allowed, START, { policy: 'none' }).clusters).toEqual([]);
  });

  test('of one policy shows only the effect of other policies on its taints', () => {
    const shared = { removeOnConditions: [when('Net In True')], taints: [taint('net:NoExecute')] };
    const elsewhere = { addOnConditions: [when('Net In True')], taints: [taint('other:NoSchedule')] };
    const world = fleet(
      [member('east-1', { conditions: ['Net=False'], taints: [taint('net=down:NoExecute', SINCE)] })],
      [
        taintPolicy('net', { ...net, removeOnConditions: [] }),
        taintPolicy('shared', shared, '2026-08-03T00:00:00Z'),
        taintPolicy('elsewhere', elsewhere),
      ],
    );
    const reported = (policy?: string) => {
      const { nextReconcile, turns } = explainTaintPolicies(world, allowed, START, { policy }).clusters[0]!;
      const moves = ({ gains, loses }: typeof nextReconcile) =>
        [...gains, ...loses].map((one) => `${one.taint.key} by ${one.policy}`);
      return [
        moves(nextReconcile),
        ...turns.map(({ condition: { type, status }, reconcile }) => [type, status, ...moves(reconcile)]),
      ];
    };
    expect(reported('net')).toEqual([[], ['Net', 'True', 'net by shared']]);
    expect(reported('elsewhere')).toEqual([[], ['Net', 'True', 'other by elsewhere']]);
    expect(reported()).toEqual([[], ['Net', 'True', 'other by elsewhere', 'net by shared']]);
  });

  test('shows the changes that Karmada makes by the Ready condition if no policy makes them', () => {
    const own = 'cluster.karmada.io/not-ready';
    const policy = (effect: string) =>
      taintPolicy('own', {
        removeOnConditions: [when('Ready In True')],
        taints: [taint(`${own}:${effect}`)],
      });
    const asked = (effect: string, status: string, options = {}) => {
      const taints = [taint(`${own}:NoSchedule`, SINCE), taint(`${own}:NoExecute`, SINCE)];
      const world = fleet([member('east-1', { conditions: ['Ready=False'], taints })], [policy(effect)]);
      const { clusters } = explainTaintPolicies(world, allowed, START, {
        asked: { type: 'Ready', status },
        ...options,
      });
      const { reconcile, ofKarmada } = clusters[0]!.asked!;
      const names = (list: { key: string; effect: string }[]) =>
        list.map(({ key, effect: how }) => `${key.slice(key.indexOf('/') + 1)}:${how}`);
      return [names(reconcile.loses.map((one) => one.taint)), names(ofKarmada.gains), names(ofKarmada.loses)];
    };
    expect(asked('NoExecute', 'True')).toEqual([['not-ready:NoExecute'], [], ['not-ready:NoSchedule']]);
    expect(asked('NoSchedule', 'True')).toEqual([['not-ready:NoSchedule'], [], []]);
    expect(asked('NoExecute', 'Unknown')).toEqual([[], ['unreachable:NoSchedule'], ['not-ready:NoSchedule']]);
    expect(asked('NoExecute', 'True', { policy: 'own' })).toEqual([['not-ready:NoExecute'], [], []]);
  });

  test('lists the clusters of a policy, and reports an unknown condition', () => {
    const east = taintPolicy('east', { ...net, targetClusters: { clusterNames: ['east-1'] } });
    const world = fleet([member('west-1'), member('east-1')], [east]);
    const options = { policy: 'east', cluster: 'west-1' };
    expect(explainTaintPolicies(world, allowed, START, options)).toMatchObject({
      targets: ['east-1'],
      clusters: [],
    });
    const asking = (type: string) =>
      explainTaintPolicies(world, allowed, START, { asked: { type, status: 'False' } });
    expect(asking('Redy').unknownCondition).toEqual({ type: 'Redy', known: ['Net', 'Ready'] });
    // no cluster reports Net, but a policy waits for it
    expect(asking('Net')).not.toHaveProperty('unknownCondition');
    expect(asking('Ready')).not.toHaveProperty('unknownCondition');
  });

  test('shows that policies have no effect without the gate', () => {
    const off = { ...allowed, featureGates: { ...allowed.featureGates, Failover: false } };
    const world = fleet([member('east-1', { conditions: ['Net=False'] })], [taintPolicy('net', net)]);
    expect(explainTaintPolicies(world, off, START)).toMatchObject({
      dead: 'Failover',
      clusters: [{ nextReconcile: { gains: [] }, turns: [] }],
    });
  });
});

test('the list shows the taints in force on each cluster, and the taints without a policy', () => {
  const world = fleet(
    [
      member('east-1', { taints: [taint('net=down:NoExecute', SINCE), taint('gone:NoExecute', SINCE)] }),
      member('west-1', { taints: [taint('mine:NoSchedule')] }),
    ],
    [
      taintPolicy('net', net),
      taintPolicy(
        'east',
        { ...net, targetClusters: { clusterNames: ['east-1'] }, taints: [taint('e:NoSchedule')] },
        '2026-08-01T00:00:00Z',
      ),
    ],
  );
  expect(listTaintPolicies(world, allowed, START)).toMatchObject({
    policies: [
      { name: 'east', targets: ['east-1'], everywhere: false, taints: [{ inForce: [] }] },
      {
        name: 'net',
        targets: ['east-1', 'west-1'],
        everywhere: true,
        taints: [{ taint: { key: 'net' }, inForce: [{ cluster: 'east-1' }] }],
      },
    ],
    orphans: [{ cluster: 'east-1', taint: { key: 'gone' }, ownership: { owner: 'unknown' } }],
    others: [{ cluster: 'west-1', taint: { key: 'mine' }, ownership: { owner: 'person' } }],
  });
});

describe('the plan to delete a policy with its taints', () => {
  const there = taint('net=down:NoExecute', SINCE);
  const own = {
    ...taintPolicy('net', net),
    metadata: { name: 'net', uid: 'u', resourceVersion: '7', creationTimestamp: OLD },
  };

  test('lists each taint and cluster as they were read', () => {
    const world = fleet(
      [member('east-1', { taints: [there, taint('x:NoSchedule')] }), member('west-1')],
      [own],
    );
    expect(removalAfterDeletion(world, ['net'])).toEqual({
      steps: [{ cluster: 'east-1', taints: [there] }],
      kept: [],
    });
    world.clusters[0]!.metadata.uid = 'u';
    expect(removalAfterDeletion(world, ['net']).steps).toEqual([
      { cluster: 'east-1', taints: [there], uid: 'u' },
    ]);
  });

  test('keeps manual taints, taints of other policies, and taints with an unknown owner', () => {
    const other = taintPolicy('other', { ...net, targetClusters: { clusterNames: ['west-1'] } });
    const world = fleet(
      [
        member('east-1', { taints: [taint('net:NoExecute')] }),
        member('west-1', { taints: [there] }),
        member('north-1', { taints: [taint('net:NoExecute', '2026-07-01T00:00:00Z')] }),
      ],
      [own, other],
    );
    const { steps, kept } = removalAfterDeletion(world, ['net']);
    expect(steps).toEqual([]);
    expect(kept.map(({ left, why }) => [left.cluster, why])).toEqual([
      ['east-1', 'not of a policy'],
      ['west-1', 'still listed'],
      ['north-1', 'owner unknown'],
    ]);
  });

  test('keeps a taint that was added again in the meantime', () => {
    const again = taint('net=down:NoExecute', '2026-09-01T00:00:00Z');
    expect(withoutTaints([there, again], [there])).toEqual([again]);
    const changed = [taint('net=other:NoExecute', SINCE)];
    expect(withoutTaints(changed, [there])).toBe(changed);
    expect(planTaintRemoval([], [])).toEqual({ steps: [], kept: [] });
  });
});
