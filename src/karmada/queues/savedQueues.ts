import type { BackOff, Interest } from '../controllers/controller.ts';
import type { SavedPacedKeys } from './pacedKeys.ts';

/** What controllers keep in memory, which no API shows: their queues, timers and failures, as plain JSON. */
export interface SavedQueues {
  /** epoch milliseconds */
  now: number;
  /** keys and when they are due, earliest first */
  due: { time: number; controller: string; key: string }[];
  parked: ParkedKey[];
  /** by controller and key */
  memories: Record<string, Record<string, unknown>>;
  /** by "controller key": when retries began, the last message, and the first delay if it is not the default */
  failing: Record<string, { since: number; message: string; first?: number }>;
  /** by controller */
  paced: Record<string, SavedPacedKeys>;
  /** by controller with one worker: until when it is busy (epoch milliseconds), and which keys wait */
  single: Record<string, { until: number; waiting: string[] }>;
  /** components whose process has ended; absent: all run */
  ended?: string[];
}

/** A key whose next looks would find nothing new until something that it is interested in changes. */
export interface ParkedKey {
  controller: string;
  key: string;
  interests: readonly Interest[];
  /** the skipped looks: every so many milliseconds, or with back-off, from `since` (epoch milliseconds) on */
  since: number;
  beat: { every: number } | { backOff: BackOff };
  /** the last look that was asked for (epoch milliseconds), if nothing asks for another */
  last?: number;
}
