import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../src/karmada/api/policy.ts';
import { admitObject, crdDefaults } from '../../src/karmada/defaults/admitObject.ts';
import { storedCluster } from '../../src/karmada/defaults/storedCluster.ts';
import { dialectOf, newestReleased } from '../../src/karmada/dialects/dialects.ts';
import { apiTypes } from '../../src/karmada/api/kinds.ts';
import { clusterTaintRefusal } from '../../src/karmada/validation/clusterTaints.ts';
import { worldOfVersion } from '../../src/state/world/worldOfVersion.ts';
import { DETECT_NOT_READY, proposal } from './documents.ts';

const shipped = dialectOf(newestReleased).dialect;
const condition = { conditionType: 'Ready', operator: 'In', statusValues: ['False'] };
const taint = { key: 'example.com/down', effect: 'PreferNoExecute' };

const policy = (spec: object) => ({ metadata: { name: 'p' }, spec });
const admit = (object: object, { rules } = proposal) =>
  admitObject({
    kind: 'ClusterTaintPolicy',
    operation: 'CREATE',
    permanentId: 'uuid',
    object: object as Record<string, unknown>,
    rules,
  });
const refusals = (spec: object) => {
  const verdict = admit(policy(spec));
  return verdict.allowed ? [] : verdict.errors.map(({ message }) => message);
};

describe('001 cluster failure condition judgment: the API of ClusterTaintPolicy', () => {
  test('the example is admitted unchanged', () => {
    const example = parse(DETECT_NOT_READY) as Record<string, unknown>;
    expect(admit(example)).toEqual({ allowed: true, object: example });
  });

  test('addOnMatchSeconds defaults to 300, removeOnMismatchSeconds to 180', () => {
    const spec = { matchConditions: [condition], taintsToAdd: [taint] };
    expect(admit(policy(spec))).toMatchObject({
      object: {
        spec: { taintsToAdd: [{ ...taint, addOnMatchSeconds: 300, removeOnMismatchSeconds: 180 }] },
      },
    });
  });

  test.each(['addOnMatchSeconds', 'removeOnMismatchSeconds'])('%s is at least 1', (field) => {
    expect(refusals({ taintsToAdd: [{ ...taint, [field]: 0 }] })).toEqual([
      `spec.taintsToAdd[0].${field}: Invalid value: 0: spec.taintsToAdd[0].${field} in body should be greater than or equal to 1`,
    ]);
    expect(refusals({ taintsToAdd: [{ ...taint, [field]: 1 }] })).toEqual([]);
  });

  test('all fields of the spec are optional', () => {
    expect(refusals({})).toEqual([]);
  });

  test.each(['NoSchedule', 'NoExecute', 'PreferNoExecute'])('a taint may have the effect %s', (effect) => {
    expect(refusals({ taintsToAdd: [{ ...taint, effect }] })).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    [
      'PreferNoSchedule, an effect only for nodes',
      { taintsToAdd: [{ ...taint, effect: 'PreferNoSchedule' }] },
      [
        'spec.taintsToAdd[0].effect: Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "PreferNoExecute", "NoExecute"',
      ],
    ],
    [
      'an operator other than In and NotIn',
      { matchConditions: [{ ...condition, operator: 'Exists' }] },
      ['spec.matchConditions[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"'],
    ],
    [
      'an unknown condition status',
      { matchConditions: [{ ...condition, statusValues: ['False', 'false'] }] },
      [
        'spec.matchConditions[0].statusValues[1]: Unsupported value: "false": supported values: "True", "False", "Unknown"',
      ],
    ],
    [
      'an empty list of statuses',
      { matchConditions: [{ ...condition, statusValues: [] }] },
      ['spec.matchConditions[0].statusValues: Required value'],
    ],
    [
      'a condition without a type',
      { matchConditions: [{ ...condition, conditionType: '' }] },
      ['spec.matchConditions[0].conditionType: Required value'],
    ],
    [
      'a key that the Cluster API refuses',
      { taintsToAdd: [{ ...taint, key: 'a b' }] },
      [expect.stringMatching(/^spec.taintsToAdd\[0\].key: Invalid value: "a b"/) as never],
    ],
    [
      'a value that the Cluster API refuses',
      { taintsToAdd: [{ ...taint, value: '-' }] },
      [expect.stringMatching(/^spec.taintsToAdd\[0\].value: Invalid value: "-"/) as never],
    ],
    [
      'the same key and effect twice',
      { taintsToAdd: [taint, { ...taint, value: 'other' }] },
      [
        'spec.taintsToAdd[0]: Duplicate value: "Duplicate taint with the same key(example.com/down) and effect(PreferNoExecute) is not allowed"',
      ],
    ],
  ])('the webhook refuses %s', (_what, spec, messages) => {
    expect(new Set(refusals(spec))).toEqual(new Set(messages));
  });

  test('one key may have several effects', () => {
    expect(refusals({ taintsToAdd: [taint, { ...taint, effect: 'NoSchedule' }] })).toEqual([]);
  });

  test('the design lacks the shipped fields, and releases lack the fields of the design', () => {
    const lists = {
      addOnConditions: [condition],
      removeOnConditions: [],
      taints: [{ key: 'a', effect: 'NoSchedule' }],
    };
    const windows = { matchConditions: [condition], taintsToAdd: [taint] };
    expect(admit(policy({ ...windows, ...lists }))).toMatchObject({ allowed: true });
    expect(crdDefaults('ClusterTaintPolicy', policy(lists), apiTypes(proposal.rules))).toEqual(policy({}));
    expect(admit(policy(windows), shipped)).toMatchObject({
      allowed: false,
      message: 'ClusterTaintPolicy.policy.karmada.io "p" is invalid: spec.taints: Required value',
    });
  });
});

describe('001 taint types: PreferNoExecute on Clusters', () => {
  const taints = [{ ...taint, effect: 'PreferNoExecute' as const }];

  test('the Cluster API of the design accepts it, and the API of releases refuses it', () => {
    expect(clusterTaintRefusal('m', taints, proposal.rules.admission)).toBeUndefined();
    expect(clusterTaintRefusal('m', taints, shipped.rules.admission)).toContain(
      'spec.taints[0].effect: Unsupported value: "PreferNoExecute": supported values: "NoSchedule", "NoExecute"',
    );
  });

  test('it gets a timeAdded, which starts tolerationSeconds', () => {
    const cluster: Cluster = { metadata: { name: 'm' }, spec: { taints } };
    expect(storedCluster(cluster, Date.parse('2025-01-17T02:41:26Z')).spec?.taints).toEqual([
      { ...taints[0], timeAdded: '2025-01-17T02:41:26Z' },
    ]);
  });
});

describe('001 application-level cluster failover strategy: the API of spec.failover.cluster', () => {
  const defaulted = (kind: string, cluster: object, { rules } = proposal) =>
    (crdDefaults(kind, { spec: { failover: { cluster } } }, apiTypes(rules)).spec as { failover: object })
      .failover;

  test.each(['PropagationPolicy', 'ClusterPropagationPolicy', 'ResourceBinding', 'ClusterResourceBinding'])(
    'purgeMode of a %s defaults to Gracefully, tolerationSeconds to 300',
    (kind) => {
      expect(defaulted(kind, {})).toEqual({ cluster: { purgeMode: 'Gracefully', tolerationSeconds: 300 } });
      expect(defaulted(kind, { purgeMode: 'Directly', tolerationSeconds: 100 })).toEqual({
        cluster: { purgeMode: 'Directly', tolerationSeconds: 100 },
      });
    },
  );

  test('the webhook refuses a negative tolerationSeconds', () => {
    const verdict = (tolerationSeconds: number) =>
      admitObject({
        kind: 'PropagationPolicy',
        operation: 'CREATE',
        namespace: 'shop',
        permanentId: 'uuid',
        object: {
          metadata: { name: 'web', namespace: 'shop' },
          spec: {
            resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
            failover: { cluster: { tolerationSeconds } },
          },
        },
        rules: proposal.rules,
      });
    expect(verdict(0)).toMatchObject({ allowed: true });
    expect(verdict(-1)).toMatchObject({
      message:
        'spec.failover.cluster.tolerationSeconds: Invalid value: -1: must be greater than or equal to 0',
    });
  });

  test('releases drop tolerationSeconds', () => {
    expect(defaulted('PropagationPolicy', { tolerationSeconds: 100 }, shipped)).toEqual({
      cluster: { purgeMode: 'Gracefully' },
    });
  });
});

describe('a state with fields of another version', () => {
  const world: World = {
    ...emptyWorld(),
    clusters: [
      {
        metadata: { name: 'm' },
        spec: {
          taints: [
            { key: 'a', effect: 'PreferNoExecute' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
    ],
    policies: [
      {
        kind: 'PropagationPolicy',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { failover: { cluster: { tolerationSeconds: 5 } } },
      },
    ],
    taintPolicies: [
      { metadata: { name: 'lists' }, spec: { addOnConditions: [condition], taints: [] } },
      { metadata: { name: 'windows' }, spec: { matchConditions: [condition], taintsToAdd: [] } },
      { metadata: { name: 'both' }, spec: { targetClusters: {}, taints: [], taintsToAdd: [] } },
      { metadata: { name: 'empty' }, spec: {} },
    ] as ClusterTaintPolicy[],
  };
  const names = ({ taintPolicies }: World) => taintPolicies.map(({ metadata }) => metadata.name);

  test('in the design, policies of the shipped form are excluded and counted', () => {
    const { world: seen, left } = worldOfVersion(world, proposal.rules);
    expect(names(seen)).toEqual(['windows', 'both', 'empty']);
    expect(seen.taintPolicies[1]!.spec).toEqual({ taintsToAdd: [] });
    expect(left).toContainEqual({
      kind: 'ClusterTaintPolicy',
      form: 'spec.addOnConditions, spec.taints',
      objects: 1,
      first: 'lists',
    });
    expect(seen.clusters).toEqual(world.clusters);
    expect(seen.policies).toEqual(world.policies);
  });

  test('in a release, policies of the design, PreferNoExecute and tolerationSeconds are excluded', () => {
    const { world: seen, left } = worldOfVersion(world, shipped.rules);
    expect(names(seen)).toEqual(['lists', 'both', 'empty']);
    expect(seen.clusters[0]!.spec?.taints).toEqual([{ key: 'a', effect: 'NoSchedule' }]);
    expect(seen.policies[0]!.spec.failover).toEqual({ cluster: {} });
    expect(left.map(({ path, form }) => path ?? form)).toEqual([
      'spec.taints[] with PreferNoExecute',
      'spec.failover.cluster.tolerationSeconds',
      'spec.matchConditions, spec.taintsToAdd',
      'spec.taintsToAdd',
    ]);
  });
});
