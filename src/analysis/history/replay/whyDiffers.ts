import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../../karmada/api/names.ts';
import { decidingFacts, unlikeFacts, type FactKind, type Moment } from './decidingFacts.ts';
import { placedIn, stepChange, type StepChange } from './writtenBack.ts';
import { partingOf, type PlacementStep } from './steps.ts';
import { paired } from '../../../kubernetes/nonEmpty.ts';

/**
 * Why the recorded steps of a workload part from the predicted ones. None of it can be known at the start:
 * - `turn`: when its turn in an eviction queue came, before or after what else happened
 * - `health`: when a member reported what health
 * - `room`: how much room a cluster had reported when the scheduler looked
 * - `cluster`: the taints or the condition of a cluster at the moment of the decision
 * - `stamp`: when an eviction task got its time, from which its deadline counts
 * - `order`: nothing of that is unlike: chance decides, such as a tie or which of two controllers comes first
 * - `unexplained`: nor does any simulation that begins shortly before take the recorded step
 */
export type DifferenceKind = 'turn' | 'health' | 'room' | 'cluster' | 'stamp' | 'order' | 'unexplained';

export interface Difference {
  kind: DifferenceKind;
  /** epoch milliseconds: the recorded step, or the predicted one that was not taken */
  at: number;
  cluster?: string;
  /** what Karmada went by, and what the simulation went by */
  recorded?: string;
  predicted?: string;
  /** of `turn`: epoch milliseconds at which it was evicted, and was predicted to be; absent: it was not */
  turn?: { recorded?: number; predicted?: number };
  /** a simulation that begins at this instant, with what was recorded until then, takes the recorded step */
  confirmedFrom?: number;
}

/** What is asked about a workload whose steps part. */
export interface PartedWays {
  recorded: readonly PlacementStep[];
  predicted: readonly PlacementStep[];
  /** the world just before an instant (epoch milliseconds), as it was and as it was predicted */
  was(at: number): Moment;
  wasPredicted(at: number): Moment;
  /** when the scheduler found no place for it, first after an instant: really, and as predicted; undefined: it did not */
  refused(after: number): number | undefined;
  refusedPredicted(after: number): number | undefined;
  /** the steps in simulations that begin at an instant with what was recorded, in one order after the other */
  from(start: number, until: number): Iterable<readonly PlacementStep[]>;
  /** epoch milliseconds after which the recording shows nothing */
  end: number;
}

/** Milliseconds by which Karmada's steps come sooner or later by chance. */
const LATE = 2000;
/** Milliseconds before a step at which a simulation begins. */
const SHORTLY_BEFORE = [50, 200, 1000];
/** Steps back to where a simulation begins: what is under way there a recorded state shows only in part. */
const STEPS_BACK = 3;

/** Why two ways of a workload part, as far as the recording shows it. */
export function whyDiffers(ways: PartedWays): Difference {
  const { recorded, predicted } = ways;
  const parting = partingInTime(recorded, predicted);
  const [real, ours] = [recorded[parting], predicted[parting]];
  const cause = causeOf(ways, parting, real, ours);
  const confirmedFrom = confirmation(ways, parting, ours);
  const at = real?.time ?? ours?.time ?? ways.end;
  if (confirmedFrom !== undefined) return { ...cause, at, confirmedFrom };
  return cause.kind === 'order' ? { kind: 'unexplained', at } : { ...cause, at };
}

/** The first step that is not the same, or that both take, but one of them later than by chance. */
function partingInTime(recorded: readonly PlacementStep[], predicted: readonly PlacementStep[]): number {
  const parting = partingOf(recorded, predicted);
  const late = paired(recorded, predicted).findIndex(
    ([real, ours], i) => i > 0 && Math.abs(real.time - ours.time) > LATE,
  );
  return late < 0 ? parting : Math.min(late, parting);
}

/** Where a simulation can begin that takes the recorded step as it was taken, or no more than the recording does. */
function confirmation(
  { recorded, end, from }: PartedWays,
  parting: number,
  ours: PlacementStep | undefined,
): number | undefined {
  const real = recorded[parting];
  const moment = real?.time ?? ours?.time ?? end;
  const until = Math.min(end, moment + LATE);
  const starts = [
    ...SHORTLY_BEFORE.map((early) => moment - early),
    ...recorded.slice(Math.max(0, parting - STEPS_BACK), parting).map(({ time }) => time),
  ].sort((a, b) => b - a);
  for (const start of starts) {
    const before = recorded.findLastIndex(({ time }) => time <= start);
    if (before < 0 || (real && before >= parting)) continue;
    const way = recorded.slice(before, parting + 1);
    for (const simulated of from(start, until))
      if (isTaken(way, simulated, real ? moment : until)) return start;
  }
  return undefined;
}

/** Whether a simulation takes these steps at about these times, and no other before an instant. */
function isTaken(way: readonly PlacementStep[], simulated: readonly PlacementStep[], until: number): boolean {
  const alike =
    simulated.length >= way.length &&
    paired(way, simulated).every(
      ([real, ours], i) =>
        ours.placement === real.placement && (i === 0 || Math.abs(ours.time - real.time) <= LATE),
    );
  const next = simulated[way.length];
  return alike && (next === undefined || next.time >= until);
}

type Cause = Omit<Difference, 'at' | 'confirmedFrom'>;

function causeOf(
  ways: PartedWays,
  parting: number,
  real: PlacementStep | undefined,
  ours: PlacementStep | undefined,
): Cause {
  const before = ways.recorded[parting - 1];
  const [done, predicted] = [stepChange(before, real), stepChange(ways.predicted[parting - 1], ours)];
  const first = Math.min(real?.time ?? Infinity, ours?.time ?? Infinity);
  const over = partedOver(done, predicted);
  const both = (kinds: readonly FactKind[]) => fact(ways, kinds, first, first, over);
  // both were decided by the scheduler, and not alike: by what each of them saw
  const [placedAt, predictedAt] = [
    isPlacing(done) ? real?.time : ways.refused(before?.time ?? 0),
    isPlacing(predicted) ? ours?.time : ways.refusedPredicted(ways.predicted[parting - 1]?.time ?? 0),
  ];
  const isScheduled = isPlacing(done) || isPlacing(predicted);
  if (isScheduled && placedAt !== undefined && predictedAt !== undefined)
    return fact(ways, ['room', 'taints', 'ready'], placedAt, predictedAt, over) ?? CHANCE;
  const evicted = over.find((name) => [...done.evicted, ...predicted.evicted].includes(name));
  if (evicted !== undefined) {
    if (isTaintEviction(ways, evicted, real, ours)) {
      const times = [ways.recorded, ways.predicted].map((way) => evictionFrom(way, evicted, parting));
      if (times.every((time) => time !== undefined) || isTaintedInBoth(ways, evicted, first))
        return turnOf(evicted, times);
      return both(['taints', 'ready']) ?? turnOf(evicted, times);
    }
    return both(['health', 'ready']) ?? both(['stamp']) ?? CHANCE;
  }
  if (done.ended.length + predicted.ended.length > 0)
    return both(['health', 'stamp', 'ready', 'taints']) ?? CHANCE;
  return both(['room', 'taints', 'ready', 'health']) ?? CHANCE;
}

/** The clusters that one of two steps adds, leaves, evicts from or releases, and the other does not; else all of these. */
function partedOver(done: StepChange, predicted: StepChange): string[] {
  const touched = ({ evicted, ended, gained, lost }: StepChange) => [
    ...evicted.map((name) => `evicted ${name}`),
    ...gained.map((name) => `gained ${name}`),
    ...ended.map((name) => `ended ${name}`),
    ...lost.map((name) => `lost ${name}`),
  ];
  const [real, ours] = [touched(done), touched(predicted)];
  const all = [...real, ...ours];
  const unlike = all.filter((one) => real.includes(one) !== ours.includes(one));
  return (unlike.length > 0 ? unlike : all).map((one) => one.slice(one.indexOf(' ') + 1));
}

const CHANCE: Cause = { kind: 'order' };

function isPlacing({ gained, evicted }: StepChange): boolean {
  return gained.length > 0 && evicted.length === 0;
}

const KINDS: Readonly<Record<FactKind, DifferenceKind>> = {
  ready: 'cluster',
  taints: 'cluster',
  room: 'room',
  health: 'health',
  stamp: 'stamp',
};

/** The first fact of these kinds that was unlike what was predicted, when each of the two was decided. */
function fact(
  { was, wasPredicted }: PartedWays,
  kinds: readonly FactKind[],
  at: number,
  predictedAt: number,
  over: readonly string[],
): Cause | undefined {
  const all = unlikeFacts(decidingFacts(was(at)), decidingFacts(wasPredicted(predictedAt)), kinds);
  const unlike = all.find(({ cluster }) => over.includes(cluster)) ?? all[0];
  if (!unlike) return undefined;
  const { kind, cluster, recorded, predicted } = unlike;
  return { kind: KINDS[kind], cluster, recorded, predicted };
}

function turnOf(cluster: string, [recorded, predicted]: readonly (number | undefined)[]): Cause {
  return {
    ...{ kind: 'turn', cluster },
    turn: {
      ...(recorded === undefined ? {} : { recorded }),
      ...(predicted === undefined ? {} : { predicted }),
    },
  };
}

/** When a way begins to evict from a cluster, from a step on (epoch milliseconds). */
function evictionFrom(way: readonly PlacementStep[], cluster: string, from: number): number | undefined {
  const begins = (step: PlacementStep, i: number) =>
    i > 0 && i >= from && stepChange(way[i - 1], step).evicted.includes(cluster);
  return way.find(begins)?.time;
}

/** Whether the taint manager has evicted it, and not application failover. */
function isTaintEviction(
  { was, wasPredicted }: PartedWays,
  cluster: string,
  real: PlacementStep | undefined,
  ours: PlacementStep | undefined,
): boolean {
  const evicts = (step: PlacementStep) => placedIn(step.placement).evicting.includes(cluster);
  const after = real && evicts(real) ? was(real.time + 1) : ours ? wasPredicted(ours.time + 1) : undefined;
  const task = after?.binding?.spec.gracefulEvictionTasks?.find((one) => one.fromCluster === cluster);
  return task?.producer === EVICTION_PRODUCER_TAINT_MANAGER;
}

function isTaintedInBoth({ was, wasPredicted }: PartedWays, name: string, at: number): boolean {
  return [was(at), wasPredicted(at)].every(({ clusters }) =>
    [...clusters].some(
      ({ metadata, spec }) =>
        metadata.name === name && spec?.taints?.some(({ effect }) => effect === 'NoExecute'),
    ),
  );
}
