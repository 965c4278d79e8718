import type { ResourceBinding } from '../../karmada/api/work.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { ChangeOf } from '../../karmada/controllers/write.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingKey, identityOf, snapshotKey } from '../../karmada/objects/identities.ts';
import { placementOf } from '../../karmada/objects/placement.ts';
import type { Flapping, SavedFlapping } from '../store/savedSimulation.ts';
import type { Pending, VirtualTime } from '../virtualTime/virtualTime.ts';
import { largest } from '../../kubernetes/longLists.ts';

/** The workloads that never settle. */
export interface FlappingWorkloads {
  of(binding: string): Flapping | undefined;
  /** all flapping workloads so far, including those before this simulation and those settled since */
  found(): Iterable<string>;
  /** whether any workload flaps so far */
  some(): boolean;
  /** whether a full round of its cycle has passed in this simulation */
  isShown(binding: string): boolean;
  /** only cycles are left: continuing would show nothing new */
  cyclesAlone(): boolean;
  save(): SavedFlapping;
}

/** How often a workload may return to the same placement in one round of a cycle. */
const MAX_VISITS = 4;
/** Two rounds make a cycle; one more visit is its start. */
const TIMES_KEPT = 2 * MAX_VISITS + 1;
/** The tolerated difference of two rounds, as a fraction of the period. */
const TOLERANCE = 0.2;
/** How long cycles continue, so that timed events of other workloads still take place, in milliseconds. */
const PATIENCE = 3600_000;

interface Seen {
  /** the instants (epoch milliseconds) of each placement */
  at: Map<string, number[]>;
  /** the present placement */
  last?: string;
  cause?: string;
  flapping?: Flapping;
}

interface FlappingOptions {
  /** epoch milliseconds of the last external event */
  lastEvent: number;
  /** called once if only cycles continue; absent if the simulation continues to an instant that the user set */
  onCyclesAlone?: () => void;
  /** the saved state of an earlier run */
  saved?: SavedFlapping | undefined;
}

/**
 * Follows the placements of all bindings.
 *
 * One long function: the events of a workload and its saved state belong together.
 */
export function followFlapping(
  time: VirtualTime,
  { lastEvent, onCyclesAlone, saved }: FlappingOptions,
): FlappingWorkloads {
  const began = time.now();
  const seen = new Map(Object.entries(saved?.seen ?? {}).map(([key, one]) => [key, seenOf(one)]));
  const savedFlapping = [...seen].flatMap(([key, one]) => (one.flapping ? [key] : []));
  const flapping = new Set<string>(savedFlapping);
  /** those that flapped before this simulation began */
  const known = new Set<string>(savedFlapping);
  let newsAt = saved?.newsAt ?? began;
  let cyclesAlone = !onCyclesAlone && (saved?.cyclesAlone ?? false) && lastEvent < began;
  /** epoch milliseconds until which a known event is due */
  let waitsUntil = -Infinity;

  function placed(key: string, before: ResourceBinding | undefined, after: ResourceBinding): void {
    const follows = isAttached(after.spec);
    if (
      before?.spec.clusters === after.spec.clusters &&
      before?.spec.gracefulEvictionTasks === after.spec.gracefulEvictionTasks &&
      (!follows || before?.spec.requiredBy === after.spec.requiredBy)
    )
      return;
    const own = seen.get(key) ?? { at: new Map<string, number[]>() };
    seen.set(key, own);
    const task = after.spec.gracefulEvictionTasks?.at(-1);
    const cause = task?.reason ?? (follows ? causeOfFollowed(after) : undefined);
    if (cause !== undefined) own.cause = cause;
    const { clusters, evicting } = placementOf(after.spec);
    const placement = JSON.stringify([clusters, evicting]);
    // A changed task does not move the workload.
    if (placement === own.last) return;
    own.last = placement;
    const times = [...(own.at.get(placement) ?? []), time.now()].slice(-TIMES_KEPT);
    own.at.set(placement, times);
    const period = periodOf(times);
    if (period === undefined || own.cause === undefined) {
      if (!flapping.has(key)) newsAt = time.now();
      return;
    }
    own.flapping = { period, cause: own.cause };
    flapping.add(key);
  }

  /** The eviction reason of the first followed workload that has been evicted. */
  function causeOfFollowed({ spec: { requiredBy = [] } }: ResourceBinding): string | undefined {
    const causes = requiredBy.flatMap((one) => seen.get(snapshotKey(one))?.cause ?? []);
    return causes[0];
  }

  /**
   * Whether each flapping workload has completed two rounds since the last other event or, in a saved simulation, since
   * it was resumed.
   */
  function isQuiet(): boolean {
    const longest = largest([...flapping].map((key) => seen.get(key)!.flapping!.period));
    const since = Math.max(newsAt, lastEvent, onCyclesAlone ? began : -Infinity);
    return time.now() - since > 2 * longest;
  }

  /** Whether time alone will still cause an event for something that does not flap. */
  function othersWait(): boolean {
    if (time.now() <= waitsUntil) return true;
    if (time.now() - Math.max(newsAt, lastEvent) > PATIENCE) return false;
    for (const one of time.pending())
      if (!isOfCycle(one)) {
        waitsUntil = one.time;
        return true;
      }
    return false;
  }

  /**
   * Whether a pending reconcile only concerns a cluster's reported capacity, or a flapping workload: its binding,
   * template, Works or copies.
   */
  function isOfCycle({ controller, key }: Pending): boolean {
    if (controller === undefined || key === undefined) return false;
    const { view } = time;
    const cluster = controller === 'cluster-status' ? view.get('Cluster', key) : undefined;
    if (cluster) return isReady(cluster) === (view.get('Member', key)?.up ?? isReady(cluster));
    const copy = view.get('Copy', key);
    const work = view.get('Work', key);
    const template = view.get('Object', key);
    const binding =
      (copy && view.bindingFor(copy.workload)) ??
      (work && view.bindingOf(work)) ??
      (template && view.bindingFor(identityOf(template)));
    const own = binding ? bindingKey(binding) : parseTaintedPairKey(key).binding;
    return of(own) !== undefined;
  }

  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind === 'Binding' && change.after) placed(change.key, change.before, change.after);
      else if (change.kind === 'Cluster' && isNews(change)) newsAt = time.now();
    }
    if (cyclesAlone || flapping.size === 0 || time.now() < lastEvent) return;
    if (!isQuiet() || othersWait()) return;
    cyclesAlone = true;
    onCyclesAlone?.();
  });
  /** A workload that returned at steady intervals and then stayed has settled. */
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
    found: () => flapping,
    some: () => flapping.size > 0,
    isShown(key) {
      const own = of(key);
      return own !== undefined && (!known.has(key) || time.now() - began > own.period);
    },
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

/** A cluster's reported capacity changes with the workloads that flap there. */
function isNews({ before, after }: ChangeOf<'Cluster'>): boolean {
  if (!before || !after) return true;
  return (
    before.metadata !== after.metadata || before.spec !== after.spec || isReady(before) !== isReady(after)
  );
}

function seenOf({ at, ...rest }: SavedFlapping['seen'][string]): Seen {
  return { ...rest, at: new Map(Object.entries(at)) };
}

/** The length of a round (milliseconds) once two alike have been observed; undefined before. */
function periodOf(times: readonly number[]): number | undefined {
  for (let visits = 1; 2 * visits < times.length; visits++) {
    const seen = times.slice(-2 * visits - 1);
    const distances = seen.slice(1).map((time, index) => time - seen[index]!);
    const [earlier, later] = [distances.slice(0, visits), distances.slice(visits)];
    const period = later.reduce((sum, one) => sum + one, 0);
    if (period > 0 && later.every((one, index) => Math.abs(one - earlier[index]!) <= TOLERANCE * period))
      return period;
  }
  return undefined;
}

/** Whether two intervals (milliseconds) belong to one cycle. */
export function isSamePeriod(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE * a;
}
