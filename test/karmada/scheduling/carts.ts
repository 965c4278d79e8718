import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec, TargetCluster } from '../../../src/karmada/api/work.ts';
import type { schedule } from '../../../src/karmada/scheduling/schedule.ts';

export const divided = (replicaDivisionPreference: string, weightPreference?: object): Placement => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference,
    ...(weightPreference ? { weightPreference } : {}),
  },
});
export const aggregated = divided('Aggregated');
export const byCapacity = divided('Weighted', { dynamicWeight: 'AvailableReplicas' });
export const duplicated: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };

/** Three replicas of a Deployment. */
export function spec(placement: Placement, more: Partial<ResourceBindingSpec> = {}): ResourceBindingSpec {
  return {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' },
    replicas: 3,
    placement,
    ...more,
  };
}

/** "m1×3 m2" */
export function text(clusters: TargetCluster[]): string {
  return clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name)).join(' ');
}

/** The clusters that the scheduler has chosen, or why it has not. */
export function resultText(result: ReturnType<typeof schedule>): string {
  return 'error' in result ? `${result.error.kind}: ${result.error.message}` : text(result.clusters);
}
