import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, TargetCluster } from '../../../src/karmada/api/work.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../../src/karmada/api/names.ts';
import { healthyOn } from '../../simulator/simulation/controlPlane.ts';
import { drainOf } from '../../analysis/drain/drainOf.ts';

export const START = Date.parse('2026-09-01T08:00:00Z');
const LONG_AGO = '2026-08-01T00:00:00Z';

export const divided: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
export const duplicated: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };

/** Affinity groups of one cluster each, in this order. */
export function groups(...names: string[]): Placement {
  return {
    clusterAffinities: names.map((name) => ({ affinityName: name, clusterNames: [name] })),
  };
}

export function cluster(name: string, cpu = 100): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, generation: 1, creationTimestamp: LONG_AGO },
    spec: { syncMode: 'Push' },
    status: {
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
      conditions: [{ type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime: LONG_AGO }],
      resourceSummary: {
        allocatable: { cpu: String(cpu), memory: '400Gi', pods: '1000' },
        allocated: { pods: '10' },
      },
    },
  };
}

/** A Deployment that is healthy on `clusters`. */
export function workload(
  name: string,
  clusters: TargetCluster[],
  { placement = divided, namespace = 'shop' }: { placement?: Placement; namespace?: string } = {},
): ResourceBinding {
  const replicas =
    placement === divided || placement.replicaScheduling?.replicaSchedulingType === 'Divided'
      ? clusters.reduce((sum, target) => sum + (target.replicas ?? 0), 0)
      : (clusters[0]?.replicas ?? 0);
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace,
      uid: `uid-of-${name}`,
      generation: 2,
      creationTimestamp: LONG_AGO,
      labels: {
        [PROPAGATION_POLICY_PERMANENT_ID_LABEL]: 'policy',
        [RESOURCE_BINDING_PERMANENT_ID_LABEL]: `id-of-${name}`,
      },
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement) },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name, uid: `template-${name}` },
      replicas,
      clusters,
      placement,
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
    },
    status: healthyOn(placement, clusters),
  };
}

export function scene(clusters: Cluster[], bindings: ResourceBinding[]): World {
  return { clusters, bindings, works: [], policies: [], taintPolicies: [], others: [] };
}

/** Three clusters, of which member1 is to be drained; some workloads are already elsewhere, every fourth uses affinity groups. */
export function smallScene(workloads = 5): World {
  const bindings = Array.from({ length: workloads }, (_, at) => {
    if (at % 4 === 3)
      return workload(`w${at}`, [{ name: 'member1', replicas: 2 }], {
        placement: groups('member1', 'member2', 'member3', 'member4'),
      });
    const on =
      at % 3 === 0
        ? [{ name: 'member1', replicas: 2 + (at % 4) }]
        : at % 3 === 1
          ? [
              { name: 'member1', replicas: 1 },
              { name: 'member2', replicas: 3 },
            ]
          : [
              { name: 'member1', replicas: 2 },
              { name: 'member3', replicas: 1 },
            ];
    return workload(`w${at}`, on);
  });
  return scene([cluster('member1'), cluster('member2'), cluster('member3')], bindings);
}

export function drainOptions(changes: Partial<DrainOptions> = {}): DrainOptions {
  return drainOf(['member1'], changes);
}
