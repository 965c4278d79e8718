import type { ResourceBinding, ResourceHealth, Work } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { executionCluster } from '../../karmada/names.ts';
import { bindingPermanentId } from '../objects/worksOfBinding.ts';
import { purgesDirectly } from '../eviction/purgeMode.ts';

/** A Work and what it stands for in its member cluster, as far as failover depends on it. */
export interface SimulatedWork {
  readonly cluster: string;
  /** replicas written to the Work */
  replicas: number;
  /** replicas that run and are ready in the member, were it reachable */
  ready: number;
  /** replicas that have pods in the member */
  running: number;
  /** not handed to the member, because the binding suspends dispatching */
  suspended?: boolean;
  /** has the member taken the present content? */
  applied: boolean;
  health: ResourceHealth | undefined;
  /** raw status, as the member reports it */
  status: unknown;
  /** epoch milliseconds; set while the Work is being deleted */
  deletingSince?: number;
  /** epoch milliseconds of the first failed try to reach the member with the present content */
  failingSince?: number;
  /** epoch milliseconds of the first failed try of the binding controller to write it while it was being deleted */
  rewriteFailingSince?: number;
  /** counts the contents written; a member that is still busy with an older one stops */
  content: number;
}

/** Finds the Works of bindings; Works are matched by the binding's permanent id. */
export interface WorkIndex {
  of(binding: ResourceBinding): Map<string, SimulatedWork>;
}

function statusReplicas(status: unknown, field: 'readyReplicas' | 'replicas'): number | undefined {
  if (status === null || typeof status !== 'object') return undefined;
  const value = (status as Record<string, unknown>)[field];
  return typeof value === 'number' ? value : undefined;
}

function readyReplicas(status: unknown, health: ResourceHealth | undefined, replicas: number): number {
  const ready = statusReplicas(status, 'readyReplicas');
  if (ready !== undefined) return Math.min(ready, replicas);
  return health === 'Healthy' ? replicas : 0;
}

/**
 * An index over the Works of a captured state. A state without Works leaves them to be inferred from the
 * binding: spec.clusters and tasks name the clusters, aggregatedStatus their health.
 */
export function indexWorks(works: Work[], rules: Rules): WorkIndex {
  const byId = new Map<string, Work[]>();
  for (const work of works) {
    const id = bindingPermanentId(work.metadata);
    if (id === undefined) continue;
    const group = byId.get(id);
    if (group) group.push(work);
    else byId.set(id, [work]);
  }
  const captured = works.length > 0;

  return {
    of(binding) {
      const id = bindingPermanentId(binding.metadata);
      const own = captured && id !== undefined ? (byId.get(id) ?? []) : undefined;
      const found = new Map<string, SimulatedWork>();
      const { clusters = [], gracefulEvictionTasks = [] } = binding.spec;
      const replicasOn = (cluster: string) =>
        clusters.find(({ name }) => name === cluster)?.replicas ??
        gracefulEvictionTasks.find((task) => task.fromCluster === cluster)?.replicas ??
        0;
      const statusOn = (cluster: string) =>
        binding.status?.aggregatedStatus?.find((item) => item.clusterName === cluster);

      if (own) {
        for (const work of own) {
          const cluster = executionCluster(work.metadata.namespace ?? '');
          if (cluster === undefined) continue;
          const manifest = work.spec?.workload?.manifests?.[0] as
            { spec?: { replicas?: unknown } } | undefined;
          const replicas =
            typeof manifest?.spec?.replicas === 'number' ? manifest.spec.replicas : replicasOn(cluster);
          const reported = work.status?.manifestStatuses?.[0];
          // what a member reports of it is there; Karmada may write that before it writes that it has applied it
          const applied = work.status?.conditions?.find(({ type }) => type === 'Applied');
          const isApplied = applied ? applied.status === 'True' : reported !== undefined;
          const deleting = work.metadata.deletionTimestamp
            ? Date.parse(work.metadata.deletionTimestamp)
            : undefined;
          found.set(cluster, {
            cluster,
            replicas,
            ready: readyReplicas(reported?.status, reported?.health, replicas),
            running: replicas,
            applied: isApplied,
            health: reported?.health,
            status: reported?.status,
            ...(deleting === undefined ? {} : { deletingSince: deleting, failingSince: deleting }),
            content: 0,
          });
        }
        return found;
      }

      const direct = new Set(
        gracefulEvictionTasks
          .filter(({ purgeMode }) => purgesDirectly(purgeMode, rules))
          .map((task) => task.fromCluster),
      );
      const names = new Set([
        ...clusters.map(({ name }) => name),
        ...(binding.spec.requiredBy ?? []).flatMap((snapshot) =>
          (snapshot.clusters ?? []).map(({ name }) => name),
        ),
        ...gracefulEvictionTasks.map((task) => task.fromCluster).filter((name) => !direct.has(name)),
      ]);
      for (const cluster of names) {
        const item = statusOn(cluster);
        const replicas = replicasOn(cluster);
        found.set(cluster, {
          cluster,
          replicas,
          ready: readyReplicas(item?.status, item?.health, replicas),
          running: replicas,
          applied: item?.applied ?? false,
          health: item?.health,
          status: item?.status,
          content: 0,
        });
      }
      return found;
    },
  };
}
