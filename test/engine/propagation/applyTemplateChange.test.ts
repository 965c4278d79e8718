import { v1_18 } from '../../dialects.ts';
import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { applyTemplateChange } from '../../../src/engine/propagation/applyTemplateChange.ts';
import type { PropagationChange } from '../../../src/engine/propagation/detector.ts';
import { changedByKarmada, specificationChanged } from '../../../src/engine/propagation/templateChange.ts';

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

const changed = (input: Omit<Parameters<typeof applyTemplateChange>[0], 'rules'>) =>
  applyTemplateChange({ ...input, rules: v1_18.rules });

const start = (spec: Partial<PropagationPolicy['spec']> = {}) => {
  const policies = [{ ...policy, spec: { ...policy.spec, ...spec } }];
  const created = changed({ policies, bindings: [], templates: [], change: { after: cart(2) } });
  return { policies, bindings: [bindingOf(created)!], templates: [templateOf(created)] };
};

test('a new resource falls to a policy, even to a lazy one', () => {
  for (const activationPreference of ['', 'Lazy']) {
    const { bindings, templates } = start({ activationPreference });
    expect(bindings[0]?.spec.replicas).toBe(2);
    expect(templates[0]?.metadata.annotations).toMatchObject({ 'propagationpolicy.karmada.io/name': 'p' });
  }
});

test('a new resource that no policy selects waits for one', () => {
  const change = { after: cart(2) };
  expect(changed({ policies: [], bindings: [], templates: [], change })).toMatchObject([
    { type: 'held', reason: 'NoPolicy', template: { kind: 'Deployment', namespace: 'shop', name: 'cart' } },
  ]);
});

test('scaling a resource scales its binding', () => {
  const state = start();
  const [before] = state.templates;
  const after = { ...before!, spec: { replicas: 5 } };
  const changes = changed({ ...state, change: { before, after } });
  expect(changes).toHaveLength(1);
  expect(bindingOf(changes)).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
});

test("a user's change brings a lazy policy's changes along", () => {
  const state = start({ activationPreference: 'Lazy' });
  const policies = state.policies.map((lazy) => ({
    ...lazy,
    spec: { ...lazy.spec, failover: { cluster: {} } },
  }));
  const [before] = state.templates;
  const after = { ...before!, spec: { replicas: 5 } };
  const spec = bindingOf(changed({ ...state, policies, change: { before, after } }))?.spec;
  expect(spec).toMatchObject({ replicas: 5, failover: { cluster: {} } });
});

test('a change of the status alone is none', () => {
  const state = start();
  const [before] = state.templates;
  const after = {
    ...before!,
    status: { replicas: 1 },
    metadata: { ...before!.metadata, resourceVersion: '9' },
  };
  expect(changed({ ...state, change: { before, after } })).toEqual([]);
});

test('a deleted resource takes its binding along', () => {
  const state = start();
  const [before] = state.templates;
  const changes = changed({ ...state, change: { before } });
  expect(changes).toMatchObject([{ type: 'binding', before: { metadata: { name: 'cart-deployment' } } }]);
  expect(changes[0]).not.toHaveProperty('after');
});

test('a resource of the same name with another uid waits until the old binding is gone', () => {
  const state = start();
  const after = { ...state.templates[0]!, metadata: { ...state.templates[0]!.metadata, uid: '2' } };
  expect(changed({ ...state, templates: [], change: { after } })).toMatchObject([
    { type: 'held', reason: 'OwnerReplaced' },
  ]);
});

test('a policy that is gone lets go of the resource', () => {
  const state = start();
  const [before] = state.templates;
  const after = { ...before!, spec: { replicas: 9 } };
  const changes = changed({ ...state, policies: [], change: { before, after } });
  expect(templateOf(changes).metadata.labels).toEqual({});
  expect(bindingOf(changes)?.spec.replicas).toBe(2);
});

test('a cluster-scoped resource has a ClusterResourceBinding', () => {
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
  const input = { policies: [all], templates: [], bindings: [] as ResourceBinding[] };
  const binding = bindingOf(changed({ ...input, change: { after: role } }));
  expect(binding).toMatchObject({
    kind: 'ClusterResourceBinding',
    metadata: {
      name: 'system.view-clusterrole',
      finalizers: ['karmada.io/cluster-resource-binding-controller'],
    },
    spec: { propagateDeps: true, placement: {} },
  });
});

test('workloads are grouped by the labels that the policy names, with the gate WorkloadAffinity', () => {
  const workloadAffinity = {
    affinity: { groupByLabelKey: 'app' },
    antiAffinity: { groupByLabelKey: 'tier' },
  };
  const policies = [{ ...policy, spec: { ...policy.spec, placement: { workloadAffinity } } }];
  const change = { after: cart(1, { labels: { app: 'cart' } }) };
  const spec = (WorkloadAffinity: boolean) =>
    bindingOf(
      changed({
        policies,
        bindings: [],
        templates: [],
        change,
        featureGates: { WorkloadAffinity },
      }),
    )?.spec;
  expect(spec(true)?.workloadAffinityGroups).toEqual({ affinityGroup: 'app=cart' });
  expect(spec(false)).not.toHaveProperty('workloadAffinityGroups');
});

describe('of a change', () => {
  const labelled = (labels: object, generation = 1) => cart(1, { labels, generation });

  test.each([
    [labelled({ 'propagationpolicy.karmada.io/permanent-id': 'x' }, 2), true],
    [labelled({ app: 'cart' }), false],
    [labelled({ 'namespace.karmada.io/skip-auto-propagation': 'true' }), false],
    [cart(2), false],
  ])('%j is by Karmada: %p', (after, byKarmada) => {
    expect(specificationChanged(cart(1), after)).toBe(true);
    expect(changedByKarmada(cart(1), after)).toBe(byKarmada);
  });
});

test('a binding that says the same in other words stays as it is', () => {
  const state = start();
  const resources = (cpu: string) => ({ spec: { containers: [{ resources: { requests: { cpu } } }] } });
  const [before] = state.templates;
  const sized = { ...before!, spec: { replicas: 2, template: resources('500m') } };
  const [binding] = [bindingOf(changed({ ...state, change: { before, after: sized } }))!];
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
  expect(changed({ ...state, bindings, change: { before: sized, after: touched } })).toEqual([]);
});
