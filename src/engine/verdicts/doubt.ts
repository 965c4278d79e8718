import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Certainty } from '../evidence.ts';
import type { Unready } from './judge.ts';

/** What an outcome depends on without being sure of it, in words that follow "depends on". */
export interface Doubt {
  certainty: Exclude<Certainty, 'certain'>;
  what: string;
}

/** What Karmada decides by is known in part, or guessed. */
export const estimate = (what: string): Doubt => ({ certainty: 'estimate', what });

/** Nothing tells. */
export const unknown = (what: string): Doubt => ({ certainty: 'unknown', what });

/** What is never placed ends the same whenever it is tried again. */
export const RETRY = estimate(
  'when the scheduler tries again what it could not place: its back-off doubles with every failure, and only its queue knows how often it failed',
);

/** What is known of a workload when its outcome is judged. */
export interface JudgedWorkload {
  /** of its binding */
  key: string;
  initial: ResourceBinding;
  evicted: boolean;
  /** its clusters that failed or got a NoExecute taint, and those of them that nothing tainted */
  troubled: ReadonlySet<string>;
  untainted: readonly string[];
  unready: Unready | undefined;
  /** of what was evicted: clusters on which what it had at the start is not ready yet, and late */
  late: readonly string[];
}
