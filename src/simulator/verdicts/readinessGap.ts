import type { ReplicaGap } from './outcome.ts';

/** Follows how many ready replicas a workload lacks. Times are epoch milliseconds. */
export interface GapTracker {
  observe(now: number, ready: number): void;
  /** `end` closes a gap that is still open; undefined if there were never fewer ready replicas than `baseline` */
  result(end: number): ReplicaGap | undefined;
}

/**
 * Follows how many ready replicas are missing of `baseline`.
 *
 * @param told called whenever that number changes
 */
export function trackGap(baseline: number, told?: (now: number, missing: number) => void): GapTracker {
  let last = 0;
  let most = 0;
  let total = 0;
  let since: number | undefined;
  return {
    observe(now, ready) {
      const missing = Math.max(0, baseline - ready);
      most = Math.max(most, missing);
      if (missing !== last) told?.(now, missing);
      last = missing;
      if (missing > 0) since ??= now;
      else if (since !== undefined) {
        total += now - since;
        since = undefined;
      }
    },
    result(end) {
      if (most === 0) return undefined;
      const open = since !== undefined;
      const milliseconds = total + (since === undefined ? 0 : end - since);
      if (milliseconds === 0) return undefined;
      return { replicas: most, seconds: milliseconds / 1000, open, ...(open ? { atEnd: last } : {}) };
    },
  };
}
