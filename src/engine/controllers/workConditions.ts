import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, ConditionStatus } from '../../karmada/api/meta.ts';
import type { Work } from '../../karmada/api/work.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { workKey } from '../objects/identities.ts';
import type { Write } from './write.ts';

/** What a controller says of a Work. */
interface StatedCondition {
  type: string;
  status: ConditionStatus;
  reason: string;
  message: string;
}

/** A Work with a condition as it is at `now` (epoch milliseconds); the same Work if it has it already. */
export function withCondition(
  work: Work,
  { type, status, reason, message }: StatedCondition,
  now: number,
): Work {
  const conditions = work.status?.conditions ?? [];
  const existing = conditions.find((one) => one.type === type);
  if (existing?.status === status && existing.reason === reason && existing.message === message) return work;
  const condition: Condition = {
    ...existing,
    type,
    status,
    reason,
    message,
    lastTransitionTime: existing?.status === status ? existing.lastTransitionTime! : rfc3339(now),
  };
  if (condition.lastTransitionTime === undefined) delete condition.lastTransitionTime;
  return {
    ...work,
    status: {
      ...work.status,
      conditions: existing
        ? conditions.map((one) => (one === existing ? condition : one))
        : [...conditions, condition],
    },
  };
}

/** Whether a Work is brought to its member, as the execution controller says it first of all. */
export function dispatchingCondition(suspended: boolean): StatedCondition {
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

/** Whether the object of a Work has been applied in its member. */
export function isApplied(work: Work): boolean {
  return (work.status?.conditions ?? []).some(({ type, status }) => type === 'Applied' && status === 'True');
}

/**
 * Whether a controller may be in the middle of something with a Work: it is being deleted, has not been applied, is not reported
 * as Healthy, or nothing can be reported because its cluster is not Ready.
 */
export function isOpen(work: Work, cluster: Cluster | undefined): boolean {
  const { metadata, status } = work;
  if (metadata.deletionTimestamp || !isApplied(work)) return true;
  return status?.manifestStatuses?.[0]?.health !== 'Healthy' || !isReady(cluster);
}

/** Milliseconds within which an object is reported after it was applied. */
const REPORTED = 2000;

/** Whether a Work was applied a while before `now` (epoch milliseconds), and nothing has been reported of its object. */
export function isUnheard({ metadata, status }: Work, now: number): boolean {
  const applied = status?.conditions?.find(({ type }) => type === 'Applied');
  if (metadata.deletionTimestamp || applied?.status !== 'True' || !applied.lastTransitionTime) return false;
  return !status?.manifestStatuses?.length && now - instant(applied.lastTransitionTime) > REPORTED;
}

/** The write of a Work's status; none if it has not changed. */
export function statusWrite(base: Work, object: Work): Write[] {
  if (object === base) return [];
  return [{ verb: 'update', kind: 'Work', key: workKey(base), part: 'status', lock: true, base, object }];
}
