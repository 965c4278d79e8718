import type { BackOff, Interest } from '../controllers/controller.ts';
import type { SavedPacedKeys } from './pacedKeys.ts';

/** Controllers' memory that no API shows: their queues, timers and failures, as plain JSON. */
export interface SavedQueues {
  /** epoch milliseconds */
  now: number;
  /** keys with their due times, earliest first */
  due: { time: number; controller: string; key: string }[];
  parked: ParkedKey[];
  /** by controller and key */
  memories: Record<string, Record<string, unknown>>;
  /** by "controller key": when retries began, the last message, and the first delay unless it is the default */
  failing: Record<string, { since: number; message: string; first?: number }>;
  /** by controller */
  paced: Record<string, SavedPacedKeys>;
  /** by controller with one worker: until when it is busy (epoch milliseconds), and its waiting keys */
  single: Record<string, { until: number; waiting: string[] }>;
  /** components whose process has ended; absent: all run */
  ended?: string[];
}

/** A key whose next reconciles would find nothing new until one of its interests changes. */
export interface ParkedKey {
  controller: string;
  key: string;
  interests: readonly Interest[];
  /** the skipped reconciles: periodic, or with back-off, starting at `since` (epoch milliseconds) */
  since: number;
  beat: { every: number } | { backOff: BackOff };
  /** the last requested reconcile (epoch milliseconds), unless another one is requested */
  last?: number;
}
