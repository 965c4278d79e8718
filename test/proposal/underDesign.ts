import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Taint } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../src/karmada/api/work.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import type { World } from '../../src/karmada/world.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { deployment, START } from '../simulator/simulation/controlPlane.ts';

/** A version with evicting taints and other flags of the controller manager. */
export function evicting(
  version: string,
  flags: Partial<Configuration['controllerManager']> = {},
): Configuration {
  const { defaults } = dialectOf(version).dialect;
  return {
    ...defaults,
    featureGates: { ...defaults.featureGates, Failover: true },
    controllerManager: {
      ...defaults.controllerManager,
      'enable-no-execute-taint-eviction': true,
      ...flags,
    },
  };
}

export const FAULT: Taint = { key: 'fault', effect: 'NoExecute' };

/** Keeps new work off a cluster without making it faulty: the eviction queue continues. */
export const CLOSED: Taint = { key: 'closed', effect: 'NoSchedule' };

/** Only clusters and bindings: people set the taints. */
export function plainWorld(clusters: Cluster[], bindings: ResourceBinding[]): World {
  return { clusters, bindings, works: [], policies: [], taintPolicies: [], others: [] };
}

/** On one of the clusters. */
export function onOneOf(...clusterNames: string[]): Placement {
  return {
    clusterAffinity: { clusterNames },
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  };
}

/** A whole copy on this many of the clusters. */
export function copiesOn(groups: number, ...clusterNames: string[]): Placement {
  return {
    clusterAffinity: { clusterNames },
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: groups, maxGroups: groups }],
    replicaScheduling: { replicaSchedulingType: 'Duplicated' },
  };
}

/** A task as created by the taint manager, and processed by the graceful eviction controller at the start. */
export function taskFrom(
  fromCluster: string,
  more: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask {
  return {
    fromCluster,
    purgeMode: 'Gracefully',
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    creationTimestamp: rfc3339(START),
    ...more,
  };
}

/** nginx with 3 replicas, evicting from member1 and placed on member2. */
export function migrating(
  placement: Placement,
  {
    tasks = [taskFrom('member1', { replicas: 3 })],
    healthy = false,
  }: { tasks?: GracefulEvictionTask[]; healthy?: boolean } = {},
): ResourceBinding {
  const clusters = [{ name: 'member2', replicas: 3 }];
  const binding = deployment('nginx', {
    placement,
    replicas: 3,
    clusters,
    spec: { gracefulEvictionTasks: tasks },
  });
  const aggregatedStatus = binding.status!.aggregatedStatus!.map((item) => ({
    ...item,
    health: healthy ? ('Healthy' as const) : ('Unhealthy' as const),
    ...(healthy ? {} : { status: { replicas: 3 } }),
  }));
  return { ...binding, status: { ...binding.status, aggregatedStatus } };
}
