import { conditionOf, setCondition, type NewCondition } from '../objects/conditions.ts';
import type { Cluster } from '../api/cluster.ts';
import type { Member } from '../controllers/kinds.ts';
import type { Work } from '../api/work.ts';
import { isObject, numberIn } from '../../kubernetes/json.ts';
import { objectReplicas } from '../status/memberObject.ts';
import { largest } from '../../kubernetes/longLists.ts';
import { instant } from '../../kubernetes/time.ts';
import { MAX_RELIST_DELAY } from '../detection/relist.ts';
import { hasRecovered, isReady, readyCondition } from '../objects/clusterReadiness.ts';
import { workKey } from '../objects/identities.ts';
import type { Write } from '../controllers/write.ts';

/** A Work with a condition set at `now` (epoch milliseconds); the same Work if nothing changes. */
export function withCondition(work: Work, stated: NewCondition, now: number): Work {
  const conditions = setCondition(work.status?.conditions, stated, now);
  return conditions === work.status?.conditions ? work : { ...work, status: { ...work.status, conditions } };
}

/** The condition Dispatching, which the execution controller sets first. */
export function dispatchingCondition(suspended: boolean): NewCondition {
  return suspended
    ? {
        type: 'Dispatching',
        status: 'False',
        reason: 'SuspendDispatching',
        message: 'Work dispatching is in a suspended state.',
      }
    : {
        type: 'Dispatching',
        status: 'True',
        reason: 'Dispatching',
        message: 'Work is being dispatched to member clusters.',
      };
}

/** The message of the condition Applied of an applied object. */
export const APPLIED_MESSAGE = 'Manifest has been successfully applied';

/** Whether the object of a Work has been applied in its member. */
export function isApplied(work: Work): boolean {
  return (work.status?.conditions ?? []).some(({ type, status }) => type === 'Applied' && status === 'True');
}

/** Why a member has refused an object, in the execution controller's words. */
type AppliedRefusal = 'already exists' | 'conflict' | 'not found' | 'unreachable' | 'no informers' | 'other';

/** Whether a refusal is because of an unmanaged object with the same name: Karmada neither adopts nor reports it. */
export function isForeignObject(message: string): boolean {
  return message.includes('already exists');
}

/**
 * Why the object of a Work could not be applied, by the message of its condition Applied: an unmanaged object has its
 * name, the object in Karmada's cache has since changed or gone, the member's API server was unreachable, or the
 * controller manager has just started. Undefined if nothing was refused.
 */
export function appliedRefusal({ status }: Work): AppliedRefusal | undefined {
  const applied = conditionOf(status?.conditions, 'Applied');
  if (applied?.status !== 'False') return undefined;
  const { message = '' } = applied;
  if (isForeignObject(message)) return 'already exists';
  if (message.includes('Operation cannot be fulfilled')) return 'conflict';
  if (message.includes(': dial tcp ')) return 'unreachable';
  if (message.endsWith('has not been initialized')) return 'no informers';
  return message.includes('" not found') ? 'not found' : 'other';
}

/** Milliseconds from the start of a controller manager until it has probed its members. */
const PROBED = 5000;

/**
 * When (epoch milliseconds) the Works of a Push cluster began to fail because the controller manager started and its
 * first probe found the cluster not Ready: informers start with the first successful probe, and each Work waits for a
 * retry. Undefined if it is Ready, or was when the controller manager started.
 */
export function failingSinceStart(
  cluster: Cluster | undefined,
  { handledSince }: Pick<Member, 'handledSince'> = {},
): number | undefined {
  const lost = readyCondition(cluster)?.lastTransitionTime;
  if (handledSince === undefined || !lost || isReady(cluster)) return undefined;
  return instant(lost) <= handledSince + PROBED ? handledSince : undefined;
}

/**
 * When the controller manager last started (epoch milliseconds), by Works that it could not apply before its informers;
 * undefined if there are none.
 */
export function managerStart(works: readonly Work[]): number | undefined {
  const times = works.flatMap((work) => {
    const applied = conditionOf(work.status?.conditions, 'Applied');
    const since = appliedRefusal(work) === 'no informers' && applied?.lastTransitionTime;
    return since ? [instant(since)] : [];
  });
  return times.length > 0 ? largest(times) : undefined;
}

/**
 * Whether some controller, or the member, may still have to act on a Work: it is being deleted, has not been applied,
 * is not reported Healthy, or cannot be reported because its cluster is not Ready; or its replicas may be starting.
 */
export function needsAction(work: Work, cluster: Cluster | undefined): boolean {
  const { metadata, status } = work;
  if (metadata.deletionTimestamp || !isApplied(work)) return true;
  return status?.manifestStatuses?.[0]?.health !== 'Healthy' || !isReady(cluster) || mayStartUncounted(work);
}

/** Whether an object may have starting replicas that no report counts: those of a running Job. */
export function mayStartUncounted(work: Work): boolean {
  const { spec, status } = work;
  if (!isApplied(work)) return false;
  const reported = status?.manifestStatuses?.[0]?.status;
  if (numberIn(reported, 'readyReplicas') !== undefined || (isObject(reported) && reported['completionTime']))
    return false;
  const object = spec?.workload?.manifests?.[0];
  return object !== undefined && (objectReplicas(object) ?? 0) > 0;
}

/** Milliseconds until an applied object is reported. */
const REPORTED = 2000;

/**
 * Whether a Work was applied before `now` (epoch milliseconds) in a Push member that had just recovered, and its object
 * is still unreported because informers have not relisted the member yet.
 */
export function isUnreportedAfterRecovery(work: Work, cluster: Cluster | undefined, now: number): boolean {
  const applied = conditionOf(work.status?.conditions, 'Applied');
  if (applied?.status !== 'True' || !mayBeUnreportedAfterRecovery(work, cluster, now)) return false;
  return now - instant(applied.lastTransitionTime!) > REPORTED;
}

/**
 * The same for a Work that was applied a moment ago, or is about to be applied: its object may stay unreported. An
 * object that was applied before the member recovered, and is unreported, stays so.
 */
export function mayBeUnreportedAfterRecovery(
  { metadata, status }: Work,
  cluster: Cluster | undefined,
  now: number,
): boolean {
  if (metadata.deletionTimestamp || status?.manifestStatuses?.length) return false;
  if (!cluster || !mayBeStale(cluster, now)) return false;
  const applied = conditionOf(status?.conditions, 'Applied');
  if (!applied) return true;
  if (applied.status !== 'True' || !applied.lastTransitionTime) return false;
  return instant(applied.lastTransitionTime) >= instant(readyCondition(cluster)!.lastTransitionTime!);
}

/** Whether a Work was deleted before the Ready condition of its cluster last changed: the deletion did not reach the member. */
export function isDeletionUndelivered(
  { metadata: { deletionTimestamp } }: Work,
  cluster: Cluster | undefined,
): boolean {
  const turned = readyCondition(cluster)?.lastTransitionTime;
  if (!deletionTimestamp || !turned) return false;
  return instant(deletionTimestamp) < instant(turned);
}

/** Whether a member is Ready again, but the controller manager's informers may not have relisted it yet. */
export function mayBeStale(cluster: Cluster, now: number): boolean {
  if (cluster.spec?.syncMode === 'Pull' || !hasRecovered(cluster, now)) return false;
  return now - instant(readyCondition(cluster)!.lastTransitionTime!) < MAX_RELIST_DELAY;
}

/** The write of a Work's status; none if it has not changed. */
export function statusWrite(base: Work, object: Work): Write[] {
  if (object === base) return [];
  return [{ verb: 'update', kind: 'Work', key: workKey(base), part: 'status', lock: true, base, object }];
}
