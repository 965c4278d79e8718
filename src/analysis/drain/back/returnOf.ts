import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster, Work } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { afterNextScheduling, type NextScheduling } from '../../../karmada/scheduling/nextScheduling.ts';
import type { ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { bindingAffinityMatches } from '../../../karmada/scheduling/filters/clusterAffinity.ts';
import type { DeclaredHooks } from '../../../karmada/controllers/view.ts';
import { restoreClusters, type RestoredClusters, removedTargets } from './restoreClusters.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { copyReadiness, reportedReady } from '../../../karmada/status/copyReadiness.ts';

/** The binding with the clusters back in spec.clusters, the scheduler's reaction, and the possible cost. */
export interface Return extends RestoredClusters {
  /** the affinity group to write into the status first, so that the scheduler starts with it */
  affinityName?: string;
  /** the scheduler's next attempt for the binding */
  attempt: NextScheduling;
  /** why fewer replicas may be ready than now */
  risk?: string;
}

type WayBack = Return | { refused: string };

/** The inputs for judging the restore of a workload. */
export interface ReturnContext {
  /** all clusters, as they will be after the restore */
  clusters: ReadonlyMap<string, Cluster>;
  /** the same clusters as the scheduler's fleet */
  snapshot: ClusterSnapshot;
  configuration: Configuration;
  hooks: DeclaredHooks;
  /** epoch milliseconds */
  now: number;
}

/**
 * How to put a workload back on clusters that it is leaving. The scheduler reschedules a Duplicated workload at each
 * change, starting with its current affinity group (Karmada v1.18). Put back into an earlier group, the workload would
 * move to its replacement at once, without an eviction task.
 *
 * @param clusters names of clusters with a task of the binding
 * @param works the binding's Works by cluster
 */
export function returnOf(
  binding: ResourceBinding,
  clusters: readonly string[],
  works: ReadonlyMap<string, Work>,
  context: ReturnContext,
): WayBack {
  const restoration = restoreClusters(binding, clusters, works, context.configuration.rules);
  if ('refused' in restoration) return restoration;
  const { spec: after, restored } = restoration;
  const observed = binding.status?.schedulerObservingAffinityName;
  const selecting = selectingGroups(binding, after, restored, context.snapshot);
  let attempt: NextScheduling | undefined;
  for (const affinityName of new Set([...selecting, observed])) {
    attempt = afterNextScheduling(atGroup(binding, affinityName), after, context);
    if (!staysBack(after, restored, attempt)) continue;
    const risk = lostByReturning(binding, clusters, attempt.binding.spec.clusters ?? [], works, context);
    return {
      ...restoration,
      ...(affinityName === undefined || affinityName === observed ? {} : { affinityName }),
      attempt,
      ...(risk === undefined ? {} : { risk }),
    };
  }
  const names = restored.map(({ name }) => name).join(', ');
  const isSelected = selecting.length > 0 || selects(binding, restored, context.snapshot);
  const why = isSelected ? decisionOf(attempt) : `its placement does not select ${names}`;
  return { refused: `the scheduler would remove it from ${names} again: ${why}` };
}

/** The affinity groups that select all of the clusters; the scheduler's current group comes first. */
function selectingGroups(
  binding: ResourceBinding,
  { placement }: ResourceBindingSpec,
  clusters: readonly TargetCluster[],
  snapshot: ClusterSnapshot,
): string[] {
  if (placement?.clusterAffinity) return [];
  const observed = binding.status?.schedulerObservingAffinityName;
  return (placement?.clusterAffinities ?? [])
    .map(({ affinityName }) => affinityName)
    .sort((a, b) => Number(b === observed) - Number(a === observed))
    .filter((name) => selects(atGroup(binding, name), clusters, snapshot));
}

function atGroup(binding: ResourceBinding, affinityName: string | undefined): ResourceBinding {
  if (affinityName === undefined || affinityName === binding.status?.schedulerObservingAffinityName)
    return binding;
  return { ...binding, status: { ...binding.status, schedulerObservingAffinityName: affinityName } };
}

/** Whether the scheduler's current affinity group selects all of the clusters. */
function selects(
  { spec, status }: ResourceBinding,
  wanted: readonly TargetCluster[],
  snapshot: ClusterSnapshot,
): boolean {
  const { index, clusters } = snapshot;
  return wanted.every(({ name }) => {
    const cluster = clusters[index.get(name) ?? -1];
    return cluster !== undefined && bindingAffinityMatches(spec, status, cluster, snapshot);
  });
}

/** The scheduler may add to the restored clusters; it may remove replicas only after a scale-down. */
function staysBack(
  { clusters: written = [] }: ResourceBindingSpec,
  restored: readonly TargetCluster[],
  { binding: { spec } }: NextScheduling,
): boolean {
  const found = new Map(spec.clusters?.map(({ name, replicas }) => [name, replicas ?? 0]));
  const before = new Map(written.map(({ name, replicas }) => [name, replicas ?? 0]));
  const gained = [...found].some(([name, replicas]) => replicas > (before.get(name) ?? -1));
  return restored.every(({ name, replicas = 0 }) => (found.get(name) ?? -1) >= (gained ? replicas : 0));
}

function decisionOf(attempt: NextScheduling | undefined): string {
  return attempt?.outcome?.failure?.message ?? attempt?.outcome?.trigger ?? 'the reason is unknown';
}

/**
 * Why fewer replicas may be ready after the restore: old copies take over from the replacement, so they must be ready.
 * Undefined if they are, or if their status is known and none of the removed replicas is ready either.
 *
 * @param clusters where the old copies are
 * @param result the scheduling result after the restore
 * @param works the binding's Works by cluster
 */
function lostByReturning(
  binding: ResourceBinding,
  clusters: readonly string[],
  result: readonly TargetCluster[],
  works: ReadonlyMap<string, Work>,
  { clusters: known, hooks }: { clusters: ReadonlyMap<string, Cluster>; hooks: DeclaredHooks },
): string | undefined {
  // The old copy was applied long enough ago for the reported health to be reliable.
  const settled: DeclaredHooks = {
    ...hooks,
    enabled: (resource, operation) => operation === 'InterpretHealth' || hooks.enabled(resource, operation),
  };
  const kept = new Map(result.map(({ name, replicas }) => [name, replicas ?? 0]));
  const given = removedTargets(binding.spec.clusters ?? [], result);
  const serving = given.filter(({ name }) =>
    mayServe(binding, works.get(name), known.get(name), kept.get(name)),
  );
  const tasks = binding.spec.gracefulEvictionTasks?.filter((task) => clusters.includes(task.fromCluster));
  for (const { fromCluster: name, replicas = 0 } of tasks ?? []) {
    // The workload was scaled up meanwhile, so the copy will get more replicas than it has.
    const target = { name, replicas: Math.max(replicas, kept.get(name) ?? 0) };
    const copy = copyReadiness(binding, target, works.get(name), known.get(name), settled);
    const lost = isStale(known.get(name)) ? given : serving;
    if (copy.ready || lost.length === 0) continue;
    const replacements = lost.map((one) => one.name).join(', ');
    return `${copy.evidence.rule}; its replacement on ${replacements} would be deleted`;
  }
  return undefined;
}

/** Whether more replicas of a copy may be ready than are kept; true if its status is unknown. */
function mayServe(
  { spec }: ResourceBinding,
  work: Work | undefined,
  cluster: Cluster | undefined,
  kept: number | undefined,
): boolean {
  if (!work) return false;
  if (isStale(cluster)) return true;
  const ready = reportedReady(spec.resource, work);
  return ready === undefined ? kept === undefined : ready > (kept ?? 0);
}
