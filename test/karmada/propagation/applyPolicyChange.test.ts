import { v1_18 } from '../../dialects.ts';
import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy, PropagationSpec } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { applyPolicyChange, type PolicyChange } from '../../../src/karmada/propagation/applyPolicyChange.ts';
import { seen, type Seen } from './seen.ts';
import type { DetectorGates, PropagationChange } from '../../../src/karmada/propagation/propagation.ts';

type Template = KubernetesObject & { spec?: object };

const deployment = (name: string, labels: Record<string, string> = {}, namespace = 'shop'): Template => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, uid: `uid-${name}`, labels },
  spec: { replicas: 3 },
});

const selector = (name?: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  ...(name && { name }),
});

const policy = (name: string, spec: Partial<PropagationSpec> = {}): PropagationPolicy => ({
  kind: 'PropagationPolicy',
  metadata: {
    name,
    namespace: 'shop',
    labels: { 'propagationpolicy.karmada.io/permanent-id': `id-${name}` },
  },
  spec: { resourceSelectors: [selector()], schedulerName: 'default-scheduler', ...spec },
});

const clusterPolicy = (name: string, spec: Partial<PropagationSpec> = {}): PropagationPolicy => ({
  kind: 'ClusterPropagationPolicy',
  metadata: { name, labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': `id-${name}` } },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], ...spec },
});

/** The state after the changes, and the changes. */
function after(state: Seen, change: PolicyChange, featureGates: DetectorGates = {}) {
  const policies = [
    ...state.policies.filter(
      ({ metadata }) => metadata.name !== (change.after ?? change.before)!.metadata.name,
    ),
    ...(change.after ? [change.after] : []),
  ];
  const view = seen({ ...state, policies });
  const changes = applyPolicyChange({ view, change, featureGates, rules: v1_18.rules });
  const same = (a: KubernetesObject | ResourceBinding, b: KubernetesObject | ResourceBinding) =>
    a.kind === b.kind && a.metadata.name === b.metadata.name;
  const next: Seen = {
    policies,
    bindings: [...state.bindings],
    templates: [...state.templates],
  };
  for (const one of changes) {
    if (one.type === 'template')
      next.templates = [...next.templates.filter((old) => !same(old, one.after)), one.after];
    if (one.type === 'binding')
      next.bindings = [
        ...next.bindings.filter((old) => !same(old, (one.after ?? one.before)!)),
        ...(one.after ? [one.after] : []),
      ];
  }
  return { ...next, changes };
}

const empty: Seen = { policies: [], bindings: [], templates: [] };
const under =
  (...steps: PropagationPolicy[]) =>
  (templates: KubernetesObject[], gates?: DetectorGates) =>
    steps.reduce<Seen>((state, step) => after(state, { after: step }, gates), { ...empty, templates });

const owner = (state: Seen, name: string) => {
  const annotations = state.templates.find(({ metadata }) => metadata.name === name)?.metadata.annotations;
  return (
    annotations?.['propagationpolicy.karmada.io/name'] ??
    annotations?.['clusterpropagationpolicy.karmada.io/name']
  );
};
const bindingOf = (state: Seen, name: string) =>
  state.bindings.find(({ metadata }) => metadata.name === `${name}-deployment`);
const rules = (changes: PropagationChange[]) =>
  changes.flatMap(({ evidence }) => evidence.map(({ rule }) => rule));

describe('a new policy', () => {
  test('claims the resources that it selects', () => {
    const state = under(policy('gold', { resourceSelectors: [selector('cart')] }))([
      deployment('cart'),
      deployment('pay'),
    ]);
    expect(owner(state, 'cart')).toBe('gold');
    expect(owner(state, 'pay')).toBeUndefined();
  });

  test('creates a binding for each of its resources', () => {
    const placement = { clusterAffinity: { clusterNames: ['berlin'] } };
    const state = under(policy('gold', { placement, conflictResolution: 'Overwrite' }))([deployment('cart')]);
    expect(bindingOf(state, 'cart')).toEqual({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'cart-deployment',
        namespace: 'shop',
        generation: 1,
        labels: {
          'propagationpolicy.karmada.io/permanent-id': 'id-gold',
          'resourcebinding.karmada.io/permanent-id': 'simulated-shop.cart-deployment',
        },
        annotations: {
          'propagationpolicy.karmada.io/namespace': 'shop',
          'propagationpolicy.karmada.io/name': 'gold',
        },
        finalizers: ['karmada.io/binding-controller'],
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'cart',
            uid: 'uid-cart',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        resource: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'cart',
          uid: 'uid-cart',
        },
        replicas: 3,
        placement,
        schedulerName: 'default-scheduler',
        conflictResolution: 'Overwrite',
      },
    });
  });

  test('does not claim resources of other policies, whatever its priority', () => {
    const state = under(policy('old'), policy('new', { priority: 9 }))([deployment('cart')]);
    expect(owner(state, 'cart')).toBe('old');
  });

  test('does not claim resources in system namespaces', () => {
    for (const namespace of ['karmada-system', 'karmada-es-member1', 'kube-system'])
      expect(under(clusterPolicy('all'))([deployment('cart', {}, namespace)]).bindings).toEqual([]);
  });

  test('claims resources only after its override policies exist', () => {
    const waiting = policy('gold', { dependentOverrides: ['eu'] });
    const { changes } = after({ ...empty, templates: [deployment('cart')] }, { after: waiting });
    expect(changes).toMatchObject([{ type: 'held', reason: 'OverridesMissing' }]);
    const override: KubernetesObject = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'OverridePolicy',
      metadata: { name: 'eu', namespace: 'shop' },
    };
    expect(owner(under(waiting)([deployment('cart'), override]), 'cart')).toBe('gold');
  });

  test('creates bindings only after its priority class exists, with the gate PriorityBasedScheduling', () => {
    const schedulePriority = { priorityClassSource: 'KubePriorityClass', priorityClassName: 'high' };
    const gates = { PriorityBasedScheduling: true };
    const high = policy('gold', { schedulePriority });
    const { changes } = after({ ...empty, templates: [deployment('cart')] }, { after: high }, gates);
    expect(changes.at(-1)).toMatchObject({ type: 'held', reason: 'PriorityClassMissing' });
    const priorityClass = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
    };
    const state = under(high);
    expect(
      bindingOf(state([deployment('cart'), priorityClass], gates), 'cart')?.spec.schedulePriority,
    ).toEqual({
      priority: 1000,
    });
    expect(bindingOf(state([deployment('cart')]), 'cart')?.spec.schedulePriority).toBeUndefined();
  });
});

describe('a changed policy', () => {
  const scheduled = (state: Seen): Seen => ({
    ...state,
    bindings: state.bindings.map((binding) => ({
      ...binding,
      spec: {
        ...binding.spec,
        clusters: [{ name: 'berlin', replicas: 3 }],
        gracefulEvictionTasks: [
          { fromCluster: 'paris', reason: 'TaintUntolerated', producer: 'TaintManager' },
        ],
        suspension: { scheduling: true },
      },
      status: { schedulerObservedGeneration: 1 },
    })),
  });

  test('updates its bindings but keeps their clusters, eviction tasks and scheduling suspension', () => {
    const before = policy('gold');
    const state = scheduled(under(before)([deployment('cart')]));
    const changed = policy('gold', {
      failover: { cluster: { purgeMode: 'Directly' } },
      placement: { clusterTolerations: [{ key: 'drain', operator: 'Exists' }] },
      suspension: { dispatching: true },
      propagateDeps: true,
      preserveResourcesOnDeletion: true,
    });
    const binding = bindingOf(after(state, { before, after: changed }), 'cart')!;
    expect(binding.metadata.generation).toBe(2);
    expect(binding.spec).toMatchObject({
      failover: { cluster: { purgeMode: 'Directly' } },
      placement: { clusterTolerations: [{ key: 'drain', operator: 'Exists' }] },
      suspension: { dispatching: true, scheduling: true },
      propagateDeps: true,
      preserveResourcesOnDeletion: true,
      clusters: [{ name: 'berlin', replicas: 3 }],
      gracefulEvictionTasks: [{ fromCluster: 'paris' }],
    });
    expect(binding.status).toEqual({ schedulerObservedGeneration: 1 });
  });

  test('removes the fields that it no longer sets from its bindings', () => {
    const before = policy('gold', {
      failover: { cluster: {} },
      suspension: { dispatching: true },
      propagateDeps: true,
    });
    const state = scheduled(under(before)([deployment('cart')]));
    const spec = bindingOf(after(state, { before, after: policy('gold') }), 'cart')!.spec;
    expect(spec).not.toHaveProperty('failover');
    expect(spec).not.toHaveProperty('propagateDeps');
    expect(spec.suspension).toEqual({ scheduling: true });
  });

  test('changes nothing if its content is unchanged', () => {
    const before = policy('gold');
    const state = scheduled(under(before)([deployment('cart')]));
    const untouched = after(state, { before, after: policy('gold', { suspension: undefined }) });
    expect(untouched.changes.filter(({ type }) => type === 'template')).toEqual([]);
    expect(after(under(before)([deployment('cart')]), { before, after: policy('gold') }).changes).toEqual([]);
  });

  test('releases the resources that it no longer selects to the next policy', () => {
    const before = policy('gold');
    const state = under(before, clusterPolicy('all'))([deployment('cart'), deployment('pay')]);
    const next = after(state, { before, after: policy('gold', { resourceSelectors: [selector('pay')] }) });
    expect(owner(next, 'cart')).toBe('all');
    expect(bindingOf(next, 'cart')?.metadata.labels).not.toHaveProperty([
      'propagationpolicy.karmada.io/permanent-id',
    ]);
    expect(owner(next, 'pay')).toBe('gold');
  });
});

describe('a lazy policy', () => {
  const lazy = policy('gold', { activationPreference: 'Lazy' });

  test('claims resources without creating bindings', () => {
    const state = after({ ...empty, templates: [deployment('cart')] }, { after: lazy });
    expect(owner(state, 'cart')).toBe('gold');
    expect(state.bindings).toEqual([]);
    expect(state.changes.at(-1)).toMatchObject({ type: 'held', reason: 'Lazy' });
  });

  test('does not update existing bindings', () => {
    const before = policy('gold');
    const state = under(before)([deployment('cart')]);
    const changed = policy('gold', { activationPreference: 'Lazy', failover: { cluster: {} } });
    const { bindings, changes } = after(state, { before, after: changed });
    expect(bindings).toEqual(state.bindings);
    expect(changes).toMatchObject([{ type: 'held', reason: 'Lazy' }]);
  });
});

describe('a deleted policy', () => {
  test('leaves its bindings unchanged, without its labels and annotations', () => {
    const gold = policy('gold', { placement: { clusterAffinity: { clusterNames: ['berlin'] } } });
    const state = under(gold)([deployment('cart')]);
    const next = after(state, { before: gold });
    expect(owner(next, 'cart')).toBeUndefined();
    const binding = bindingOf(next, 'cart')!;
    expect(binding.metadata.labels).not.toHaveProperty(['propagationpolicy.karmada.io/permanent-id']);
    expect(binding.metadata.annotations).toEqual({});
    expect(binding.spec).toEqual(bindingOf(state, 'cart')!.spec);
    expect(rules(next.changes)).toContain('no policy selects the resource');
  });

  test('leaves its resources to the next policy', () => {
    const gold = policy('gold');
    const silver = policy('silver', { placement: { clusterAffinity: { clusterNames: ['paris'] } } });
    const next = after(under(gold, silver)([deployment('cart')]), { before: gold });
    expect(owner(next, 'cart')).toBe('silver');
    expect(bindingOf(next, 'cart')!.spec.placement).toEqual(silver.spec.placement);
  });

  test('counts as deleted once it has a deletion timestamp', () => {
    const gold = policy('gold');
    const deleting = { ...gold, metadata: { ...gold.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
    const next = after(under(gold)([deployment('cart')]), { before: gold, after: deleting });
    expect(owner(next, 'cart')).toBeUndefined();
  });
});

describe('a preempting policy', () => {
  const gates = { PropagationPolicyPreemption: true };
  const preempting = (priority: number) =>
    policy('strong', { priority, preemption: 'Always', resourceSelectors: [selector('cart')] });
  const contest = (holder: PropagationPolicy, challenger: PropagationPolicy, on = gates) =>
    owner(under(holder, challenger)([deployment('cart')], on), 'cart');

  test('claims resources of policies with lower priority', () => {
    expect(contest(policy('weak', { priority: 1 }), preempting(2))).toBe('strong');
    expect(contest(policy('weak', { priority: 2 }), preempting(2))).toBe('weak');
  });

  test('claims resources of ClusterPropagationPolicies, whatever their priority', () => {
    expect(contest(clusterPolicy('all', { priority: 9 }), preempting(1))).toBe('strong');
  });

  test('does not claim resources of PropagationPolicies if it is a ClusterPropagationPolicy', () => {
    const resourceSelectors = [selector('cart')];
    const strong = clusterPolicy('strong', { priority: 9, preemption: 'Always', resourceSelectors });
    expect(contest(policy('weak'), strong)).toBe('weak');
    expect(contest(clusterPolicy('weak'), strong)).toBe('strong');
  });

  test('preempts no policy without the gate PropagationPolicyPreemption', () => {
    expect(contest(policy('weak'), preempting(2), { PropagationPolicyPreemption: false })).toBe('weak');
  });

  test('takes over the existing binding', () => {
    const state = under(clusterPolicy('all'), preempting(1))([deployment('cart')], gates);
    expect(bindingOf(state, 'cart')!.metadata.labels).toEqual({
      'propagationpolicy.karmada.io/permanent-id': 'id-strong',
      'resourcebinding.karmada.io/permanent-id': 'simulated-shop.cart-deployment',
    });
  });

  test('claims the resource once its owner has a lower priority', () => {
    const holder = policy('holder', { priority: 5 });
    const state = under(holder, preempting(4))([deployment('cart')], gates);
    expect(owner(state, 'cart')).toBe('holder');
    const sunken = policy('holder', { priority: 3 });
    expect(owner(after(state, { before: holder, after: sunken }, gates), 'cart')).toBe('strong');
  });
});
