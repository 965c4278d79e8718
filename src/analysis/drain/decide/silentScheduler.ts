import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { formatDuration, instant } from '../../../kubernetes/time.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { unheardByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import { latest, type Heard } from './drainMemory.ts';
import type { CurrentPace } from './drainStep.ts';

/** Milliseconds. A running scheduler answers within one or two seconds, one that takes over the Lease within 20. */
export const SCHEDULER_SILENCE = 30_000;

/**
 * What is known of the scheduler's answer for a binding after a look. For an evicted one it writes the generation that it has placed, or a
 * condition that says why it could not; a binding that no scheduler handles shows nothing. One that is no longer evicted was put back by
 * somebody, or leaves already, since the scheduler answered between two looks.
 *
 * @param waitsSince since when (epoch milliseconds) it waits for the answer, if that is seen for the first time; undefined: it is not evicted
 */
export function heardOf<H extends Heard>(
  known: H,
  binding: ResourceBinding,
  waitsSince: number | undefined,
  { configuration: { rules }, now }: { configuration: Pick<Configuration, 'rules'>; now: number },
): H {
  const isEvicted = waitsSince !== undefined;
  const waits = isUnanswered(binding) && (!isEvicted || !unheardByScheduler(binding, rules.scheduling));
  if (isEvicted && waits)
    return known.unanswered === undefined ? { ...known, unanswered: waitsSince } : known;
  if (known.unanswered === undefined) return known;
  const { unanswered: _outstanding, ...rest } = known;
  return { ...rest, ...(waits ? {} : { answered: now }) } as H;
}

/**
 * Since when an evicted binding without an answer waits for it, for a run that has not seen it before: since its eviction, unless the
 * scheduler has placed it since, so that what waits is a later change. Epoch milliseconds.
 */
export function waitsSince(binding: ResourceBinding, evictedAt: number | undefined, now: number): number {
  const placed = placedAt(binding, now);
  return evictedAt === undefined || (placed !== undefined && placed >= evictedAt) ? now : evictedAt;
}

/** When the scheduler has last placed any of the bindings, for a run that has heard nothing of it before; epoch milliseconds. */
export function lastPlacement(bindings: Iterable<ResourceBinding>, now: number): number | undefined {
  let newest: number | undefined;
  for (const binding of bindings) newest = latest(newest, placedAt(binding, now));
  return newest;
}

/** A time in the future comes from a clock that is ahead, and says nothing. */
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
 * Since when (epoch milliseconds) the scheduler has been silent: something was evicted, and since then it has answered
 * nothing at all. Undefined if nothing waits for an answer.
 */
export function silentSince(heard: Iterable<Heard>): number | undefined {
  let oldest: number | undefined;
  let newest = 0;
  for (const { unanswered, answered = 0 } of heard) {
    if (unanswered !== undefined && (oldest === undefined || unanswered < oldest)) oldest = unanswered;
    if (answered > newest) newest = answered;
  }
  return oldest === undefined ? undefined : Math.max(oldest, newest);
}

/** The pace while the scheduler is silent: paused, since nobody would place what is evicted. */
export function pausedBySilence(pace: CurrentPace, since: number, now: number): CurrentPace {
  const silence = formatDuration(Math.floor((now - since) / 1000) * 1000);
  return {
    ...pace,
    mode: 'paused',
    rate: 0,
    cause: 'scheduler',
    reason: `the scheduler has answered no eviction for ${silence}`,
  };
}
