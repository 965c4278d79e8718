import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../../karmada/api/names.ts';
import { decidingFacts, differingFacts, type FactKind, type Moment } from './decidingFacts.ts';
import { placedIn, stepChange, type StepChange } from './writtenBack.ts';
import { divergenceOf, type PlacementStep } from './steps.ts';
import { zip } from '../../../kubernetes/nonEmpty.ts';

/**
 * Why the recorded steps of a workload differ from the predicted ones, all unknown at the start:
 * - `turn`: the time of its turn in an eviction queue, relative to other events
 * - `health`: the time and value of a health report
 * - `room`: the capacity that a cluster had reported when the scheduler ran
 * - `cluster`: the taints or the condition of a cluster at the moment of the decision
 * - `stamp`: the creationTimestamp of an eviction task, from which its deadline counts
 * - `order`: all of these are the same: a random tie, or a race of two controllers
 * - `unexplained`: even simulations that start shortly before do not take the recorded step
 */
export type DifferenceKind = 'turn' | 'health' | 'room' | 'cluster' | 'stamp' | 'order' | 'unexplained';

export interface Difference {
  kind: DifferenceKind;
  /** epoch milliseconds: the recorded step, or the predicted one that did not happen */
  at: number;
  cluster?: string;
  /** Karmada's input, and the simulation's */
  recorded?: string;
  predicted?: string;
  /** of `turn`: epoch milliseconds of the real and of the predicted eviction; absent: there was none */
  turn?: { recorded?: number; predicted?: number };
  /** a simulation that begins at this instant, with the recorded state, takes the recorded step */
  confirmedFrom?: number;
}

/** The facts about a workload whose steps differ. */
export interface DivergedSteps {
  recorded: readonly PlacementStep[];
  predicted: readonly PlacementStep[];
  /** the recorded and the predicted state just before an instant (epoch milliseconds) */
  was(at: number): Moment;
  wasPredicted(at: number): Moment;
  /** when the scheduler first found no cluster for it after an instant: recorded, and predicted; undefined: never */
  refused(after: number): number | undefined;
  refusedPredicted(after: number): number | undefined;
  /** the steps in simulations from the recorded state at an instant, in each processing order */
  from(start: number, until: number): Iterable<readonly PlacementStep[]>;
  /** epoch milliseconds of the end of the recording */
  end: number;
}

/** Milliseconds by which Karmada's steps may come earlier or later by chance. */
const LATE = 2000;
/** Milliseconds before a step at which a simulation starts. */
const SHORTLY_BEFORE = [50, 200, 1000];
/**
 * The number of earlier steps at which a simulation may start: a recorded state shows only part of the work in
 * progress.
 */
const STEPS_BACK = 3;

/** Why two courses of a workload differ, by the recording. */
export function differenceCause(ways: DivergedSteps): Difference {
  const { recorded, predicted } = ways;
  const parting = partingInTime(recorded, predicted);
  const [real, ours] = [recorded[parting], predicted[parting]];
  const cause = causeOf(ways, parting, real, ours);
  const confirmedFrom = confirmation(ways, parting, ours);
  const at = real?.time ?? ours?.time ?? ways.end;
  if (confirmedFrom !== undefined) return { ...cause, at, confirmedFrom };
  return cause.kind === 'order' ? { kind: 'unexplained', at } : { ...cause, at };
}

/** The first step that differs, or that both take, but one of them later than by chance. */
function partingInTime(recorded: readonly PlacementStep[], predicted: readonly PlacementStep[]): number {
  const parting = divergenceOf(recorded, predicted);
  const late = zip(recorded, predicted).findIndex(
    ([real, ours], i) => i > 0 && Math.abs(real.time - ours.time) > LATE,
  );
  return late < 0 ? parting : Math.min(late, parting);
}

/** The start from which a simulation takes the recorded step at its time, or takes no extra step. */
function confirmation(
  { recorded, end, from }: DivergedSteps,
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
    zip(way, simulated).every(
      ([real, ours], i) =>
        ours.placement === real.placement && (i === 0 || Math.abs(ours.time - real.time) <= LATE),
    );
  const next = simulated[way.length];
  return alike && (next === undefined || next.time >= until);
}

type Cause = Omit<Difference, 'at' | 'confirmedFrom'>;

function causeOf(
  ways: DivergedSteps,
  parting: number,
  real: PlacementStep | undefined,
  ours: PlacementStep | undefined,
): Cause {
  const before = ways.recorded[parting - 1];
  const [done, predicted] = [stepChange(before, real), stepChange(ways.predicted[parting - 1], ours)];
  const first = Math.min(real?.time ?? Infinity, ours?.time ?? Infinity);
  const over = partedOver(done, predicted);
  const both = (kinds: readonly FactKind[]) => fact(ways, kinds, first, first, over);
  // The scheduler decided differently, so its inputs differed.
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

/** The clusters that only one of two steps changes; all clusters that the steps change if there are none. */
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

/** The first fact of these kinds that differed between recording and prediction at the two decisions. */
function fact(
  { was, wasPredicted }: DivergedSteps,
  kinds: readonly FactKind[],
  at: number,
  predictedAt: number,
  over: readonly string[],
): Cause | undefined {
  const all = differingFacts(decidingFacts(was(at)), decidingFacts(wasPredicted(predictedAt)), kinds);
  const unlike = all.find(({ cluster }) => over.includes(cluster)) ?? all[0];
  if (!unlike) return undefined;
  const { kind, cluster, recorded, predicted } = unlike;
  return { kind: KINDS[kind], cluster, recorded, predicted };
}

function turnOf(cluster: string, [recorded, predicted]: readonly (number | undefined)[]): Cause {
  return {
    kind: 'turn',
    cluster,
    turn: {
      ...(recorded === undefined ? {} : { recorded }),
      ...(predicted === undefined ? {} : { predicted }),
    },
  };
}

/** When a course first evicts from a cluster at or after a step (epoch milliseconds). */
function evictionFrom(way: readonly PlacementStep[], cluster: string, from: number): number | undefined {
  const begins = (step: PlacementStep, i: number) =>
    i > 0 && i >= from && stepChange(way[i - 1], step).evicted.includes(cluster);
  return way.find(begins)?.time;
}

/** Whether the taint manager, not application failover, has evicted it. */
function isTaintEviction(
  { was, wasPredicted }: DivergedSteps,
  cluster: string,
  real: PlacementStep | undefined,
  ours: PlacementStep | undefined,
): boolean {
  const evicts = (step: PlacementStep) => placedIn(step.placement).evicting.includes(cluster);
  const after = real && evicts(real) ? was(real.time + 1) : ours ? wasPredicted(ours.time + 1) : undefined;
  const task = after?.binding?.spec.gracefulEvictionTasks?.find((one) => one.fromCluster === cluster);
  return task?.producer === EVICTION_PRODUCER_TAINT_MANAGER;
}

function isTaintedInBoth({ was, wasPredicted }: DivergedSteps, name: string, at: number): boolean {
  return [was(at), wasPredicted(at)].every(({ clusters }) =>
    [...clusters].some(
      ({ metadata, spec }) =>
        metadata.name === name && spec?.taints?.some(({ effect }) => effect === 'NoExecute'),
    ),
  );
}
