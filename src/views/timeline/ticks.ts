const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000);

/** Milliseconds after the start at which a scale of this length has about `wanted` marks. */
export function ticksOf(length: number, wanted: number): number[] {
  const least = length / Math.max(1, wanted);
  const days = 86_400_000;
  const step = STEPS.find((one) => one >= least) ?? Math.ceil(least / days) * days;
  const ticks: number[] = [];
  for (let at = 0; at <= length; at += step) ticks.push(at);
  return ticks;
}
