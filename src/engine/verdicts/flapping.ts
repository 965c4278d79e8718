import type { ResourceBinding } from '../../karmada/api/work.ts';
import { placementOf } from '../objects/placement.ts';
import type { Flapping, SavedFlapping } from '../store/savedSimulation.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** Finds what never comes to rest. */
export interface FlappingWorkloads {
  of(binding: string): Flapping | undefined;
  /** nothing but cycles goes on: more of it would tell nothing new */
  cyclesAlone(): boolean;
  save(): SavedFlapping;
}

/** A placement with its evictions has to come back so often, at the same distance, to be called a cycle. */
const TIMES = 3;
/** By so much of the period two distances may differ. */
const TOLERANCE = 0.2;

interface Seen {
  /** epoch milliseconds at which it was placed so, by placement */
  at: Map<string, number[]>;
  /** the placement that it has */
  last?: string;
  cause?: string;
  flapping?: Flapping;
}

/**
 * Follows the placements of all bindings.
 *
 * @param lastEvent epoch milliseconds after which nothing happens from outside any more
 * @param onCyclesAlone is told once when nothing but cycles goes on
 * @param saved what an earlier run has saved
 */
export function followFlapping(
  time: VirtualTime,
  lastEvent: number,
  onCyclesAlone: () => void,
  saved?: SavedFlapping,
): FlappingWorkloads {
  const seen = new Map(Object.entries(saved?.seen ?? {}).map(([key, one]) => [key, seenOf(one)]));
  const flapping = new Set<string>([...seen].flatMap(([key, one]) => (one.flapping ? [key] : [])));
  let newsAt = saved?.newsAt ?? time.now();
  let cyclesAlone = (saved?.cyclesAlone ?? false) && lastEvent <= time.now();
  if (cyclesAlone) onCyclesAlone();

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
    // A task that is stamped or changed leaves the workload where it is.
    if (placement === own.last) return;
    own.last = placement;
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
    if (cyclesAlone || flapping.size === 0 || time.now() < lastEvent) return;
    const longest = Math.max(...[...flapping].map((key) => seen.get(key)!.flapping!.period));
    if (time.now() - newsAt <= 2 * longest) return;
    cyclesAlone = true;
    onCyclesAlone();
  });
  /** What came back at a steady distance and then stayed has come to rest. */
  function of(key: string): Flapping | undefined {
    const own = seen.get(key);
    if (!own?.flapping) return undefined;
    const placedAt = own.last === undefined ? undefined : own.at.get(own.last)?.at(-1);
    return placedAt === undefined || time.now() - placedAt <= 2 * own.flapping.period
      ? own.flapping
      : undefined;
  }

  return {
    of,
    cyclesAlone: () => cyclesAlone,
    save: () => ({
      newsAt,
      cyclesAlone,
      seen: Object.fromEntries(
        [...seen].map(([key, { at, ...rest }]) => [key, { ...rest, at: Object.fromEntries(at) }]),
      ),
    }),
  };
}

function seenOf({ at, ...rest }: SavedFlapping['seen'][string]): Seen {
  return { ...rest, at: new Map(Object.entries(at)) };
}

/** The distance at which something has come back each time (milliseconds); undefined if it has not so often yet. */
function periodOf(times: readonly number[]): number | undefined {
  if (times.length < TIMES) return undefined;
  const [first, second, third] = times as [number, number, number];
  const period = third - second;
  return period > 0 && isSamePeriod(period, second - first) ? period : undefined;
}

/** Whether two distances (milliseconds) are of one cycle. */
export function isSamePeriod(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE * a;
}
