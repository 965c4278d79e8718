import type { SavedEvictionQueue } from '../taints/evictionQueue.ts';
import type { BackOff, Interest } from './controller.ts';

/** What controllers keep in memory, which no API shows: their queues, timers and failures, as plain JSON. */
export interface SavedQueues {
  /** epoch milliseconds */
  now: number;
  /** keys and the instants at which they are due, the first one first */
  due: { time: number; controller: string; key: string }[];
  parked: ParkedKey[];
  /** by controller and key */
  memories: Record<string, Record<string, unknown>>;
  /** by "controller key": from when retries are counted, the last message, and the first delay if it is not the usual one */
  failing: Record<string, { since: number; message: string; first?: number }>;
  /** by controller */
  paced: Record<string, SavedEvictionQueue>;
  /** by controller with one worker: until when that is at a key (epoch milliseconds), and which wait */
  single: Record<string, { until: number; waiting: string[] }>;
}

/** A key whose next looks could only find what its last one found, until something that it is interested in changes. */
export interface ParkedKey {
  controller: string;
  key: string;
  interests: readonly Interest[];
  /** the looks that are left out: every so many milliseconds, or with back-off, from `since` (epoch milliseconds) on */
  since: number;
  beat: { every: number } | { backOff: BackOff };
  /** nothing asks for looks any more, and the one of this instant (epoch milliseconds) is the last that was asked for */
  last?: number;
}
