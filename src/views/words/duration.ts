const UNITS: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** A duration in at most two units, like kubectl's ages: 45s, 3m12s, 2h5m, 4d. Negative ones count down. */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`;
  let rest = Math.floor(milliseconds / 1000) * 1000;
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first === -1) return '0s';
  let text = '';
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

/** How long ago an instant was, both in epoch milliseconds; clocks that differ by a second count as equal. */
export function age(since: number, now: number): string {
  return since > now + 1000 ? 'in the future' : duration(Math.max(0, now - since));
}

/** "for 5m": how long something has lasted since an instant, both in epoch milliseconds. */
export function lasting(since: number, now: number): string {
  return since > now + 1000 ? 'since a time in the future' : `for ${age(since, now)}`;
}

/** A time relative to `now`, both in epoch milliseconds: "in 2m19s", "41s ago", "now". */
export function relativeTime(time: number, now: number): string {
  if (Math.abs(time - now) < 1000) return 'now';
  return time > now ? `in ${duration(time - now)}` : `${duration(now - time)} ago`;
}
