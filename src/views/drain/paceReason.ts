import type { CurrentPace } from '../../engine/drain/decide/drainStep.ts';

/** Why the pace is what it is, and what a person has to do about it, if anything. */
export function paceReason({ mode, cause, reason }: CurrentPace): string {
  if (cause !== 'scheduler' || mode !== 'paused') return reason;
  return `${reason}; see that karmada-scheduler runs: nothing more is evicted until it answers, and nothing is lost meanwhile`;
}
