import type { ResourceBinding } from '../../karmada/api/work.ts';
import { placementOf } from '../objects/placement.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** A workload that Karmada moves to and fro without end. */
export interface Flapping {
  /** milliseconds from one time that it is placed so to the next */
  period: number;
  /** the reason of its evictions, as the tasks give it: TaintUntolerated, ApplicationFailure */
  cause: string;
}

/** Finds what never comes to rest. */
export interface FlappingWorkloads {
  of(binding: string): Flapping | undefined;
}

/** A placement with its evictions has to come back so often, at the same distance, to be called a cycle. */
const TIMES = 3;
/** By so much of the period two distances may differ. */
const TOLERANCE = 0.2;

interface Seen {
  /** epoch milliseconds at which it was placed so, by placement */
  at: Map<string, number[]>;
  cause?: string;
  flapping?: Flapping;
}

/**
 * Follows the placements of all bindings, and stops time once nothing but cycles is going on: more of it would tell nothing new.
 *
 * @param lastEvent epoch milliseconds after which nothing happens from outside any more
 */
export function followFlapping(time: VirtualTime, lastEvent: number): FlappingWorkloads {
  const seen = new Map<string, Seen>();
  const flapping = new Set<string>();
  let newsAt = time.now();

  function placed(key: string, before: ResourceBinding | undefined, after: ResourceBinding): void {
    if (
      before?.spec.clusters === after.spec.clusters &&
      before?.spec.gracefulEvictionTasks === after.spec.gracefulEvictionTasks
    )
      return;
    const own = seen.get(key) ?? { at: new Map<string, number[]>() };
    seen.set(key, own);
    const task = after.spec.gracefulEvictionTasks?.at(-1);
    if (task) own.cause = task.reason;
    const { clusters, evicting } = placementOf(after.spec);
    const placement = JSON.stringify([clusters, evicting]);
    const times = [...(own.at.get(placement) ?? []), time.now()].slice(-TIMES);
    own.at.set(placement, times);
    const period = periodOf(times);
    if (period === undefined || own.cause === undefined) {
      if (!flapping.has(key)) newsAt = time.now();
      return;
    }
    own.flapping = { period, cause: own.cause };
    flapping.add(key);
  }

  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind === 'Binding' && change.after) placed(change.key, change.before, change.after);
      else if (change.kind === 'Cluster') newsAt = time.now();
    }
    if (flapping.size === 0 || time.now() < lastEvent) return;
    const longest = Math.max(...[...flapping].map((key) => seen.get(key)!.flapping!.period));
    if (time.now() - newsAt > 2 * longest) time.stop();
  });
  return { of: (key) => seen.get(key)?.flapping };
}

/** The distance at which something has come back each time (milliseconds); undefined if it has not so often yet. */
function periodOf(times: readonly number[]): number | undefined {
  if (times.length < TIMES) return undefined;
  const [first, second, third] = times as [number, number, number];
  const period = third - second;
  return period > 0 && Math.abs(period - (second - first)) <= TOLERANCE * period ? period : undefined;
}
