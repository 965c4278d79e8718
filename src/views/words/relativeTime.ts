import { duration } from './duration.ts';

/** A time seen from `now`, both in epoch milliseconds: "in 2m19s", "41s ago", "now". */
export function relativeTime(time: number, now: number): string {
  if (Math.abs(time - now) < 1000) return 'now';
  return time > now ? `in ${duration(time - now)}` : `${duration(now - time)} ago`;
}
