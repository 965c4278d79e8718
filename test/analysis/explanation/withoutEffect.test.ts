import { describe, expect, test } from '@jest/globals';
import { withoutEffect } from '../../../src/analysis/explanation/withoutEffect.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import { withClaim } from '../../../src/karmada/objects/claims.ts';
import { cluster, deployment, failoverOn, world } from '../../simulator/simulation/controlPlane.ts';

const policy = (name: string, spec: Partial<PropagationPolicy['spec']> = {}) =>
  ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      namespace: 'shop',
      name,
      labels: { 'propagationpolicy.karmada.io/permanent-id': `id-of-${name}` },
    },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' }], ...spec },
  }) as PropagationPolicy;
const holder = policy('holder');
const plain = deployment('cart', { placement: {}, replicas: 2, clusters: [{ name: 'east', replicas: 2 }] });
const cart = { ...plain, metadata: withClaim(plain.metadata, holder) };
const template = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: withClaim({ namespace: 'shop', name: 'cart' }, holder),
} as KubernetesObject;
const rebalancer = (name: string, finishTime?: string) =>
  ({
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' }] },
    status: finishTime ? { finishTime } : {},
  }) as KubernetesObject;

function texts(policies: PropagationPolicy[], others: KubernetesObject[] = [], preemption = false): string[] {
  const gates = { ...failoverOn.featureGates, PropagationPolicyPreemption: preemption };
  const state = { ...world([cluster('east')], [cart]), policies, others: [template, ...others] };
  return withoutEffect(state, cart, { ...failoverOn, featureGates: gates }).map(
    ({ text, fix }) => `${text} → ${fix}`,
  );
}

describe('the objects without effect on a workload', () => {
  test('include a finished WorkloadRebalancer, the newest of several', () => {
    const [old, recent] = [
      rebalancer('old', '2026-09-01T08:00:00Z'),
      rebalancer('new', '2026-09-02T08:00:00Z'),
    ];
    expect(texts([holder], [old, recent, rebalancer('running')])).toEqual([
      'WorkloadRebalancer new finished at 2026-09-02T08:00:00Z: a finished one does not act again → create another one, under another name',
    ]);
  });

  test('include a policy with preemption while the preemption gate is off', () => {
    const taker = policy('taker', { preemption: 'Always', priority: 5 });
    expect(texts([holder, taker])).toEqual([
      'PropagationPolicy taker would take it over (preemption Always), but feature gate PropagationPolicyPreemption is off → start karmada-controller-manager with --feature-gates=PropagationPolicyPreemption=true',
    ]);
    expect(texts([holder, taker], [], true)).toEqual([]);
  });

  test('include a policy of higher priority without preemption', () => {
    expect(texts([holder, policy('higher', { priority: 5 })], [], true)).toEqual([
      'PropagationPolicy higher has a higher priority, but does not preempt other policies: its preemption is Never → set its spec.preemption to Always',
    ]);
  });

  test('exclude a policy that does not select it, and one without a higher priority', () => {
    const elsewhere = policy('elsewhere', {
      priority: 5,
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    });
    expect(texts([holder, elsewhere, policy('equal')])).toEqual([]);
  });
});
