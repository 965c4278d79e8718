import { describe, expect, test } from '@jest/globals';
import { effectOf } from '../../../../src/analysis/taintPolicy/effect.ts';
import type { PolicyChange } from '../../../../src/analysis/taintPolicy/policyChange.ts';
import type { PolicyRisk } from '../../../../src/analysis/findings/policies/policyRisk.ts';
import { policyRisks } from '../../../../src/analysis/findings/policies/policyChecks.ts';
import { risksOf } from '../../../../src/analysis/findings/policies/changeChecks.ts';
import type { World } from '../../../../src/karmada/world.ts';
import type { Configuration } from '../../../../src/karmada/configuration/configuration.ts';
import type { ClusterTaintPolicySpec } from '../../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../../src/karmada/dialects/dialects.ts';
import { failoverOn, START } from '../../../simulator/simulation/controlPlane.ts';
import { allowed, fleet, member, taint, taintPolicy, when } from '../../taintPolicy/policies.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };

/** The risks of a change, in a fleet of two clusters unless set otherwise. */
function risks(
  change: PolicyChange,
  {
    world = fleet([member('east-1'), member('west-1')]),
    configuration = allowed,
  }: { world?: World; configuration?: Configuration } = {},
): PolicyRisk[] {
  return risksOf(
    effectOf(world, change, configuration, START, { members, playedTurns: 0 }),
    world,
    configuration,
  );
}
const ofPolicy = (spec: ClusterTaintPolicySpec, world?: World): PolicyRisk[] =>
  risks({ applied: [taintPolicy('p', spec)] }, world ? { world } : {});

/** It has no risks. */
const sound = {
  addOnConditions: [when('Ready In False')],
  removeOnConditions: [when('Ready In True')],
  taints: [taint('a:NoSchedule')],
};

test('with thousands of policies for one taint, each risk lists twenty policies and counts the rest', () => {
  const policies = Array.from({ length: 1500 }, (_, at) => taintPolicy(`p${at}`, sound));
  const listed = policies.map(policyRisks(policies, [member('east-1')], allowed));
  expect(listed[7]).toMatchObject([{ code: 'taint-owned', clusters: ['east-1'], others: 1479 }]);
  const named = listed.map(([one]) =>
    one?.code === 'taint-owned' && one.owner.kind === 'policy' ? one.owner.names.length : 0,
  );
  expect(new Set(named)).toEqual(new Set([20]));
});

test('a policy that adds and removes its own taint by a reported condition has no risk', () => {
  expect(ofPolicy(sound)).toEqual([]);
});

describe('a taint of a policy is a risk', () => {
  test('if the Cluster API refuses it, which stops other policies on the same clusters', () => {
    const soft = { ...sound, taints: [taint('a:PreferNoSchedule')] };
    const world = fleet(
      [member('east-1')],
      [taintPolicy('other', { ...sound, taints: [taint('b:NoSchedule')] })],
    );
    expect(ofPolicy(soft, world)).toMatchObject([
      {
        code: 'taint-refused',
        policy: 'p',
        field: 'spec.taints[0].effect',
        refusal:
          'spec.taints[0].effect: Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "NoExecute"',
        clusters: ['east-1'],
        stops: ['other'],
      },
    ]);
  });

  test('if no condition removes it', () => {
    const { removeOnConditions: _, ...kept } = sound;
    expect(ofPolicy(kept)).toMatchObject([{ code: 'never-removed', field: 'spec.taints[0]' }]);
    const remover = taintPolicy('remover', {
      removeOnConditions: [when('Ready In True')],
      taints: [taint('a:NoSchedule')],
    });
    const codes = ofPolicy(kept, fleet([member('east-1')], [remover])).map(({ code }) => code);
    expect(codes).not.toContain('never-removed');
  });

  test('if it has a key that Karmada owns', () => {
    expect(ofPolicy({ ...sound, taints: [taint('cluster.karmada.io/not-ready:NoSchedule')] })).toMatchObject([
      { code: 'taint-owned', owner: { kind: 'cluster-controller' }, clusters: ['east-1', 'west-1'] },
    ]);
    expect(ofPolicy({ ...sound, taints: [taint('cluster.karmada.io/not-ready:NoExecute')] })).toEqual([]);
  });

  test('if another policy lists it for the same clusters', () => {
    const other = taintPolicy('other', { ...sound, targetClusters: { clusterNames: ['west-1'] } });
    expect(ofPolicy(sound, fleet([member('east-1'), member('west-1')], [other]))).toMatchObject([
      { code: 'taint-owned', owner: { kind: 'policy', names: ['other'] }, clusters: ['west-1'] },
    ]);
  });

  test('if a user has set it and the policy removes it at once', () => {
    const world = fleet([member('east-1', { taints: [taint('a:NoSchedule')] })]);
    expect(ofPolicy(sound, world)).toMatchObject([
      { code: 'taint-owned', owner: { kind: 'person' }, clusters: ['east-1'] },
      {
        code: 'takes-anothers-taint',
        clusters: ['east-1'],
        policy: 'p',
        owner: 'person',
      },
    ]);
  });

  test('if a user has set it and the policy removes it after a condition change', () => {
    const world = fleet([member('east-1', { taints: [taint('a:NoSchedule')], conditions: ['Net=False'] })]);
    const later = {
      ...sound,
      addOnConditions: [when('Net In Unknown')],
      removeOnConditions: [when('Net In True')],
    };
    expect(ofPolicy(later, world)).toContainEqual(
      expect.objectContaining({ code: 'takes-anothers-taint', when: { type: 'Net', status: 'True' } }),
    );
  });

  test('if the webhook refuses NoExecute, or NoExecute eviction is off', () => {
    const evicting = { ...sound, taints: [taint('a:NoExecute')] };
    expect(risks({ applied: [taintPolicy('p', evicting)] }, { configuration: failoverOn })).toMatchObject([
      { code: 'no-execute-refused', field: 'spec.taints[0]' },
    ]);
    const controllerManager = { ...allowed.controllerManager, 'enable-no-execute-taint-eviction': false };
    expect(
      risks({ applied: [taintPolicy('p', evicting)] }, { configuration: { ...allowed, controllerManager } }),
    ).toMatchObject([{ code: 'no-execute-dead', off: ['enable-no-execute-taint-eviction'] }]);
    const guessed = policyRisks(
      [],
      [],
      { ...failoverOn, controllerManager },
      new Set(['enable-no-execute-taint-eviction']),
    );
    expect(guessed(taintPolicy('p', { ...sound, taints: [taint('a:NoExecute')] }))).toMatchObject([
      { code: 'no-execute-refused', taint: { key: 'a' } },
      { code: 'no-execute-dead', assumed: ['enable-no-execute-taint-eviction'] },
    ]);
  });
});

test('a policy that only removes the taint of another policy is not a risk', () => {
  const { addOnConditions: _, ...remover } = sound;
  const never = (other: ClusterTaintPolicySpec) =>
    ofPolicy(remover, fleet([member('east-1')], [taintPolicy('other', other)])).filter(
      ({ code }) => code === 'never-added',
    );
  expect(never(sound)).toEqual([]);
  expect(never({ ...sound, taints: [taint('b:NoSchedule')] })).toHaveLength(1);
  expect(never({ ...sound, targetClusters: { clusterNames: ['west-1'] } })).toHaveLength(1);
  expect(never(remover)).toHaveLength(1);
});

describe('a policy is a risk with', () => {
  test.each<[string, Partial<ClusterTaintPolicySpec>, object[]]>([
    [
      'no condition that adds its taints',
      { addOnConditions: [] },
      [{ code: 'never-added', field: 'spec.addOnConditions', taints: [{ key: 'a', effect: 'NoSchedule' }] }],
    ],
    ['no conditions at all', { addOnConditions: [], removeOnConditions: [] }, [{ code: 'never-added' }]],
    [
      'contradictory removal conditions',
      { removeOnConditions: [when('Ready In True'), when('Ready NotIn True')] },
      [
        { code: 'removal-never-matches', field: 'spec.removeOnConditions', entries: [] },
        { code: 'never-removed' },
      ],
    ],
    [
      'an unknown operator',
      { removeOnConditions: [when('Ready Exists')] },
      [
        { code: 'removal-never-matches', entries: [{ index: 0, problem: 'unknown operator' }] },
        { code: 'never-removed' },
      ],
    ],
    [
      'the operator In without values',
      { removeOnConditions: [when('Ready In')] },
      [
        { code: 'removal-never-matches', entries: [{ index: 0, problem: 'no values' }] },
        { code: 'never-removed' },
      ],
    ],
    [
      'an impossible status',
      { addOnConditions: [when('Ready In true')] },
      [{ code: 'addition-never-matches', entries: [{ index: 0, problem: 'no such status' }] }],
    ],
    [
      'removal conditions that always match',
      { removeOnConditions: [when('Ready NotIn')] },
      [{ code: 'removal-always-matches' }, { code: 'removes-what-it-adds' }],
    ],
    [
      'removal conditions that match whenever the add conditions match',
      { removeOnConditions: [when('Ready NotIn True')] },
      [{ code: 'removes-what-it-adds', field: 'spec.removeOnConditions' }],
    ],
    [
      'add conditions that always match',
      { addOnConditions: [when('Ready In True False Unknown')], removeOnConditions: [when('Ready In True')] },
      [{ code: 'addition-always-matches' }],
    ],
    [
      'a condition that no cluster reports',
      { addOnConditions: [when('Net In False')] },
      [
        {
          code: 'condition-not-reported',
          field: 'spec.addOnConditions[0].conditionType',
          conditionType: 'Net',
          clusters: ['east-1', 'west-1'],
          everywhere: true,
        },
      ],
    ],
  ])('%s', (_what, spec, expected) => {
    expect(ofPolicy({ ...sound, ...spec })).toMatchObject(expected);
  });

  test('a condition that some of its clusters do not report', () => {
    const world = fleet([member('east-1', { conditions: ['Net=True'] }), member('west-1')]);
    expect(ofPolicy({ ...sound, addOnConditions: [when('Net In False')] }, world)).toMatchObject([
      { code: 'condition-not-reported', clusters: ['west-1'], everywhere: false, reported: ['Ready'] },
    ]);
  });
});

describe('a policy change is a risk', () => {
  test('if it taints every cluster', () => {
    const all = {
      ...sound,
      addOnConditions: [when('Ready In True')],
      removeOnConditions: [when('Ready In Unknown')],
    };
    expect(ofPolicy(all)).toMatchObject([
      {
        code: 'every-cluster-tainted',
        clusters: ['east-1', 'west-1'],
        taints: [{ key: 'a', effect: 'NoSchedule' }],
      },
    ]);
    expect(ofPolicy({ ...all, targetClusters: { clusterNames: ['east-1'] } })).toEqual([]);
  });

  test('if two policies then add and remove a taint again and again', () => {
    const world = fleet(
      [member('east-1', { taints: [taint('a:NoSchedule', '2026-08-20T00:00:00Z')] })],
      [
        taintPolicy('remover', {
          removeOnConditions: [when('Ready In True')],
          taints: [taint('a:NoSchedule')],
        }),
      ],
    );
    const adder = { addOnConditions: [when('Ready In True')], taints: [taint('a:NoSchedule')] };
    expect(ofPolicy(adder, world)).toContainEqual(
      expect.objectContaining({
        code: 'renewed-again-and-again',
        clusters: ['east-1'],
        policies: ['remover', 'p'],
      }),
    );
  });

  test('but not for an earlier conflict, or for a conflict of a refused write', () => {
    const fight = { addOnConditions: [when('Ready In True')], taints: [taint('a:NoSchedule')] };
    const world = fleet(
      [member('east-1', { taints: [taint('a:NoSchedule', '2026-08-20T00:00:00Z')] })],
      [
        taintPolicy('remover', { ...fight, removeOnConditions: [when('Ready In True')] }),
        taintPolicy('adder', fight, '2026-08-05T00:00:00Z'),
      ],
    );
    const codes = (spec: ClusterTaintPolicySpec) => ofPolicy(spec, world).map(({ code }) => code);
    const other = { ...sound, taints: [taint('b:NoSchedule')] };
    expect(codes(other)).not.toContain('renewed-again-and-again');
    expect(codes({ ...fight, taints: [taint('a:NoSchedule'), taint('-:NoSchedule')] })).not.toContain(
      'renewed-again-and-again',
    );
  });

  test('if it conflicts with a policy of the same second, because their order is unknown', () => {
    const adder = taintPolicy('adder', {
      addOnConditions: [when('Ready In True')],
      taints: [taint('a:NoSchedule')],
    });
    const remover = taintPolicy('remover', {
      removeOnConditions: [when('Ready In True')],
      taints: [taint('a:NoSchedule')],
    });
    expect(risks({ applied: [adder, remover] })).toContainEqual(
      expect.objectContaining({
        code: 'order-open',
        clusters: ['east-1', 'west-1'],
        policies: ['adder', 'remover'],
      }),
    );
  });

  test('if it has no effect, without the gate Failover or in an older version', () => {
    const off = { ...allowed, featureGates: { ...allowed.featureGates, Failover: false } };
    expect(risks({ applied: [taintPolicy('p', sound)] }, { configuration: off })).toMatchObject([
      { code: 'policies-dead', off: 'Failover' },
    ]);
    const old = { ...allowed, rules: dialectOf('v1.13.0').dialect.rules };
    expect(risks({ applied: [taintPolicy('p', sound)] }, { configuration: old })).toMatchObject([
      { code: 'policies-dead', off: 'version' },
    ]);
  });
});

test('without clusters, as in CI, a conflict between policies is still a risk', () => {
  const other = taintPolicy('other', sound);
  expect(policyRisks([other], [], allowed)(taintPolicy('p', sound))).toMatchObject([
    { code: 'taint-owned', owner: { kind: 'policy', names: ['other'] }, clusters: [] },
  ]);
  const elsewhere = taintPolicy('other', { ...sound, targetClusters: { clusterNames: ['west-1'] } });
  const here = taintPolicy('p', { ...sound, targetClusters: { clusterNames: ['east-1'] } });
  expect(policyRisks([elsewhere], [], allowed)(here)).toEqual([]);
});

test('a risk lists the policies with the same taint and clusters, and counts the rest', () => {
  const clusters = [member('east-1'), member('west-1')];
  const others = Array.from({ length: 23 }, (_, index) =>
    taintPolicy(`other-${index}`, {
      ...sound,
      ...(index === 1 && { targetClusters: { clusterNames: ['west-1'] } }),
    }),
  );
  const found = policyRisks(others, clusters, allowed)(taintPolicy('p', sound));
  expect(found).toMatchObject([
    { code: 'taint-owned', clusters: ['east-1', 'west-1'], others: 3 },
    { code: 'taint-owned', clusters: ['west-1'], owner: { names: ['other-1'] } },
  ]);
});

test('a policy is compared only with policies that list one of its taints', () => {
  const looks = (count: number) => {
    let listed = 0;
    const policies = Array.from({ length: count }, (_, at) => {
      const { metadata, spec } = taintPolicy(`p${at}`, { ...sound, taints: [taint(`key-${at}:NoSchedule`)] });
      return {
        metadata,
        get spec() {
          listed++;
          return spec;
        },
      };
    });
    const risksOfPolicy = policyRisks(policies, [member('east-1')], allowed);
    expect(policies.flatMap(risksOfPolicy)).toEqual([]);
    return listed;
  };
  expect(looks(100)).toBe(10 * looks(10));
});
