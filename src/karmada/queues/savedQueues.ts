import type { BackOff, Interest } from '../controllers/controller.ts';
import type { SavedPacedKeys } from './pacedKeys.ts';
import type { SavedTokenBucket } from './tokenBucket.ts';

/** Controllers' memory that no API shows: their queues, timers and failures, as plain JSON. */
export interface SavedQueues {
  /** epoch milliseconds */
  now: number;
  /** keys with their due times, earliest first */
  due: { time: number; controller: string; key: string }[];
  parked: ParkedKey[];
  /** by controller and key */
  memories: Record<string, Record<string, unknown>>;
  /** by "controller key": the start of its retries, the next delay, and the last message */
  failing: Record<string, { since: number; message: string; first: number }>;
  /** tokens for retries, by controller, for those in an agent by "controller cluster"; absent: all buckets are full */
  buckets?: Record<string, SavedTokenBucket>;
  /** by controller */
  paced: Record<string, SavedPacedKeys>;
  /** by controller with one worker: when it becomes free (epoch milliseconds), and its waiting keys */
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
