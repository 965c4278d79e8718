import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { defaultObject } from '../../../src/karmada/defaults/defaultObject.ts';
import { v1_18 } from '../../dialects.ts';

interface Policy {
  metadata: object;
  spec: Record<string, unknown>;
}

const defaulted = (kind: string, operation: 'CREATE' | 'UPDATE', object: object, { rules } = v1_18) => {
  const result = defaultObject({ kind, operation, namespace: 'shop', object, permanentId: 'uuid', rules });
  if (!result.allowed) throw new Error(result.message);
  return result.object as Policy;
};
const policySpec = (spec: object) =>
  defaulted('PropagationPolicy', 'UPDATE', { metadata: { name: 'p' }, spec }).spec;

test('a PropagationPolicy selects resources in its own namespace by default', () => {
  const resourceSelectors = [
    { apiVersion: 'v1', kind: 'Secret' },
    { apiVersion: 'v1', kind: 'Secret', namespace: 'bank' },
  ];
  expect(policySpec({ resourceSelectors }).resourceSelectors).toEqual([
    { apiVersion: 'v1', kind: 'Secret', namespace: 'shop' },
    { apiVersion: 'v1', kind: 'Secret', namespace: 'bank' },
  ]);
  const object = { metadata: { name: 'p' }, spec: { resourceSelectors } };
  expect(defaulted('ClusterPropagationPolicy', 'UPDATE', object).spec.resourceSelectors).toEqual(
    resourceSelectors,
  );
});

test('a spread constraint defaults to at least one group by cluster, without maxGroups', () => {
  const spreadConstraints = [{}, { spreadByLabel: 'rack' }, { spreadByField: 'region', minGroups: -1 }];
  expect(policySpec({ placement: { spreadConstraints } }).placement).toEqual({
    spreadConstraints: [
      { spreadByField: 'cluster', minGroups: 1 },
      { spreadByLabel: 'rack', minGroups: 1 },
      { spreadByField: 'region', minGroups: -1 },
    ],
  });
});

test('propagateDeps is true by default for a policy that selects a ServiceImport', () => {
  const selecting = (apiVersion: string) =>
    policySpec({ resourceSelectors: [{ apiVersion, kind: 'ServiceImport' }] }).propagateDeps;
  expect(selecting('multicluster.x-k8s.io/v1alpha1')).toBe(true);
  expect(selecting('v1')).toBeUndefined();
});

test('divided replicas are weighted by default', () => {
  const division = (replicaScheduling: object) => policySpec({ placement: { replicaScheduling } }).placement;
  expect(division({ replicaSchedulingType: 'Divided' })).toEqual({
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
  });
  expect(division({ replicaSchedulingType: 'Duplicated' })).toEqual({
    replicaScheduling: { replicaSchedulingType: 'Duplicated' },
  });
});

describe('the default grace period of application failover', () => {
  const gracePeriod = (application: object) =>
    (policySpec({ failover: { application } }).failover as { application: object }).application;
  const decisionConditions = { tolerationSeconds: 30 };

  test.each(['Gracefully', 'Graciously'])('is ten minutes with the purge mode %s', (purgeMode) => {
    expect(gracePeriod({ decisionConditions, purgeMode })).toMatchObject({ gracePeriodSeconds: 600 });
  });

  test('is absent in other modes and never replaces a configured value', () => {
    expect(gracePeriod({ decisionConditions, purgeMode: 'Directly' })).not.toHaveProperty(
      'gracePeriodSeconds',
    );
    expect(gracePeriod({ decisionConditions, purgeMode: 'Gracefully', gracePeriodSeconds: 5 })).toMatchObject(
      {
        gracePeriodSeconds: 5,
      },
    );
  });
});

test.each([
  [
    'PropagationPolicy',
    'propagationpolicy.karmada.io/permanent-id',
    'karmada.io/propagation-policy-controller',
  ],
  [
    'ClusterPropagationPolicy',
    'clusterpropagationpolicy.karmada.io/permanent-id',
    'karmada.io/cluster-propagation-policy-controller',
  ],
])('a new %s gets a permanent id and a finalizer', (kind, label, finalizer) => {
  const metadata = { name: 'p', labels: { app: 'cart', [label]: 'mine' }, finalizers: ['other'] };
  expect(defaulted(kind, 'CREATE', { metadata, spec: {} }).metadata).toEqual({
    name: 'p',
    labels: { app: 'cart', [label]: 'uuid' },
    finalizers: ['other', finalizer],
  });
  expect(defaulted(kind, 'UPDATE', { metadata, spec: {} }).metadata).toEqual(metadata);
});

test.each([
  ['ResourceBinding', 'resourcebinding.karmada.io/permanent-id'],
  ['ClusterResourceBinding', 'clusterresourcebinding.karmada.io/permanent-id'],
])('a %s without a permanent id gets one', (kind, label) => {
  const labels = (before: object) =>
    (
      defaulted(kind, 'CREATE', { metadata: { name: 'b', labels: before }, spec: {} })
        .metadata as Policy['spec']
    ).labels;
  expect(labels({ [label]: '' })).toEqual({ [label]: 'uuid' });
  expect(labels({ [label]: 'own' })).toEqual({ [label]: 'own' });
});

test('the webhook drops unknown fields and writes mandatory fields', () => {
  const object = {
    metadata: { name: 'p' },
    spec: { association: false, color: 'red', placement: { clusterAffinities: [] } },
  };
  expect(defaulted('PropagationPolicy', 'UPDATE', object)).toEqual({
    metadata: { name: 'p' },
    spec: { resourceSelectors: null, placement: {} },
  });
});

test('the webhook refuses unreadable values', () => {
  const object = { metadata: { name: 'p', creationTimestamp: 5 }, spec: {} };
  const { rules } = v1_18;
  const request = {
    kind: 'PropagationPolicy',
    operation: 'CREATE' as const,
    object,
    permanentId: 'uuid',
    rules,
  };
  expect(defaultObject(request)).toMatchObject({
    allowed: false,
    code: 400,
    message:
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  });
});

describe('webhook defaults by version', () => {
  const ofVersion = (version: string, name = 'p') =>
    defaulted('PropagationPolicy', 'CREATE', { metadata: { name }, spec: {} }, dialectOf(version).dialect);

  test.each([
    ['v1.10.11', [300, 300], undefined],
    ['v1.14.10', [300, 300], ['karmada.io/propagation-policy-controller']],
    ['v1.15.0', undefined, ['karmada.io/propagation-policy-controller']],
  ])('%s adds tolerations of %j seconds and the finalizers %j', (version, seconds, finalizers) => {
    const { metadata, spec } = ofVersion(version) as {
      metadata: { finalizers?: string[] };
      spec: { placement?: { clusterTolerations?: { tolerationSeconds: number }[] } };
    };
    expect(spec.placement?.clusterTolerations?.map((one) => one.tolerationSeconds)).toEqual(seconds);
    expect(metadata.finalizers).toEqual(finalizers);
  });

  test('v1.10 refuses a policy name longer than 63 bytes', () => {
    expect(() => ofVersion('v1.10.11', 'x'.repeat(64))).toThrow(
      "PropagationPolicy's name should be no more than 63 characters",
    );
    expect(ofVersion('v1.10.11', 'x'.repeat(63)).metadata).toMatchObject({ name: 'x'.repeat(63) });
    expect(ofVersion('v1.11.0', 'x'.repeat(64)).metadata).toMatchObject({ name: 'x'.repeat(64) });
  });
});
