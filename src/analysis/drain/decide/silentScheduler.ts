import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { formatDuration, instant } from '../../../kubernetes/time.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { unseenByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import { latestOf, type SchedulerResponse } from './drainMemory.ts';
import type { CurrentPace } from './drainStep.ts';

/** Milliseconds. A running scheduler responds within one or two seconds, one that takes over the Lease within 20. */
export const SCHEDULER_TIMEOUT = 30_000;

/**
 * The scheduler's response for a binding in a round. For an evicted one it writes the generation that it has placed, or
 * a condition with the error; a binding that no scheduler handles shows neither. A binding no longer evicted was put
 * back, or the scheduler responded between two rounds.
 *
 * @param waitsSince since when (epoch milliseconds) it waits for the response, if first seen now; undefined: not
 *   evicted
 */
export function responseOf<H extends SchedulerResponse>(
  known: H,
  binding: ResourceBinding,
  waitsSince: number | undefined,
  { configuration: { rules }, now }: { configuration: Pick<Configuration, 'rules'>; now: number },
): H {
  const isEvicted = waitsSince !== undefined;
  const waits = isUnanswered(binding) && (!isEvicted || !unseenByScheduler(binding, rules.scheduling));
  if (isEvicted && waits)
    return known.unanswered === undefined ? { ...known, unanswered: waitsSince } : known;
  if (known.unanswered === undefined) return known;
  const { unanswered: _outstanding, ...rest } = known;
  return { ...rest, ...(waits ? {} : { answered: now }) } as H;
}

/**
 * Epoch milliseconds since when an evicted binding, new to this run, waits for the scheduler. That is its eviction,
 * unless the scheduler has placed it since: then it waits for a later change.
 */
export function waitsSince(binding: ResourceBinding, evictedAt: number | undefined, now: number): number {
  const placed = placedAt(binding, now);
  return evictedAt === undefined || (placed !== undefined && placed >= evictedAt) ? now : evictedAt;
}

/** When the scheduler last placed any of the bindings, for a run without earlier responses; epoch milliseconds. */
export function lastPlacement(bindings: Iterable<ResourceBinding>, now: number): number | undefined {
  let newest: number | undefined;
  for (const binding of bindings) newest = latestOf(newest, placedAt(binding, now));
  return newest;
}

/** A future time comes from a fast clock and is ignored. */
function placedAt({ status }: ResourceBinding, now: number): number | undefined {
  const at = status?.lastScheduledTime ? instant(status.lastScheduledTime) : undefined;
  return at !== undefined && at <= now ? at : undefined;
}

function isUnanswered(binding: ResourceBinding): boolean {
  if (binding.status?.schedulerObservedGeneration === undefined) return false;
  const scheduled = conditionOf(binding.status.conditions, 'Scheduled');
  return scheduled?.status !== 'False' && !isScheduled(binding);
}

/**
 * Since when (epoch milliseconds) the scheduler has been silent: since an eviction without any response after it.
 * Undefined if nothing waits for a response.
 */
export function unresponsiveSince(heard: Iterable<SchedulerResponse>): number | undefined {
  let oldest: number | undefined;
  let newest = 0;
  for (const { unanswered, answered = 0 } of heard) {
    if (unanswered !== undefined && (oldest === undefined || unanswered < oldest)) oldest = unanswered;
    if (answered > newest) newest = answered;
  }
  return oldest === undefined ? undefined : Math.max(oldest, newest);
}

/** The pace while the scheduler is silent: paused, since evicted workloads would not be placed. */
export function pausedByScheduler(pace: CurrentPace, since: number, now: number): CurrentPace {
  const silence = formatDuration(Math.floor((now - since) / 1000) * 1000);
  return {
    ...pace,
    mode: 'paused',
    rate: 0,
    cause: 'scheduler',
    reason: `the scheduler has not rescheduled any eviction for ${silence}`,
  };
}
