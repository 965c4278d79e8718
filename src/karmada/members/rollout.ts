import type { ResourceHealth } from '../api/work.ts';
import { copyHealth } from '../works/workStatus.ts';
import type { Copy } from '../controllers/kinds.ts';
import type { DeclaredHooks } from '../controllers/view.ts';
import { rolloutHealth } from '../status/memberObject.ts';
import { firstStatus, reportedStatus, unobservedStatus } from '../status/reportedStatus.ts';
import type { MemberAssumptions } from './memberAssumptions.ts';
import { isNeverReady, readyTime } from './readyTime.ts';

/**
 * A copy after its member's controllers have seen what was applied at `now` (epoch milliseconds): replicas to start get
 * the time at which they are ready, or never are. Custom resources report their counts at once; the built-in kinds
 * leave out counts of 0.
 *
 * @param sample the raw status of another object of a kind that Karmada reflects whole
 */
export function startRollout(
  copy: Copy,
  assumptions: MemberAssumptions,
  hooks: DeclaredHooks,
  now: number,
  sample?: unknown,
): Copy {
  const { unobserved, readyAt, stuck: _, ...seen } = copy;
  const first =
    unobserved === 'new' && copy.status === undefined
      ? firstStatus(copy.workload, copy.replicas, sample)
      : undefined;
  if (first !== undefined) seen.status = first;
  if (!waits(copy, unobserved === 'new', hooks)) return withAllReady(seen);
  const raw = unobservedStatus(copy.workload, seen.status);
  return {
    ...seen,
    ...(raw !== undefined && { status: raw }),
    ...(isNeverReady(assumptions, copy.cluster, copy.workload)
      ? { stuck: true }
      : { readyAt: readyAt ?? readyTime(now, assumptions, copy.cluster, copy.workload) }),
  };
}

/** The copy with all of its replicas ready. */
export function withAllReady(copy: Copy): Copy {
  const { readyAt: _, stuck: __, ...kept } = copy;
  const raw = reportedStatus(copy.workload, copy.replicas, copy.replicas, copy.status);
  return { ...kept, ready: copy.replicas, ...(raw !== undefined && { status: raw }) };
}

/** A copy with a health that does not depend on its replicas: none of them is ready unless it is Healthy. */
export function withHealth(copy: Copy, health: ResourceHealth, hooks: DeclaredHooks): Copy {
  const { health: _, unobserved: __, ...before } = copy;
  if (health === 'Healthy') {
    const ready = withAllReady(before);
    return copyHealth(ready, hooks) === health ? ready : { ...ready, health };
  }
  const { readyAt: ___, ...kept } = before;
  const raw = reportedStatus(copy.workload, copy.replicas, 0, copy.status);
  return { ...kept, ready: 0, stuck: true, health, ...(raw !== undefined && { status: raw }) };
}

/** Whether a copy needs time to start: replicas do, and other kinds if their health shows the start. */
function waits({ object, replicas, ready }: Copy, isNew: boolean, hooks: DeclaredHooks): boolean {
  if (replicas > 0) return ready < replicas;
  const rollout = { replicas, ready, complete: false, observed: true };
  return isNew && rolloutHealth(object, rollout, hooks) !== 'Healthy';
}
