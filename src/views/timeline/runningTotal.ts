/** A part of a total, over a time; times are epoch milliseconds. */
export interface Stretch {
  from: number;
  /** absent: to the end */
  to?: number | undefined;
  amount: number;
}

/** What the stretches come to together, from each time on, the start first. */
export function runningTotal(stretches: Iterable<Stretch>, start: number): { time: number; total: number }[] {
  const changes = new Map<number, number>();
  const add = (time: number, by: number) => changes.set(time, (changes.get(time) ?? 0) + by);
  for (const { from, to, amount } of stretches) {
    add(from, amount);
    if (to !== undefined) add(to, -amount);
  }
  let total = 0;
  const steps = [...changes]
    .sort(([a], [b]) => a - b)
    .filter(([, by]) => by !== 0)
    .map(([time, by]) => ({ time, total: (total += by) }));
  return steps[0]?.time === start ? steps : [{ time: start, total: 0 }, ...steps];
}
