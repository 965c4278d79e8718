import type { Recording } from './recording.ts';
import type { ReplayResult, Step } from './replay.ts';

type Different = ReplayResult['different'][number];

/** A difference and all that is needed to see whether Karmada itself leaves it open. */
export interface RaceFacts {
  recording: Recording;
  /** epoch milliseconds at which the simulation starts */
  at: number;
  /** all bindings that differ */
  different: readonly Different[];
}

/** Milliseconds that Karmada's steps come sooner or later by chance. */
const MOMENT = 1000;

/**
 * The rule by which a difference is a race of Karmada's own: what happens first is left to chance there, so that the
 * same incident goes both ways. Undefined for a difference that counts.
 */
export function raceOf(different: Different, { recording, at }: RaceFacts): string | undefined {
  const { recorded, simulated } = different;
  if (sameSteps(lasting(recorded, recording.until), lasting(simulated, recording.until)))
    return 'a placement that lasted less than a second';
  const beforeEnd = recording.until - 2 * MOMENT;
  const [real, ours] = [recorded, simulated].map((steps) =>
    steps.filter(({ time }) => time === at || time < beforeEnd),
  ) as [Step[], Step[]];
  if (real.length + ours.length < recorded.length + simulated.length && isPrefix(real, ours))
    return 'the recording ends within two seconds of the step';
  return undefined;
}

function sameSteps(a: Step[], b: Step[]): boolean {
  return a.length === b.length && isPrefix(a, b);
}

/** Whether one is how the other begins. */
function isPrefix(a: Step[], b: Step[]): boolean {
  return a.slice(0, b.length).every(({ placement }, i) => placement === b[i]!.placement);
}

/** Steps without those that lasted for a moment only; the first and the last stay. */
function lasting(steps: Step[], until: number): Step[] {
  const kept = steps.filter(
    ({ time }, i) => i === 0 || i === steps.length - 1 || (steps[i + 1]?.time ?? until) - time >= MOMENT,
  );
  return kept.filter(({ placement }, i) => i === 0 || placement !== kept[i - 1]!.placement);
}
