import { v1_18 } from '../../dialects.ts';
import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import { referenceTo } from '../../../src/karmada/objects/identities.ts';
import { reconcile } from '../../../src/karmada/propagation/followTemplate.ts';
import {
  createPropagation,
  type DetectorGates,
  type PropagationChange,
} from '../../../src/karmada/propagation/propagation.ts';
import { seen, type Seen } from './seen.ts';
import { changedByKarmada, specificationChanged } from '../../../src/karmada/propagation/detector.ts';

const policy: PropagationPolicy = {
  kind: 'PropagationPolicy',
  metadata: { name: 'p', namespace: 'shop', labels: { 'propagationpolicy.karmada.io/permanent-id': 'id' } },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' }] },
};
const cart = (replicas: number, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace: 'shop', uid: '1', ...metadata },
  spec: { replicas },
});

const templateOf = (changes: PropagationChange[]) =>
  changes.flatMap((change) => (change.type === 'template' ? [change.after] : [])).at(-1)!;
const bindingOf = (changes: PropagationChange[]) =>
  changes.flatMap((change) => (change.type === 'binding' && change.after ? [change.after] : [])).at(-1);

/** The detector's action for a new or changed template. */
function reconciled(
  template: KubernetesObject,
  state: Partial<Seen>,
  featureGates: DetectorGates = {},
): PropagationChange[] {
  const view = seen({ policies: [], bindings: [], ...state, templates: [template] });
  const propagation = createPropagation({ view, featureGates, rules: v1_18.rules });
  reconcile(propagation, referenceTo(template), false);
  return propagation.changes;
}

const start = (spec: Partial<PropagationPolicy['spec']> = {}) => {
  const policies = [{ ...policy, spec: { ...policy.spec, ...spec } }];
  const created = reconciled(cart(2), { policies });
  return { policies, bindings: [bindingOf(created)!], template: templateOf(created) };
};

test('a policy, even a lazy one, claims a new resource', () => {
  for (const activationPreference of ['', 'Lazy']) {
    const { bindings, template } = start({ activationPreference });
    expect(bindings[0]?.spec.replicas).toBe(2);
    expect(template.metadata.annotations).toMatchObject({ 'propagationpolicy.karmada.io/name': 'p' });
  }
});

test('a new resource without a matching policy waits for a policy', () => {
  expect(reconciled(cart(2), {})).toMatchObject([
    { type: 'held', reason: 'NoPolicy', template: { kind: 'Deployment', namespace: 'shop', name: 'cart' } },
  ]);
});

test('a scaled resource updates the replicas of its binding', () => {
  const { template, ...state } = start();
  const changes = reconciled({ ...template, spec: { replicas: 5 } } as KubernetesObject, state);
  expect(changes).toHaveLength(1);
  expect(bindingOf(changes)).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
});

test("a user's change of a resource also applies the changes of a lazy policy", () => {
  const { template, ...state } = start({ activationPreference: 'Lazy' });
  const policies = state.policies.map((lazy) => ({
    ...lazy,
    spec: { ...lazy.spec, failover: { cluster: {} } },
  }));
  const scaled = { ...template, spec: { replicas: 5 } } as KubernetesObject;
  const spec = bindingOf(reconciled(scaled, { ...state, policies }))?.spec;
  expect(spec).toMatchObject({ replicas: 5, failover: { cluster: {} } });
});

test('a resource with another uid waits until the binding of the earlier resource is deleted', () => {
  const { template, ...state } = start();
  const other = { ...template, metadata: { ...template.metadata, uid: '2' } };
  expect(reconciled(other, state)).toMatchObject([{ type: 'held', reason: 'OwnerReplaced' }]);
});

test('a resource whose policy is deleted loses its policy labels, and its binding keeps its replicas', () => {
  const { template, bindings } = start();
  const changes = reconciled({ ...template, spec: { replicas: 9 } } as KubernetesObject, { bindings });
  expect(templateOf(changes).metadata.labels).toEqual({});
  expect(bindingOf(changes)?.spec.replicas).toBe(2);
});

test('a cluster-scoped resource gets a ClusterResourceBinding', () => {
  const role: KubernetesObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'system:view' },
  };
  const all: PropagationPolicy = {
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'all', labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id' } },
    spec: {
      resourceSelectors: [{ apiVersion: role.apiVersion, kind: role.kind }],
      propagateDeps: true,
      schedulerName: 's',
    },
  };
  const binding = bindingOf(reconciled(role, { policies: [all] }));
  expect(binding).toMatchObject({
    kind: 'ClusterResourceBinding',
    metadata: {
      name: 'system.view-clusterrole',
      finalizers: ['karmada.io/cluster-resource-binding-controller'],
    },
    spec: { propagateDeps: true, placement: {} },
  });
});

test('a workload gets the affinity groups of its policy with the gate WorkloadAffinity', () => {
  const workloadAffinity = {
    affinity: { groupByLabelKey: 'app' },
    antiAffinity: { groupByLabelKey: 'tier' },
  };
  const policies = [{ ...policy, spec: { ...policy.spec, placement: { workloadAffinity } } }];
  const grouped = cart(1, { labels: { app: 'cart' } });
  const spec = (WorkloadAffinity: boolean) =>
    bindingOf(reconciled(grouped, { policies }, { WorkloadAffinity }))?.spec;
  expect(spec(true)?.workloadAffinityGroups).toEqual({ affinityGroup: 'app=cart' });
  expect(spec(false)).not.toHaveProperty('workloadAffinityGroups');
});

describe('the detection of a change', () => {
  test('ignores a change of only the status', () => {
    const reported = { ...cart(1, { resourceVersion: '9' }), status: { replicas: 1 } };
    expect(specificationChanged(cart(1), reported)).toBe(false);
  });

  const labelled = (labels: object, generation = 1) => cart(1, { labels, generation });

  test.each([
    [labelled({ 'propagationpolicy.karmada.io/permanent-id': 'x' }, 2), true],
    [labelled({ app: 'cart' }), false],
    [labelled({ 'namespace.karmada.io/skip-auto-propagation': 'true' }), false],
    [cart(2), false],
  ])('attributes the change to %j to Karmada: %p', (after, byKarmada) => {
    expect(specificationChanged(cart(1), after)).toBe(true);
    expect(changedByKarmada(cart(1), after)).toBe(byKarmada);
  });
});

test('a binding that differs only in notation is not written', () => {
  const { template, ...state } = start();
  const resources = (cpu: string) => ({ spec: { containers: [{ resources: { requests: { cpu } } }] } });
  const sized = { ...template, spec: { replicas: 2, template: resources('500m') } } as KubernetesObject;
  const binding = bindingOf(reconciled(sized, state))!;
  const bindings = [
    {
      ...binding,
      spec: { ...binding.spec, replicaRequirements: { resourceRequest: { cpu: '0.5' } }, clusters: [] },
    },
  ];
  const touched = {
    ...sized,
    metadata: { ...sized.metadata, labels: { ...sized.metadata.labels, app: 'x' } },
  };
  expect(reconciled(touched, { ...state, bindings })).toEqual([]);
});
