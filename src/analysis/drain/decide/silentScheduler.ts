import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { unheardByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import type { Heard } from './drainMemory.ts';
import type { CurrentPace } from './drainStep.ts';

/** Milliseconds. A running scheduler answers within one or two seconds, one that takes over the Lease within 20. */
export const SCHEDULER_SILENCE = 30_000;

/**
 * What is known of the scheduler's answer for a binding after a look. For an evicted one it writes the generation that it has placed, or a
 * condition that says why it could not; a binding that no scheduler handles shows nothing. One that is not evicted any more was put back by
 * somebody, or leaves already, since the scheduler answered between two looks.
 */
export function heardOf<H extends Heard>(
  known: H,
  binding: ResourceBinding,
  isEvicted: boolean,
  { configuration: { rules }, now }: { configuration: Pick<Configuration, 'rules'>; now: number },
): H {
  const waits = isUnanswered(binding) && (!isEvicted || !unheardByScheduler(binding, rules.scheduling));
  if (isEvicted && waits) return known.unanswered === undefined ? { ...known, unanswered: now } : known;
  if (known.unanswered === undefined) return known;
  const { unanswered: _outstanding, ...rest } = known;
  return { ...rest, ...(waits ? {} : { answered: now }) } as H;
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
