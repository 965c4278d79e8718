import type { Steps } from '../recordings/replay.ts';

/** Seconds between a recording and its simulation, ascending. */
export interface TimesOff {
  /** of the first, second, … binding that moves: Karmada leaves to chance which one that is */
  starts: number[];
  /** from a binding's first move to each of its later ones */
  durations: number[];
}

/** How far a simulation's times are off, for bindings that take the same steps in both. */
export function timesOff(same: string[], recorded: Steps, simulated: Steps): TimesOff {
  const starts = (steps: Steps) => same.map((key) => steps.get(key)?.[1]?.time ?? 0).sort((a, b) => a - b);
  const durations = (steps: Steps) =>
    same.flatMap((key) => {
      const [, first, ...later] = steps.get(key) ?? [];
      return later.map(({ time }) => time - (first?.time ?? 0));
    });
  const off = (real: number[], ours: number[]) =>
    real.map((time, i) => Math.abs(time - (ours[i] ?? 0)) / 1000).sort((a, b) => a - b);
  return {
    starts: off(starts(recorded), starts(simulated)),
    durations: off(durations(recorded), durations(simulated)),
  };
}
