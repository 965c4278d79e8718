import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import type { Unready } from './judge.ts';

/** Something uncertain that an answer depends on, in words that follow "depends on". */
export interface Doubt {
  certainty: Exclude<Certainty, 'certain'>;
  what: string;
  /** what would settle it, and how to give it */
  missing?: string;
}

/** A doubt: what decides is only partly known, or guessed. */
export const estimate = (what: string): Doubt => ({ certainty: 'estimate', what });

/** A doubt: what decides is unknown. */
export const unknown = (what: string): Doubt => ({ certainty: 'unknown', what });

/** The doubt about a retry; it does not matter if the workload is never placed. */
export const RETRY = estimate(
  'when the scheduler tries again what it could not place: its back-off doubles with every failure, and only its queue knows how often it failed',
);

/** What is known of a workload when it is judged. */
export interface JudgedWorkload {
  /** of its binding */
  key: string;
  initial: ResourceBinding;
  evicted: boolean;
  /** its clusters that failed or got a NoExecute taint, and those of them that nothing tainted */
  troubled: ReadonlySet<string>;
  untainted: readonly string[];
  unready: Unready | undefined;
  /** if it was evicted: the clusters on which its replicas of the start are late and not ready yet */
  late: readonly string[];
}
