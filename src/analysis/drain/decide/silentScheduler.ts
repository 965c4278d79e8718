import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { unheardByScheduler } from '../../../karmada/scheduling/unheardByScheduler.ts';
import type { CurrentPace } from './drainStep.ts';

/** Milliseconds. A running scheduler answers within one or two seconds, one that takes over the Lease within 20. */
export const SCHEDULER_SILENCE = 30_000;

/** What a drain knows of the scheduler's answers; times are epoch milliseconds. */
export interface SchedulerHeard {
  /** evicted bindings without an answer, by key, each with the time of the first look that found it so */
  readonly unanswered: Map<string, number>;
  /** the time of the newest look that found an answer */
  answeredAt?: number;
}

/**
 * Notes whether the scheduler has answered for an evicted binding: it writes the generation that it has placed, or a
 * condition that says why it could not. A binding that no scheduler handles shows nothing.
 */
export function noteScheduler(
  { scheduler }: { scheduler: SchedulerHeard },
  binding: ResourceBinding,
  { rules }: Configuration,
  now: number,
): void {
  const key = bindingKey(binding);
  if (isUnanswered(binding) && !unheardByScheduler(binding, rules.scheduling)) {
    if (!scheduler.unanswered.has(key)) scheduler.unanswered.set(key, now);
  } else if (scheduler.unanswered.delete(key)) scheduler.answeredAt = now;
}

/**
 * Notes that a binding is no longer evicted, since somebody has put it back, or that it leaves already, since the
 * scheduler answered between two looks.
 */
export function noteNotEvicted(
  { scheduler }: { scheduler: SchedulerHeard },
  binding: ResourceBinding,
  now: number,
): void {
  if (scheduler.unanswered.delete(bindingKey(binding)) && !isUnanswered(binding)) scheduler.answeredAt = now;
}

function isUnanswered(binding: ResourceBinding): boolean {
  if (binding.status?.schedulerObservedGeneration === undefined) return false;
  const scheduled = conditionOf(binding.status.conditions, 'Scheduled');
  return scheduled?.status !== 'False' && !isScheduled(binding);
}

/**
 * Since when (epoch milliseconds) the scheduler has been silent: something was evicted, and since then it has answered
 * nothing at all. Undefined if nothing waits for an answer.
 *
 * @param present keys of the bindings that the drain still sees: one that is gone waits for nothing
 */
export function silentSince(
  { scheduler: { unanswered, answeredAt = 0 } }: { scheduler: SchedulerHeard },
  present: ReadonlySet<string>,
): number | undefined {
  let oldest: number | undefined;
  for (const [key, since] of unanswered) {
    if (!present.has(key)) unanswered.delete(key);
    else if (oldest === undefined || since < oldest) oldest = since;
  }
  return oldest === undefined ? undefined : Math.max(oldest, answeredAt);
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
