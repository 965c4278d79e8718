import { isObject, numberIn } from '../../kubernetes/json.ts';
import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Copy, StaleInformers } from '../../karmada/controllers/kinds.ts';
import {
  appliedRefusal,
  isDeletionUndelivered,
  isUnreportedAfterRecovery,
  mayStartUncounted,
  mayBeStale,
} from '../../karmada/works/workConditions.ts';
import { unnoticed } from '../../karmada/detection/unnoticed.ts';
import { isReady, readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { appliedTime, isNeverReady, readyTime } from '../../karmada/members/readyTime.ts';
import { referenceTo, workKey } from '../../karmada/objects/identities.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { hasHealthInterpreter } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { objectReplicas, rolloutHealth } from '../../karmada/status/memberObject.ts';
import { informerOf, POD_INFORMER } from '../../karmada/detection/memberAccess.ts';
import { MAX_RELIST_DELAY } from '../../karmada/detection/relist.ts';

/**
 * The member's copy behind a captured Work; undefined if nothing has been applied. Depends only on the capture and the
 * start of the simulation (epoch milliseconds): unready replicas become ready in the usual time after their scheduling,
 * or never if that is long past.
 *
 * @param cluster the Cluster of the member; while it is not Ready or refuses connections, the last report of its copy
 *   applies
 */
export function deriveCopy(
  work: Work,
  binding: ResourceBinding | undefined,
  cluster: Cluster | undefined,
  assumptions: MemberAssumptions,
  start: number,
  hooks: DeclaredHooks,
  configuration: Configuration,
): Copy | undefined {
  const name = clusterOfWork(work);
  const object = work.spec?.workload?.manifests?.[0];
  if (!object || name === undefined) return undefined;
  const reported = work.status?.manifestStatuses?.[0];
  const applied = conditionOf(work.status?.conditions, 'Applied');
  const wanted = objectReplicas(object) ?? assignedReplicas(binding, name);
  const request = binding?.spec.replicaRequirements?.resourceRequest;
  const copy = {
    cluster: name,
    workload: referenceTo(object),
    object,
    managed: true,
    replicas: wanted,
    ready: wanted,
    ...(request && { request }),
  };
  // An unmanaged object with that name, or a preserved one.
  if (isAnothers(work) || isStuckInDeletion(work, cluster, start, configuration))
    return { ...copy, managed: false };
  // A reported copy exists; Karmada may write the report before it writes that it has applied the object.
  if (applied?.status !== 'True' && !reported) return undefined;

  const refusedJob =
    applied?.status === 'False' && object.kind === 'Job' ? (numberIn(reported?.status, 'active') ?? 0) : 0;
  const refusal = appliedRefusal(work);
  const outOfReach = !isReady(cluster) || refusal === 'unreachable' || refusal === 'no informers';
  const replicas = refusedJob || (outOfReach && numberIn(reported?.status, 'replicas')) || wanted;
  const health = reported?.health ?? (hasHealthInterpreter(object, hooks) ? undefined : 'Healthy');
  const ready = readyReplicas(reported?.status, health, replicas);
  const unheard = isUnreportedAfterRecovery(work, cluster, start);
  const heard = lastHeard(work, cluster, configuration, start);
  return {
    ...copy,
    // A Job whose completions were to change keeps its earlier ones.
    ...(refusedJob > 0 && { object: withPods(object, refusedJob) }),
    replicas,
    ready,
    ...(reported?.status !== undefined && { status: reported.status }),
    ...rollout(work, binding, { object, cluster: name, replicas, ready, unheard, heard }, assumptions, hooks),
  };
}

/**
 * Whether Karmada does not manage the object. A preserved object differs from the cache, since Karmada removed its
 * labels.
 */
function isAnothers(work: Work): boolean {
  const refusal = appliedRefusal(work);
  if (refusal === 'already exists') return true;
  return refusal === 'conflict' && work.spec?.preserveResourcesOnDeletion === true;
}

/**
 * Milliseconds that Karmada takes to delete the Work of a preserved object in a reachable member; times are in whole
 * seconds.
 */
const RELEASES_WITHIN = 3000;

/**
 * Whether a preserved object has lost Karmada's labels while its Work still exists: removing the Work's finalizer hit a
 * conflict. Each retry finds the object unmanaged and refuses to update it, so the Work stays.
 */
function isStuckInDeletion(
  work: Work,
  cluster: Cluster | undefined,
  start: number,
  configuration: Configuration,
): boolean {
  const { deletionTimestamp } = work.metadata;
  if (!deletionTimestamp || !work.spec?.preserveResourcesOnDeletion) return false;
  const [deleted, released] = [instant(deletionTimestamp), instant(deletionTimestamp) + RELEASES_WITHIN];
  const { lastTransitionTime } = readyCondition(cluster) ?? {};
  const turned = lastTransitionTime ? instant(lastTransitionTime) : undefined;
  // A member that failed later was still reachable then, whenever Karmada noticed. One that has recovered since, or is
  // down unnoticed, may have been unreachable.
  const late = longestUnnoticed(cluster, configuration);
  if (!isReady(cluster)) return turned !== undefined && turned - late > released;
  return start - late > released && (turned === undefined || turned < deleted);
}

/** Milliseconds after the expected instant within which a copy may still become ready. */
const LATENESS = 10_000;

interface Counts {
  object: KubernetesObject;
  cluster: string;
  replicas: number;
  ready: number;
  /** the member recovered a while ago and has not reported yet: its copies become ready as usual */
  unheard: boolean;
  /** epoch milliseconds until which reports could arrive: the start, or when the member became unreachable */
  heard: number;
}

/**
 * When (epoch milliseconds) a member could last report: a copy that was due by then should be ready. A deletion from
 * before its last failure has not reached it: it was already unreachable.
 */
function lastHeard(
  work: Work,
  cluster: Cluster | undefined,
  configuration: Configuration,
  start: number,
): number {
  const { deletionTimestamp } = work.metadata;
  const turned = readyCondition(cluster)?.lastTransitionTime;
  const missed = isDeletionUndelivered(work, cluster)
    ? deletionTimestamp
    : isReady(cluster)
      ? undefined
      : turned;
  if (!missed) return start;
  return Math.min(start, instant(missed) - longestUnnoticed(cluster, configuration));
}

/** The longest time in milliseconds that a cluster's failure, present or earlier, goes unnoticed. */
function longestUnnoticed(cluster: Cluster | undefined, configuration: Configuration): number {
  const isPull = cluster?.spec?.syncMode === 'Pull';
  const { status = 'Unknown' } = readyCondition(cluster) ?? {};
  return unnoticed(status !== 'True' ? status : isPull ? 'Unknown' : 'False', isPull, 1, configuration);
}

/** When unready replicas become ready, or that they never do, and what the reported counts do not show. */
function rollout(
  work: Work,
  binding: ResourceBinding | undefined,
  { object, cluster, replicas, ready, unheard, heard }: Counts,
  assumptions: MemberAssumptions,
  hooks: DeclaredHooks,
): Pick<Copy, 'readyAt' | 'stuck' | 'health'> & Partial<Pick<Copy, 'ready'>> {
  const health = work.status?.manifestStatuses?.[0]?.health;
  const healthOf = (complete: boolean) =>
    rolloutHealth(object, { replicas, ready, complete, observed: complete || health !== undefined }, hooks);
  const own = (complete: boolean): { health?: ResourceHealth } =>
    health === undefined || health === healthOf(complete) ? {} : { health };
  const applied = appliedAt(work, binding, cluster);
  const readyAt =
    applied === undefined ? undefined : readyTime(applied, assumptions, cluster, referenceTo(object));
  // For a kind whose reports do not count ready replicas, such as a Job, only the time shows whether they have started.
  if (mayStartUncounted(work) && readyAt !== undefined && readyAt > heard && healthOf(false) === 'Healthy')
    return { ready: 0, readyAt };
  if (healthOf(false) === 'Healthy' || (health === 'Healthy' && ready >= replicas)) return own(true);

  const never = isNeverReady(assumptions, cluster, referenceTo(object));
  if (readyAt !== undefined && (readyAt + LATENESS > heard || unheard) && !never) return { readyAt };
  return health === 'Healthy' ? own(true) : { stuck: true, ...own(false) };
}

/** When the present replicas of a copy were applied, if the capture shows it: epoch milliseconds. */
function appliedAt(work: Work, binding: ResourceBinding | undefined, cluster: string): number | undefined {
  const times = appliedTimes(work, binding, cluster);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/**
 * Milliseconds by which a copy may have been applied earlier than assumed: the scheduler sets lastScheduledTime even
 * without a change.
 */
export function appliedEarlier(work: Work, binding: ResourceBinding, cluster: string): number {
  const times = appliedTimes(work, binding, cluster);
  return times.length > 1 ? times.at(-1)! - Math.max(...times.slice(0, -1)) : 0;
}

/**
 * The possible times at which the present replicas of a copy were applied (epoch milliseconds), that of their
 * scheduling last.
 */
function appliedTimes(work: Work, binding: ResourceBinding | undefined, cluster: string): number[] {
  const { creationTimestamp, generation } = work.metadata;
  const condition = work.status?.conditions?.find(
    ({ type, status }) => type === 'Applied' && status === 'True',
  );
  // A Work may have had to wait for an earlier one to be deleted, and its object for the member.
  const first = [creationTimestamp, condition?.lastTransitionTime].flatMap((time) =>
    time ? [instant(time)] : [],
  );
  const scheduled = binding?.status?.lastScheduledTime;
  // The scheduling time is meaningless for an unchanged Work, or for a cluster that the last scheduling did not choose.
  const isMeaningful = generation !== 1 || first.length === 0;
  const isKnown = scheduled && isMeaningful && binding.spec.clusters?.some(({ name }) => name === cluster);
  return isKnown ? [...first, appliedTime(instant(scheduled))] : first;
}

function assignedReplicas(binding: ResourceBinding | undefined, cluster: string): number {
  // An attached binding has no replicas of its own here; its parents have them.
  if (!binding?.spec.replicas) return 0;
  const target = binding.spec.clusters?.find(({ name }) => name === cluster);
  const task = binding.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster);
  return target?.replicas ?? task?.replicas ?? 0;
}

function readyReplicas(status: unknown, health: ResourceHealth | undefined, replicas: number): number {
  const ready = numberIn(status, 'readyReplicas');
  if (ready !== undefined) return Math.min(ready, replicas);
  return health === 'Healthy' ? replicas : 0;
}

function withPods(job: KubernetesObject, pods: number): KubernetesObject {
  return { ...job, spec: { ...(isObject(job.spec) && job.spec), parallelism: pods, completions: pods } };
}

/**
 * The stale informers of the controller manager for a recovered Push member, if the capture shows some: an object
 * applied long ago is not reported, or conflicts with one changed since. A report of a Work younger than the recovery
 * proves that the informer of its kind has relisted. The others are assumed to need a quarter of the longest possible
 * time, since the longest waits are rare.
 *
 * @param works the member's Works
 * @param start epoch milliseconds
 */
export function staleAtStart(
  cluster: Cluster,
  works: () => readonly Work[],
  start: number,
): StaleInformers | undefined {
  if (!mayBeStale(cluster, start)) return undefined;
  const recovered = instant(readyCondition(cluster)!.lastTransitionTime!);
  const last = recovered + MAX_RELIST_DELAY;
  const end = start + (last - start) / 4;
  const stale = new Set<string>();
  const known: StaleInformers['known'] = {};
  const relisted = new Set<string>();
  for (const work of works()) {
    const object = work.spec?.workload?.manifests?.[0];
    if (!object) continue;
    const outdated = meetsAnotherObject(work);
    if (outdated || isUnreportedAfterRecovery(work, cluster, start)) stale.add(informerOf(object));
    const isReported = Boolean(work.status?.manifestStatuses?.length);
    if (outdated || isReported) known[workKey(work)] = true;
    const { creationTimestamp } = work.metadata;
    if (isReported && creationTimestamp && instant(creationTimestamp) > recovered)
      relisted.add(informerOf(object));
  }
  const waiting = [...stale].filter((informer) => !relisted.has(informer));
  if (waiting.length === 0) return undefined;
  return { until: Object.fromEntries([...waiting, POD_INFORMER].map((one) => [one, end])), known };
}

/** Whether Karmada's cache differs from the member's object. */
function meetsAnotherObject(work: Work): boolean {
  const refusal = appliedRefusal(work);
  return refusal === 'conflict' || refusal === 'not found';
}
