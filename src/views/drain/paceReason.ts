import type { CurrentPace } from '../../analysis/drain/decide/drainStep.ts';

/** The reason for the pace, and what a person has to do about it, if anything. */
export function paceReason({ mode, cause, reason }: CurrentPace): string {
  if (cause !== 'scheduler' || mode !== 'paused') return reason;
  return `${reason}; check that karmada-scheduler runs: until it answers, nothing more is evicted, and nothing is lost`;
}
