/**
 * "62%": the free part of a cluster's allocatable; "overcommitted by 18%" if more is requested than allocatable.
 * @param free in the unit of `allocatable`, which is above 0
 */
export function freeShare(free: number, allocatable: number): string {
  const percent = Math.floor((free / allocatable) * 100);
  return percent < 0 ? `overcommitted by ${-percent}%` : `${percent}%`;
}

/** "62% of cpu", "cpu overcommitted by 18%" */
export function freeOf(resource: string, free: number, allocatable: number): string {
  const share = freeShare(free, allocatable);
  return free < 0 ? `${resource} ${share}` : `${share} of ${resource}`;
}
