import { describe, expect, test } from '@jest/globals';
import { Sharing } from '../../../src/state/schema/sharing.ts';
import { validateObject } from '../../../src/state/world/validateObject.ts';
import { binding, object } from '../temporaryFiles.ts';

const problem = (value: unknown) => {
  const checked = validateObject(structuredClone(value));
  return 'problem' in checked ? checked.problem : undefined;
};
const cluster = (rest: object) =>
  object('Cluster', 'frankfurt', { metadata: { name: 'frankfurt' }, ...rest });

describe('an invalid object is refused', () => {
  test.each([
    [
      binding('web', { clusters: 'a' }),
      'ResourceBinding shop/web: spec.clusters: "a" is a string, expected a list',
    ],
    [
      binding('web', { clusters: [{ name: 'a' }, { name: 'b', replicas: '3' }] }),
      'ResourceBinding shop/web: spec.clusters[1].replicas: "3" is a string, expected an integer',
    ],
    [
      binding('web', { replicas: 1.5 }),
      'ResourceBinding shop/web: spec.replicas: 1.5 is a fraction, expected an integer',
    ],
    [
      binding('web', { replicas: Infinity }),
      'ResourceBinding shop/web: spec.replicas: is not a finite number, expected an integer',
    ],
    [
      binding('web', { replicas: 2 ** 40 }),
      'ResourceBinding shop/web: spec.replicas: 1099511627776 is a number, expected an integer of 32 bits',
    ],
    [
      binding('web', { clusters: [null] }),
      'ResourceBinding shop/web: spec.clusters[0]: is null, expected an object',
    ],
    [
      binding('web', { clusters: [{ replicas: 1 }] }),
      'ResourceBinding shop/web: spec.clusters[0].name: is missing',
    ],
    [binding('web', { resource: undefined }), 'ResourceBinding shop/web: spec.resource: is missing'],
    [object('ResourceBinding', 'web'), 'ResourceBinding shop/web: spec: is missing'],
    [
      binding('web', { placement: { clusterTolerations: [{ tolerationSeconds: 'forever' }] } }),
      'ResourceBinding shop/web: spec.placement.clusterTolerations[0].tolerationSeconds: "forever" is a string, expected an integer',
    ],
    [
      binding('web', {
        gracefulEvictionTasks: [{ fromCluster: 'a', reason: 'x', producer: 'y', purgeMode: 'Soon' }],
      }),
      'ResourceBinding shop/web: spec.gracefulEvictionTasks[0].purgeMode: "Soon" is not one of Immediately, Directly, Graciously, Gracefully, Never',
    ],
    [
      binding('web', { rescheduleTriggeredAt: '2026-02-30T00:00:00Z' }),
      'ResourceBinding shop/web: spec.rescheduleTriggeredAt: "2026-02-30T00:00:00Z" is not a time such as "2026-03-14T09:26:53Z"',
    ],
    [
      binding('web', { replicaRequirements: { resourceRequest: { cpu: '2 cores' } } }),
      'ResourceBinding shop/web: spec.replicaRequirements.resourceRequest.cpu: "2 cores" is not a quantity such as "500m" or "2Gi"',
    ],
    [
      cluster({ spec: { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: 12 }] } }),
      'Cluster frankfurt: spec.taints[0].timeAdded: 12 is a number, expected a time such as "2026-03-14T09:26:53Z"',
    ],
    [
      cluster({ spec: { syncMode: 'Both' } }),
      'Cluster frankfurt: spec.syncMode: "Both" is not one of Push, Pull',
    ],
    [
      cluster({ status: { conditions: [{ type: 'Ready', status: true }] } }),
      'Cluster frankfurt: status.conditions[0].status: true is a boolean, expected a string',
    ],
    [
      object('Work', 'w', { spec: { workload: { manifests: [{ kind: 'Deployment' }] } } }),
      'Work shop/w: spec.workload.manifests[0].apiVersion: is missing',
    ],
    [
      object('ClusterTaintPolicy', 'p', { spec: { taints: [{ key: 'a' }] } }),
      'ClusterTaintPolicy shop/p: spec.taints[0].effect: is missing',
    ],
    [
      object('ConfigMap', 'c', { metadata: { name: 'c', labels: { 'a.b/c': 1 } } }),
      'ConfigMap c: metadata.labels["a.b/c"]: 1 is a number, expected a string',
    ],
    [
      object('Lease', 'm', { apiVersion: 'coordination.k8s.io/v1', spec: { renewTime: 5 } }),
      'Lease shop/m: spec.renewTime: 5 is a number, expected a time such as "2026-03-14T09:26:53Z"',
    ],
    [
      object('PriorityClass', 'gold', { apiVersion: 'scheduling.k8s.io/v1', value: 'high' }),
      'PriorityClass shop/gold: value: "high" is a string, expected an integer',
    ],
    [
      object('WorkloadRebalancer', 'r', { apiVersion: 'apps.karmada.io/v1alpha1', spec: { workloads: 5 } }),
      'WorkloadRebalancer shop/r: spec.workloads: 5 is a number, expected a list',
    ],
    [
      object('ResourceInterpreterCustomization', 'i', {
        apiVersion: 'config.karmada.io/v1alpha1',
        spec: { customizations: { healthInterpretation: { luaScript: 5 } } },
      }),
      'ResourceInterpreterCustomization shop/i: spec.customizations.healthInterpretation.luaScript: 5 is a number, expected a string',
    ],
    [
      object('ResourceInterpreterWebhookConfiguration', 'i', {
        apiVersion: 'config.karmada.io/v1alpha1',
        webhooks: [{ rules: [{ kinds: 'Foo' }] }],
      }),
      'ResourceInterpreterWebhookConfiguration shop/i: webhooks[0].rules[0].kinds: "Foo" is a string, expected a list',
    ],
  ])('for a field of the wrong type, %#: %j', (value, expected) => {
    expect(problem(value)).toBe(expected);
  });

  test('for an unsupported API version', () => {
    expect(problem({ ...binding('web'), apiVersion: 'work.karmada.io/v1alpha1' })).toBe(
      'ResourceBinding shop/web: work.karmada.io/v1alpha1 is not read; print it as v1alpha2: kubectl get resourcebindings.v1alpha2.work.karmada.io -A -o json',
    );
  });
});

describe('a valid object may have', () => {
  test('unknown fields of any type', () => {
    expect(problem(binding('web', { brandNew: { replicas: '3' } }))).toBeUndefined();
  });

  test('a Lease time in microseconds, and the kind name of another API group', () => {
    const spec = { renewTime: '2026-03-14T09:26:53.589793Z' };
    expect(problem(object('Lease', 'm', { apiVersion: 'coordination.k8s.io/v1', spec }))).toBeUndefined();
    expect(problem(object('Lease', 'm', { apiVersion: 'cars.example/v1', spec: 5 }))).toBeUndefined();
  });

  test('missing fields that are irrelevant', () => {
    expect(problem(cluster({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }))).toBeUndefined();
    expect(problem(cluster({}))).toBeUndefined();
  });

  test('null fields, which become absent, and an unset time, which remains null', () => {
    const checked = validateObject(
      binding('web', { clusters: null, replicas: null, rescheduleTriggeredAt: null }),
    );
    const resource = (binding('web').spec as { resource: object }).resource;
    expect(checked).toHaveProperty('object.spec', { resource, rescheduleTriggeredAt: null });
  });
});

describe('shared parts of objects', () => {
  test('are one object for equal placements only', () => {
    const sharing = new Sharing();
    const placementOf = (clusterNames: string[]) => {
      const checked = validateObject(
        binding('web', { placement: { clusterAffinity: { clusterNames } } }),
        sharing,
      );
      return (checked as unknown as { object: { spec: { placement: object } } }).object.spec.placement;
    };
    expect(placementOf(['a', 'b'])).toBe(placementOf(['a', 'b']));
    expect(placementOf(['a', 'b'])).not.toBe(placementOf(['b', 'a']));
  });

  test('are refused each time if they are invalid', () => {
    const sharing = new Sharing();
    const wrong = () => validateObject(binding('web', { placement: { clusterTolerations: 1 } }), sharing);
    expect(wrong()).toEqual(wrong());
    expect(wrong()).toHaveProperty('problem');
  });
});

test('an error does not reveal a secret at the end of a truncated value', () => {
  const clusters = `https://anna:hunter2${'3'.repeat(200)}@wiki`;
  expect(problem(binding('web', { clusters }))).toBe(
    'ResourceBinding shop/web: spec.clusters: "https://***@wiki" is a string, expected a list',
  );
});

test.each([
  ['name', '..', '".." is not a valid name'],
  ['name', '.', '"." is not a valid name'],
  ['name', 'a/b', '"a/b" contains /, which names must not'],
  ['name', 'a%2Fb', '"a%2Fb" contains %, which names must not'],
  ['namespace', 'a/b', '"a/b" contains /, which names must not'],
])('a %s with invalid path characters, %s, is refused as by the API server', (field, name, why) => {
  const metadata = { name: 'web', namespace: 'shop', [field]: name };
  const verdict = validateObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  expect(verdict).toEqual({
    path: `.metadata.${field}`,
    problem: `ConfigMap ${metadata.namespace}/${metadata.name}: metadata.${field}: ${why}`,
  });
});
