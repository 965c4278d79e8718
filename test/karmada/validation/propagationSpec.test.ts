import { describe, expect, test } from '@jest/globals';
import type { Placement, PropagationSpec } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { admissionOf } from '../../../src/karmada/validation/admission.ts';
import { propagationSpecErrors } from '../../../src/karmada/validation/propagationSpec.ts';
import { v1_18 } from '../../dialects.ts';

const admission = admissionOf(v1_18.rules);

const messages = (spec: PropagationSpec, namespace = '') =>
  propagationSpecErrors(spec, namespace, admission).map(({ message }) => message);
const placementMessages = (placement: Placement) => messages({ placement });

test('a valid policy has no errors', () => {
  const placement: Placement = {
    clusterAffinity: {
      fieldSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
    },
    clusterTolerations: [{ key: 'k', operator: 'Exists' }],
    spreadConstraints: [
      { spreadByField: 'region', minGroups: 2, maxGroups: 2 },
      { spreadByField: 'cluster', minGroups: 2 },
    ],
  };
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' }];
  expect(messages({ resourceSelectors, placement }, 'shop')).toEqual([]);
  expect(messages({})).toEqual([]);
});

describe('the cluster affinity', () => {
  test('is refused with clusterAffinity and clusterAffinities, even if both are empty', () => {
    expect(placementMessages({ clusterAffinity: {}, clusterAffinities: [] })).toEqual([
      'spec.placement: Invalid value: {"clusterAffinity":{}}: clusterAffinities cannot co-exist with clusterAffinity',
    ]);
  });

  test('accepts only provider, region and zone in a field selector', () => {
    const fieldSelector = { matchExpressions: [{ key: 'name', operator: 'Gt', values: ['<a>'] }] };
    expect(placementMessages({ clusterAffinity: { fieldSelector } })).toEqual([
      'spec.placement.clusterAffinity.fieldSelector: Invalid value: ' +
        '{"matchExpressions":[{"key":"name","operator":"Gt","values":["\\u003ca\\u003e"]}]}: ' +
        'unsupported key "name", must be provider, region, or zone',
    ]);
  });

  test('accepts only In and NotIn in a field selector', () => {
    const fieldSelector = { matchExpressions: [{ key: 'region', operator: 'Exists' }] };
    const [message] = placementMessages({ clusterAffinity: { fieldSelector } });
    expect(message).toMatch(/: unsupported operator "Exists", must be In or NotIn$/);
  });

  test('requires unique affinity group names that are valid label keys', () => {
    const clusterAffinities = [
      { affinityName: 'a/b/c' },
      { affinityName: 'backup' },
      { affinityName: 'backup' },
    ];
    const [illegal, repeated, ...rest] = placementMessages({ clusterAffinities });
    expect(illegal).toMatch(
      /^spec\.placement\.clusterAffinities\[0\]: Invalid value: "a\/b\/c": a valid label key must consist of/,
    );
    expect(repeated).toBe(
      'spec.placement.clusterAffinities: Invalid value: ' +
        '[{"affinityName":"a/b/c"},{"affinityName":"backup"},{"affinityName":"backup"}]: ' +
        'each affinity term in a policy must have a unique name',
    );
    expect(rest).toEqual([]);
  });
});

describe('overflow affinities', () => {
  const term = {
    affinityName: 'main',
    clusterNames: ['m1'],
    overflowAffinities: [{ affinityName: 'cloud', clusterNames: ['m2'] }],
  };
  const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };

  test('are refused without a division by capacity', () => {
    const unfit = [
      undefined,
      { replicaSchedulingType: 'Duplicated' },
      { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
    ];
    for (const replicaScheduling of unfit)
      expect(placementMessages({ clusterAffinities: [term], replicaScheduling })).toEqual([
        'spec.placement.clusterAffinities[0].overflowAffinities: Invalid value: ' +
          '[{"affinityName":"cloud","clusterNames":["m2"]}]: ' +
          'overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
      ]);
  });

  test('are accepted with aggregated division and with dynamic weight', () => {
    const dynamic = {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    };
    for (const replicaScheduling of [aggregated, dynamic])
      expect(placementMessages({ clusterAffinities: [term], replicaScheduling })).toEqual([]);
  });

  test('require a primary group with a selection, even if they are empty', () => {
    const clusterAffinities = [{ affinityName: 'main', clusterNames: [], overflowAffinities: [] }];
    expect(placementMessages({ clusterAffinities, replicaScheduling: aggregated })).toEqual([
      'spec.placement.clusterAffinities[0].overflowAffinities: Invalid value: []: ' +
        'overflowAffinities can only be used together with the inline ClusterAffinity',
    ]);
  });

  test('require unique names that differ from the primary group', () => {
    const overflowAffinities = [
      { affinityName: 'main' },
      { affinityName: 'cloud' },
      { affinityName: 'cloud' },
    ];
    const fields = propagationSpecErrors(
      { placement: { clusterAffinities: [{ ...term, overflowAffinities }], replicaScheduling: aggregated } },
      '',
      admission,
    ).map(({ field }) => field);
    expect(fields).toEqual([
      'spec.placement.clusterAffinities[0].overflowAffinities[0].affinityName',
      'spec.placement.clusterAffinities[0].overflowAffinities[2].affinityName',
    ]);
  });
});

describe('spread constraints', () => {
  const details = (spreadConstraints: Placement['spreadConstraints']) =>
    propagationSpecErrors({ placement: { spreadConstraints } }, '', admission).map(({ detail }) => detail);

  test('are refused with both a field and a label', () => {
    expect(details([{ spreadByField: 'cluster', spreadByLabel: 'rack' }])).toEqual([
      'spreadByLabel should not co-exist with spreadByField',
    ]);
  });

  test('require valid limits, and maxGroups 0 means no limit', () => {
    expect(details([{ spreadByField: 'cluster', minGroups: -1, maxGroups: -2 }])).toEqual([
      'minGroups lower than 0 is not allowed',
      'maxGroups lower than 0 is not allowed',
    ]);
    expect(details([{ spreadByField: 'cluster', minGroups: 3, maxGroups: 2 }])).toEqual([
      'maxGroups lower than minGroups is not allowed',
    ]);
    expect(details([{ spreadByField: 'cluster', minGroups: 3, maxGroups: 0 }])).toEqual([]);
  });

  test('are refused for a repeated field, with one error', () => {
    const cluster = { spreadByField: 'cluster', minGroups: 1 };
    expect(details([cluster, cluster, cluster])).toEqual([
      'multiple cluster spread constraints are not allowed',
    ]);
  });

  test('by a field require a constraint by cluster', () => {
    expect(details([{ spreadByField: 'region' }])).toEqual([
      'the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
    ]);
    expect(details([{ spreadByLabel: 'rack' }])).toEqual([]);
  });
});

describe('workload affinity', () => {
  test('requires valid label keys that differ for affinity and anti-affinity', () => {
    const workloadAffinity = { affinity: { groupByLabelKey: '' }, antiAffinity: { groupByLabelKey: '' } };
    const errors = propagationSpecErrors({ placement: { workloadAffinity } }, '', admission);
    expect(
      errors.map(({ field, detail }) => [field.replace('spec.placement.', ''), detail.slice(0, 30)]),
    ).toEqual([
      ['workloadAffinity.affinity.groupByLabelKey', 'name part must be non-empty'],
      ['workloadAffinity.affinity.groupByLabelKey', 'name part must consist of alph'],
      ['workloadAffinity.antiAffinity.groupByLabelKey', 'name part must be non-empty'],
      ['workloadAffinity.antiAffinity.groupByLabelKey', 'name part must consist of alph'],
      ['workloadAffinity', 'affinity and antiAffinity must'],
    ]);
  });
});

describe('cluster tolerations', () => {
  test('accept only the operators Exists and Equal', () => {
    const clusterTolerations = [
      { operator: 'Gt' },
      { operator: 'Exists', tolerationSeconds: -1 },
      { operator: 'Lt' },
    ];
    expect(placementMessages({ clusterTolerations })).toEqual([
      'spec.placement.clusterTolerations[0].operator: Unsupported value: "Gt": supported values: "", "Exists", "Equal"',
      'spec.placement.clusterTolerations[2].operator: Unsupported value: "Lt": supported values: "", "Exists", "Equal"',
    ]);
  });
});

describe('failover', () => {
  const application = { decisionConditions: { tolerationSeconds: 30 }, purgeMode: 'Directly' as const };

  test('of applications requires propagateDeps', () => {
    expect(messages({ failover: { application } })).toEqual([
      'spec.propagateDeps: Invalid value: false: application failover is set, propagateDeps must be true',
    ]);
  });

  test('refuses negative toleration seconds', () => {
    const failover = { application: { ...application, decisionConditions: { tolerationSeconds: -1 } } };
    expect(messages({ propagateDeps: true, failover })).toEqual([
      'spec.failover.application.decisionConditions.tolerationSeconds: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test.each(['Gracefully', 'Graciously'] as const)(
    'requires a grace period with the purge mode %s',
    (purgeMode) => {
      const failover = { application: { ...application, purgeMode } };
      expect(messages({ propagateDeps: true, failover })).toEqual([
        'spec.failover.application.gracePeriodSeconds: Invalid value: null: should not be empty when purgeMode is gracefully',
      ]);
    },
  );

  test.each(['Directly', 'Immediately', 'Never', undefined] as const)(
    'refuses a grace period with the purge mode %s',
    (purgeMode) => {
      const failover = { application: { ...application, purgeMode, gracePeriodSeconds: 0 } };
      expect(messages({ propagateDeps: true, failover })).toEqual([
        'spec.failover.application.gracePeriodSeconds: Invalid value: 0: only takes effect when purgeMode is gracefully',
        'spec.failover.application.gracePeriodSeconds: Invalid value: 0: must be greater than 0',
      ]);
    },
  );

  test('requires valid label names to preserve state', () => {
    const statePreservation = { rules: [{ aliasLabelName: 'a/', jsonPath: '{.x}' }] };
    const failover = { application: { ...application, statePreservation }, cluster: { statePreservation } };
    const fields = propagationSpecErrors({ propagateDeps: true, failover }, '', admission).map(
      ({ field }) => field,
    );
    expect([...new Set(fields)]).toEqual([
      'spec.failover.application.statePreservation.rules[0].aliasLabelName',
      'spec.failover.cluster.statePreservation.rules[0].aliasLabelName',
    ]);
  });
});

describe('resource selectors', () => {
  test('of a namespaced policy require its namespace', () => {
    const resourceSelectors = [
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' },
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'bank' },
      { apiVersion: 'apps/v1', kind: 'Deployment' },
    ];
    expect(messages({ resourceSelectors }, 'shop')).toEqual([
      'spec.resourceSelectors[1].namespace: Invalid value: "bank": namespace of resource selector must be the same as the namespace of the policy',
      'spec.resourceSelectors[2].namespace: Invalid value: "": namespace of resource selector must be the same as the namespace of the policy',
    ]);
    expect(messages({ resourceSelectors })).toEqual([]);
  });

  test('of a preempting policy require a name', () => {
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    expect(messages({ resourceSelectors, preemption: 'Never' })).toEqual([]);
    expect(messages({ resourceSelectors, preemption: 'Always' })).toEqual([
      'spec.resourceSelectors[0].name: Invalid value: "": name cannot be empty if preemption is Always, the empty name may cause unexpected resources preemption',
    ]);
  });
});

test('a policy suspends dispatching for all clusters or for some clusters, not both', () => {
  const dispatchingOnClusters = { clusterNames: ['m1'] };
  expect(messages({ suspension: { dispatching: false, dispatchingOnClusters } })).toEqual([]);
  expect(messages({ suspension: { dispatching: true, dispatchingOnClusters } })).toEqual([
    'spec.suspension.suspension: Invalid value: {"dispatching":true,"dispatchingOnClusters":{"clusterNames":["m1"]}}: ' +
      'suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames',
  ]);
});

describe('the validation of a policy by version', () => {
  const of = (version: string, spec: PropagationSpec, namespace = '') =>
    propagationSpecErrors(spec, namespace, admissionOf(dialectOf(version).dialect.rules)).map(
      ({ message }) => message,
    );

  test('prints structures in Go syntax up to v1.15, with the fields of the version', () => {
    const placement: Placement = {
      clusterAffinity: { exclude: ['m1'] },
      clusterAffinities: [{ affinityName: 'g', clusterNames: [] }],
      clusterTolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 5 }],
    };
    const inGo =
      'spec.placement: Invalid value: v1alpha1.Placement{ClusterAffinity:(*v1alpha1.ClusterAffinity)(0xc000000000), ' +
      'ClusterAffinities:[]v1alpha1.ClusterAffinityTerm{v1alpha1.ClusterAffinityTerm{AffinityName:"g", ' +
      'ClusterAffinity:v1alpha1.ClusterAffinity{LabelSelector:(*v1.LabelSelector)(nil), ' +
      'FieldSelector:(*v1alpha1.FieldSelector)(nil), ClusterNames:[]string{}, ExcludeClusters:[]string(nil)}}}, ' +
      'ClusterTolerations:[]v1.Toleration{v1.Toleration{Key:"k", Operator:"Exists", Value:"", Effect:"", ' +
      'TolerationSeconds:(*int64)(0xc000000000)}}, SpreadConstraints:[]v1alpha1.SpreadConstraint(nil), ' +
      'ReplicaScheduling:(*v1alpha1.ReplicaSchedulingStrategy)(nil)}';
    expect(of('v1.10.11', { placement })).toEqual([
      `${inGo}: clusterAffinities can not co-exist with clusterAffinity`,
    ]);
    expect(of('v1.15.9', { placement })).toEqual([
      `${inGo}: clusterAffinities cannot co-exist with clusterAffinity`,
    ]);
    expect(of('v1.16.0', { placement })).toEqual([
      expect.stringContaining('Invalid value: {"clusterAffinity":'),
    ]);
  });

  test('prints the target of a pointer, and a nil pointer as "null"', () => {
    const fieldSelector = { matchExpressions: [{ key: 'name', operator: 'In', values: ['a'] }] };
    expect(of('v1.15.9', { placement: { clusterAffinity: { fieldSelector } } })).toEqual([
      'spec.placement.clusterAffinity.fieldSelector: Invalid value: v1alpha1.FieldSelector{' +
        'MatchExpressions:[]v1.NodeSelectorRequirement{v1.NodeSelectorRequirement{Key:"name", Operator:"In", ' +
        'Values:[]string{"a"}}}}: unsupported key "name", must be provider, region, or zone',
    ]);
    const failover = { application: { purgeMode: 'Graciously' as const } };
    expect(of('v1.14.0', { propagateDeps: true, failover })).toEqual([
      'spec.failover.application.gracePeriodSeconds: Invalid value: "null": should not be empty when purgeMode is graciously',
    ]);
  });

  test.each([
    ['v1.16.8', 'a qualified name', 'characters'],
    ['v1.17.0', 'a valid label key', 'bytes'],
  ])('in %s, calls a label key %s', (version, what, unit) => {
    const clusterAffinities = [{ affinityName: 'a/b/c' }, { affinityName: `${'d'.repeat(254)}/x` }];
    expect(of(version, { placement: { clusterAffinities } })).toEqual([
      expect.stringContaining(`: ${what} must consist of`),
      expect.stringContaining(`: prefix part must be no more than 253 ${unit}`),
    ]);
  });

  test.each([
    ['v1.14.10', 'Gracefully', false],
    ['v1.15.0', 'Gracefully', true],
    ['v1.18.2', 'Graciously', true],
    ['v1.19', 'Graciously', false],
  ] as const)('in %s, accepts a grace period with %s: %s', (version, purgeMode, belongs) => {
    const failover = { application: { purgeMode, gracePeriodSeconds: 5 } };
    expect(of(version, { propagateDeps: true, failover })).toEqual(
      belongs ? [] : [expect.stringContaining('only takes effect when purgeMode is grac')],
    );
  });

  test.each([
    [
      'v1.14.10',
      'v1.15.0',
      {
        propagateDeps: true,
        failover: {
          application: { statePreservation: { rules: [{ aliasLabelName: 'bad key', jsonPath: '{.a}' }] } },
        },
      },
    ],
    ['v1.16.8', 'v1.17.0', { resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'other' }] }],
    ['v1.17.5', 'v1.18.0', { placement: { clusterTolerations: [{ key: 'k', operator: 'Gt' }] } }],
  ] as [string, string, PropagationSpec][])(
    'in %s, accepts a policy that %s refuses: %j',
    (before, since, spec) => {
      expect(of(before, spec, 'shop')).toEqual([]);
      expect(of(since, spec, 'shop')).toHaveLength(1);
    },
  );
});
