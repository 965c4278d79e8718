import { LATE } from './races.ts';
import type { PlacementStep } from './replay.ts';

/** How many steps before the next one a simulation may start: a capture shows effects in progress only in part. */
const STEPS_BACK = 4;

/** Milliseconds after the next step until which simulations run. */
const AHEAD = 20_000;

/** The steps of a binding in simulations that start at an instant (epoch milliseconds) and end at another, one for each order. */
export type SimulationsFrom = (start: number, until: number) => Iterable<PlacementStep[]>;

/**
 * Whether Karmada took each step of a way as in some simulation that starts at one of the steps just before, in some order and at about the
 * same time, and rests as long after the last of them.
 * @param recorded the way, where it starts first
 * @param until epoch milliseconds at which the recording ends; the last two seconds do not count
 */
export function isTakenStepByStep(
  recorded: readonly PlacementStep[],
  until: number,
  simulations: SimulationsFrom,
): boolean {
  const end = until - LATE;
  const way = recorded.filter(({ time }, index) => index === 0 || time < end);
  let taken = 0;
  while (taken < way.length) {
    const next = fartherFrom(way, taken, end, simulations);
    if (next === undefined) return false;
    taken = next;
  }
  return true;
}

/** How many more steps simulations take that start shortly before: the number of steps taken then; undefined for none. */
function fartherFrom(
  way: readonly PlacementStep[],
  taken: number,
  end: number,
  simulations: SimulationsFrom,
): number | undefined {
  const until = Math.min(end, (way[taken + 1]?.time ?? end) + AHEAD);
  for (let from = taken; from >= Math.max(0, taken - STEPS_BACK); from--)
    for (const simulated of simulations(way[from]!.time, until)) {
      const alike = stepsAlike(way.slice(from), simulated);
      const reached = from + alike - 1;
      const rests = reached === way.length - 1 && until === end && simulated.length === alike;
      if (rests) return way.length;
      if (reached > taken) return reached;
    }
  return undefined;
}

/** The number of common first steps of two ways, at about the same times. */
function stepsAlike(real: readonly PlacementStep[], simulated: readonly PlacementStep[]): number {
  const parting = real.findIndex(({ time, placement }, i) => {
    const ours = simulated[i];
    return ours?.placement !== placement || (i > 0 && Math.abs(ours.time - time) > LATE);
  });
  return parting === -1 ? real.length : parting;
}
