import { instant } from '../../kubernetes/time.ts';
import type { ResourceBinding, ResourceBindingSpec, Work } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Evidence } from '../evidence.ts';
import { targetClusters } from '../objects/placement.ts';
import { purgesDirectly } from './evictionTasks.ts';

/** Milliseconds between two checks whether a directly purged Work is gone (binding controller). */
const DIRECT_PURGE_POLL_INTERVAL = 5000;

/**
 * The clusters that keep a Work of the binding: spec.clusters, the clusters in requiredBy, and those with a
 * gracefulEvictionTask. A directly purged cluster keeps it only through the first two
 * (ObtainBindingSpecExistingClusters).
 */
export function entitledClusters(spec: ResourceBindingSpec, rules: Rules): Set<string> {
  const clusters = new Set(targetClusters(spec).map(({ name }) => name));
  for (const cluster of keptByTasks(spec, rules)) clusters.add(cluster);
  return clusters;
}

/** The clusters whose old copies stay until their tasks end: those that are not purged directly. */
export function keptByTasks(
  { gracefulEvictionTasks = [] }: Pick<ResourceBindingSpec, 'gracefulEvictionTasks'>,
  rules: Rules,
): string[] {
  return gracefulEvictionTasks
    .filter(({ purgeMode }) => !purgesDirectly(purgeMode, rules))
    .map(({ fromCluster }) => fromCluster);
}

/**
 * The clusters that a task purges directly; versions that wait write no Work anywhere while one of these has a Work.
 */
function directlyPurgedClusters(spec: ResourceBindingSpec, rules: Rules): Set<string> {
  const tasks = spec.gracefulEvictionTasks ?? [];
  return new Set(
    tasks.filter(({ purgeMode }) => purgesDirectly(purgeMode, rules)).map(({ fromCluster }) => fromCluster),
  );
}

/** A Work of the binding before the pass. */
interface ExistingWork {
  cluster: string;
  /** a finalizer keeps it after deletion, as the execution controller's does until the member's object is gone */
  held: boolean;
  /** it is being deleted already */
  deleting?: boolean;
}

/** The result of a pass for a Work; `deleting` ones exist until their finalizers are removed. */
type WorkFate = 'kept' | 'deleted' | 'deleting';

export interface WorkWrite {
  cluster: string;
  /** replace the template's replicas of a workload, if its kind has a hook for that (hasReplicaRevision) */
  replicas: number;
  /** labels on the manifest with the preserved state of the evicted copy */
  preservedLabels: Record<string, string>;
  suspendDispatching: boolean;
  preserveResourcesOnDeletion: boolean;
}

/** The result of one pass of the binding controller over the Works of a binding. */
export interface WorkPlan {
  fates: Map<string, WorkFate>;
  /** clusters whose directly purged Work still exists; until they are gone, nothing is written */
  waitingFor: string[];
  /** milliseconds until the next pass, if it waits */
  requeueAfter?: number;
  writes: WorkWrite[];
}

/**
 * Deletes orphaned Works, then writes those of the target clusters, unless a directly purged Work still exists (binding
 * controllers; before v1.15 without waiting). `existing` are the Works with the binding's permanent id, one per
 * cluster.
 *
 * @param evidence if given, collects deletions, waits and omissions, with their reasons
 */
export function planWorks(
  spec: ResourceBindingSpec,
  existing: Iterable<ExistingWork>,
  { statefulFailoverInjection, rules }: { statefulFailoverInjection: boolean; rules: Rules },
  evidence?: Evidence[],
): WorkPlan {
  const entitled = entitledClusters(spec, rules);
  const purged = directlyPurgedClusters(spec, rules);
  const waits = rules.eviction.directPurge === 'waitsForOldWork';
  const fates = new Map<string, WorkFate>();
  const waitingFor: string[] = [];
  for (const { cluster, held, deleting = false } of existing) {
    const fate = deleting ? 'deleting' : entitled.has(cluster) ? 'kept' : held ? 'deleting' : 'deleted';
    fates.set(cluster, fate);
    if (!entitled.has(cluster)) evidence?.push(orphanEvidence(cluster, purged.has(cluster)));
    if (waits && fate !== 'deleted' && purged.has(cluster)) waitingFor.push(cluster);
  }
  if (waitingFor.length > 0) {
    evidence?.push(waitEvidence(waitingFor));
    return { fates, waitingFor, requeueAfter: DIRECT_PURGE_POLL_INTERVAL, writes: [] };
  }
  const targets = targetClusters(spec);
  const writes = targets.map(({ name, replicas = 0 }) => ({
    cluster: name,
    replicas,
    preservedLabels: statefulFailoverInjection ? injectedLabels(spec, name, targets.length, rules) : {},
    suspendDispatching: suspendsDispatching(spec, name),
    preserveResourcesOnDeletion: spec.preserveResourcesOnDeletion ?? false,
  }));
  return { fates, waitingFor, writes };
}

function orphanEvidence(cluster: string, purged: boolean): Evidence {
  return purged
    ? { rule: `the Work in ${cluster} is purged directly`, field: 'spec.gracefulEvictionTasks' }
    : { rule: `the binding does not ask for a Work on ${cluster}`, field: 'spec.clusters' };
}

function waitEvidence(clusters: string[]): Evidence {
  return {
    rule: `no Work is written while the directly purged one in ${clusters.join(', ')} exists`,
    field: 'spec.gracefulEvictionTasks',
    value: clusters,
  };
}

/**
 * The labels that a Work for the cluster gets from the last task. Only a directly purged workload that moves from one
 * cluster to another keeps its state, and not on a cluster where it ran before.
 */
function injectedLabels(
  spec: ResourceBindingSpec,
  cluster: string,
  targetCount: number,
  rules: Rules,
): Record<string, string> {
  const last = spec.gracefulEvictionTasks?.at(-1);
  if (targetCount > 1 || !last || !purgesDirectly(last.purgeMode, rules)) return {};
  return last.clustersBeforeFailover?.includes(cluster) ? {} : (last.preservedLabelState ?? {});
}

/** Whether Works for the cluster are written but not dispatched to the member. */
export function suspendsDispatching({ suspension }: ResourceBindingSpec, cluster: string): boolean {
  if (suspension?.dispatching) return true;
  return suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) ?? false;
}

/** Milliseconds within which a scheduling's Works are created, including the error of times in whole seconds. */
const MADE_WITHIN = 3000;

/** The clusters with captured Works that are not in their binding's spec. */
interface OrphanedWorks {
  /** the binding controller still has to delete these, as it does at each change of a binding (RemoveOrphanWorks) */
  left: string[];
  /** these were created after the binding's last recorded scheduling, so the binding was read earlier */
  later: string[];
}

/**
 * Works, not being deleted, for clusters that their binding's spec does not name (ObtainBindingSpecExistingClusters),
 * by cluster.
 */
export function orphanedWorks(
  { spec, status }: ResourceBinding,
  works: ReadonlyMap<string, Work>,
  rules: Rules,
): OrphanedWorks {
  const entitled = entitledClusters(spec, rules);
  const scheduled = status?.lastScheduledTime ? instant(status.lastScheduledTime) : -Infinity;
  const found: OrphanedWorks = { left: [], later: [] };
  for (const [cluster, { metadata }] of works) {
    if (metadata.deletionTimestamp || entitled.has(cluster)) continue;
    const made = metadata.creationTimestamp ? instant(metadata.creationTimestamp) : -Infinity;
    found[made > scheduled + MADE_WITHIN ? 'later' : 'left'].push(cluster);
  }
  return found;
}
