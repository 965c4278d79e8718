import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Copy } from '../controllers/kinds.ts';
import type { ChangeOf } from '../controllers/write.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { bindingKey } from '../objects/identities.ts';
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
/** So long (milliseconds) cycles go on for the sake of others that wait for a deadline. */
const PATIENCE = 3600_000;

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
 *
 * Longer than a function should be: all that happens to a workload is one story, and what is saved of it.
 */
export function followFlapping(
  time: VirtualTime,
  lastEvent: number,
  onCyclesAlone: () => void,
  saved?: SavedFlapping,
): FlappingWorkloads {
  const seen = new Map(Object.entries(saved?.seen ?? {}).map(([key, one]) => [key, seenOf(one)]));
  const flapping = new Set<string>([...seen].flatMap(([key, one]) => (one.flapping ? [key] : [])));
  /** instants (epoch milliseconds) until which bindings are tolerated, and those that have tasks which will end */
  const tolerated = new Map<string, number>(Object.entries(saved?.tolerated ?? {}));
  let leaving: Set<string> | undefined;
  /** instants at which the replicas of copies get ready, by key of the copy */
  const ready = new Map<string, [binding: string, at: number]>();
  let newsAt = saved?.newsAt ?? time.now();
  let cyclesAlone = (saved?.cyclesAlone ?? false) && lastEvent <= time.now();
  if (cyclesAlone) onCyclesAlone();

  function placed(key: string, before: ResourceBinding | undefined, after: ResourceBinding): void {
    if (
      before?.spec.clusters === after.spec.clusters &&
      before?.spec.gracefulEvictionTasks === after.spec.gracefulEvictionTasks
    )
      return;
    if (isLeaving(after)) leaving?.add(key);
    else leaving?.delete(key);
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

  function noteReady(key: string, copy: Copy | undefined): void {
    const binding = copy?.readyAt === undefined ? undefined : time.view.bindingFor(copy.workload);
    if (binding) ready.set(key, [bindingKey(binding), copy!.readyAt!]);
    else ready.delete(key);
  }

  /** Whether something that does not flap will still happen, with nothing but time to bring it. */
  function othersWait(): boolean {
    if (time.now() - newsAt > PATIENCE) return false;
    if (!leaving) {
      leaving = new Set([...time.view.all('Binding')].filter(isLeaving).map(bindingKey));
      for (const [key, copy] of time.view.entries('Copy')) noteReady(key, copy);
    }
    for (const key of leaving) if (!of(key)) return true;
    for (const [key, at] of [...tolerated, ...ready.values()]) if (at >= time.now() && !of(key)) return true;
    return false;
  }

  time.follow(({ changes, step }) => {
    for (const note of step?.notes ?? [])
      if (note.type === 'Tolerated' && note.until !== undefined) tolerated.set(note.binding, note.until);
    for (const change of changes) {
      if (change.kind === 'Binding' && change.after) placed(change.key, change.before, change.after);
      else if (change.kind === 'Binding') leaving?.delete(change.key);
      else if (change.kind === 'Copy' && leaving) noteReady(change.key, change.after);
      else if (change.kind === 'Cluster' && isNews(change)) newsAt = time.now();
    }
    if (cyclesAlone || flapping.size === 0 || time.now() < lastEvent) return;
    const longest = Math.max(...[...flapping].map((key) => seen.get(key)!.flapping!.period));
    if (time.now() - newsAt <= 2 * longest || othersWait()) return;
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
      tolerated: Object.fromEntries(tolerated),
      seen: Object.fromEntries(
        [...seen].map(([key, { at, ...rest }]) => [key, { ...rest, at: Object.fromEntries(at) }]),
      ),
    }),
  };
}

/** What a cluster reports of its room goes up and down with whatever flaps there. */
function isNews({ before, after }: ChangeOf<'Cluster'>): boolean {
  if (!before || !after) return true;
  return (
    before.metadata !== after.metadata || before.spec !== after.spec || isReady(before) !== isReady(after)
  );
}

/** Its tasks end some day, by themselves. */
function isLeaving({ spec }: ResourceBinding): boolean {
  return spec.gracefulEvictionTasks?.some(({ suppressDeletion }) => suppressDeletion !== true) ?? false;
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
