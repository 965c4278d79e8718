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
  /** by "controller key": the first failure since the last success, and its message */
  failing: Record<string, { since: number; message: string }>;
  /** by "controller key": until when (epoch milliseconds) it is busy with others */
  busyUntil: Record<string, number>;
  /** by controller */
  paced: Record<string, SavedEvictionQueue>;
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
