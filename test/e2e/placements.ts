import type { Placement } from '../../src/karmada/api/policy.ts';

/** Any of these clusters. */
export const on = (...clusterNames: string[]): Placement => ({ clusterAffinity: { clusterNames } });

/** Spread constraints that choose one cluster. */
export const one = [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 } as const];

export const divided = { replicaSchedulingType: 'Divided' } as const;

/** Replicas on as few clusters as have capacity. */
export const aggregated = { ...divided, replicaDivisionPreference: 'Aggregated' } as const;

/** Replicas by the clusters' capacity. */
export const byCapacity = {
  ...divided,
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
} as const;

/** Replicas by weights of clusters. */
export function byWeight(weights: Record<string, number>): NonNullable<Placement['replicaScheduling']> {
  return {
    ...divided,
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: Object.entries(weights).map(([name, weight]) => ({
        targetCluster: { clusterNames: [name] },
        weight,
      })),
    },
  };
}

/** Affinity groups in this order: each of one cluster, or several; named after their clusters. */
export function groups(...members: (string | string[])[]): Placement {
  return {
    clusterAffinities: members.map((member) => {
      const clusterNames = [member].flat();
      return { affinityName: clusterNames.join('-'), clusterNames };
    }),
  };
}
