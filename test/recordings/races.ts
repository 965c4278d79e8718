import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import { instantOf, objectsAt } from './moments.ts';
import { recordedTurns } from './recordedTurns.ts';
import type { Recording } from './recording.ts';
import { keyOf, type ReplayResult, type PlacementStep } from './replay.ts';
import { ownerOf, workKey } from './workSteps.ts';

type Different = ReplayResult['different'][number];

export const RETRY = 'waits for a retry; no capture shows how often it has failed';
export const ANNOUNCED_RETRY = 'waits for a retry whose time the answer calls unknown';
/** Karmada's processing order is open, and the simulation reports its result as one of several possible ends. */
export const OTHER_ORDER = 'takes these steps in another order, which the simulation announces';

/** The same, but the answer does not say so. */
export const UNANNOUNCED = 'takes these steps in another order, which the simulation does not announce';

/** Each choice was one that the answer announced, and no tried order combines them. */
export const ORDER_BY_STEP =
  'takes each step as in some order that starts with a step shortly before, and the simulation says that the order decides';

/**
 * What an answer says an outcome depends on if Karmada leaves the order open, or when its informers relist a member.
 */
export const OF_ORDER =
  /\border\b|^whose turn|^how Karmada breaks a tie|^whether Karmada uses stale health|returned earlier/;

/** A flapping binding leaves the order open again in each round, so that no fixed order takes all its steps. */
export const SAME_TURNS =
  'goes round and round, and takes each turn as the simulation does in some order, after as long';

/**
 * Karmada decides the order again in each round, so that each step occurs in a simulation, but not all of them in one.
 */
export const STEP_BY_STEP =
  'goes round and round, and takes each step as a simulation does that starts with a step shortly before';

/** Milliseconds by which Karmada's steps vary by chance. */
const MOMENT = 1000;
/** Milliseconds by which a step varies by chance if its causes do, too. */
export const LATE = 2 * MOMENT;

/** The index of the first step that differs. */
function divergenceOf(recorded: PlacementStep[], simulated: PlacementStep[]): number {
  const index = recorded.findIndex(({ placement }, i) => placement !== simulated[i]?.placement);
  return index === -1 ? recorded.length : index;
}

/** The clusters that one of the ways gains or leaves where they part, and the other does not. */
function partedOver(recorded: PlacementStep[], simulated: PlacementStep[]): string[] {
  const index = divergenceOf(recorded, simulated);
  const [real, ours] = [recorded, simulated].map((way) =>
    partsOf((way[index] ?? way.at(-1))?.placement ?? ''),
  ) as [Set<string>, Set<string>];
  const unlike = [...real, ...ours].filter((part) => real.has(part) !== ours.has(part));
  return unlike.map((part) => part.split(/[ ×]/)[1]!);
}

const evictingOf = (step: PlacementStep | undefined) =>
  step?.placement.split('| evicting ')[1]?.split(' ') ?? [];

/**
 * Whether the ways part by an eviction that occurs in only one of them, from a cluster whose taint was removed soon
 * after: while the paced queue was still busy with others, so that its turn might have come later.
 */
function hadNoTurn({ binding, recorded, simulated }: Different, { recording }: RaceFacts): boolean {
  const index = divergenceOf(recorded, simulated);
  const known = evictingOf(recorded[index - 1]);
  return [recorded, simulated].some((way, i) => {
    const other = i === 0 ? simulated : recorded;
    const step = way[index];
    const from = evictingOf(step).find((cluster) => !known.includes(cluster) && cluster !== '-');
    if (!step || !from) return false;
    const gone = untainted(recording, from).find((time) => time >= step.time - MOMENT);
    if (gone === undefined || gone - step.time > LONGEST_QUEUE || !wasBusy(recording, gone, binding))
      return false;
    return !other.slice(index).some((one) => one.time <= gone + MOMENT && evictingOf(one).includes(from));
  });
}

/** Milliseconds after which a queue of some twenty bindings is empty at the slowest pace of the incidents. */
const LONGEST_QUEUE = 30_000;

/** Whether the recording shows that another binding had its turn in the paced queue within a pace of that moment. */
function wasBusy(recording: Recording, time: number, binding: string): boolean {
  const flags = recording.scenario.assume['controllerManager'] as Record<string, string> | undefined;
  const pace = 1000 / Number(flags?.['resource-eviction-rate'] ?? USUAL_RATE) + MOMENT;
  return recordedTurns(recording).some((one) => Math.abs(one.time - time) <= pace && one.binding !== binding);
}

/** --resource-eviction-rate */
const USUAL_RATE = '0.5';

/** When a cluster lost its last NoExecute taint, or one of several (epoch milliseconds). */
function untainted({ changes }: Recording, cluster: string): number[] {
  let count = 0;
  return changes.flatMap(({ time, resource, object }) => {
    if (resource !== 'clusters' || object.metadata.name !== cluster) return [];
    const { spec } = object as unknown as Cluster;
    const now = spec?.taints?.filter(({ effect }) => effect === 'NoExecute').length ?? 0;
    const fewer = now < count;
    count = now;
    return fewer ? [time] : [];
  });
}

/**
 * Bindings that a recording's members move on: they have no controllers, and report a workload as unhealthy whenever
 * its metadata changes. No scenario includes that.
 */
const movedByMembers: Readonly<Record<string, readonly string[]>> = {
  'F-application-failover': ['data/jobmanager-deployment'],
};

/** The scenario of a recording gives failures as Karmada noticed them. */
export const WITH_FAILURES = 'agrees if it is given when members really failed';
export const LEFT_BEHIND = 'a member still runs a copy that no Work shows, left there before';

/** The context of two ways of a binding, to decide whether their difference counts. */
export interface RaceFacts {
  recording: Recording;
  /** epoch milliseconds at which the simulation starts */
  at: number;
  /** bindings that take the recorded steps if the simulation knows when members really failed */
  sameWithFailures?: ReadonlySet<string>;
  /** for each binding, the members that run its workload without a Work at that moment */
  leftBehind: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The rule by which a difference does not count: Karmada itself leaves the order to chance, so that the same incident
 * goes both ways, or it depends on what neither the captured state nor the scenario contains. Undefined for a
 * difference that counts. docs/fidelity.md lists the rules.
 */
export function raceOf({ binding, recorded, simulated }: Different, facts: RaceFacts): string | undefined {
  const { at } = facts;
  if (movedByMembers[facts.recording.name]?.includes(binding))
    return 'its members move it on, which the scenario leaves out';
  const { until } = facts.recording;
  if (sameSteps(lasting(recorded), lasting(simulated))) return 'a placement that lasted less than a second';
  const early = (steps: PlacementStep[]) => steps.filter(({ time }) => time === at || time < until - LATE);
  const [real, ours] = [early(recorded), early(simulated)];
  if (real.length + ours.length < recorded.length + simulated.length && sameSteps(real, ours))
    return 'the recording ends within two seconds of the step';
  if (goesRound(recorded, simulated, until))
    return 'goes round without end, and the rounds until the end differ';
  if (facts.sameWithFailures?.has(binding)) return WITH_FAILURES;
  if (hadNoTurn({ binding, recorded, simulated }, facts))
    return 'evicted or not, as its turn in the paced queue came before or after the taint was gone';
  if (unheard(binding, facts))
    return 'a member that could not be reached ran it otherwise than was last heard of it';
  if (listedLate({ binding, recorded, simulated }, facts))
    return 'a member was back before the start, and Karmada had its old list of what runs there';
  const left = facts.leftBehind.get(binding) ?? new Set();
  if (partedOver(lasting(recorded), lasting(simulated)).some((cluster) => left.has(cluster)))
    return LEFT_BEHIND;
  return undefined;
}

/**
 * Whether a member that is not Ready at the start was set before to report another health of the workload than last
 * reported: Karmada learns of it only when the member is back, and no capture shows it.
 */
function unheard(binding: string, { recording, at }: RaceFacts): boolean {
  const objects = objectsAt(recording, at);
  const { spec, status } = (objects.find(
    (object) => object.kind.endsWith('ResourceBinding') && keyOf(object.metadata) === binding,
  ) ?? {}) as Partial<ResourceBinding>;
  if (!spec) return false;
  const reported = new Map<string, string>();
  for (const { at: moment, action } of recording.scenario.events) {
    if (action.type !== 'health' || instantOf(moment, recording.start) > at) continue;
    const { kind, namespace, name } = action.workload;
    const { resource } = spec;
    if (kind === resource.kind && name === resource.name && (namespace ?? '') === (resource.namespace ?? ''))
      reported.set(action.cluster, action.health);
  }
  return [...reported].some(([cluster, health]) => {
    const heard = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)?.health;
    return heard !== undefined && heard !== health && readySince(objects, cluster) === undefined;
  });
}

/** The execution controller's message in a Work if its informers do not know what the member runs. */
const OLD_LIST = /" not found$|" already exists$|Operation cannot be fulfilled/;

/**
 * Whether the recording shows that Karmada used an old list of the objects of a member, which recovered shortly before
 * the start and has stayed Ready. When informers relist depends on the outage's duration, which no capture shows.
 */
function listedLate({ binding, recorded, simulated }: Different, { recording, at }: RaceFacts): boolean {
  const parting = divergenceOf(recorded, simulated);
  const until = Math.min(...[recorded, simulated].flatMap((way) => way[parting]?.time ?? []));
  const refusing = new Map<string, boolean>();
  const known = new Map<string, boolean>();
  const see = (object: KubernetesObject) => {
    if (object.kind === 'Cluster') {
      const { name } = object.metadata;
      const since = readySince([object], name);
      known.set(name, known.get(name) !== false && since !== undefined && at - since < LONGEST_LIST);
    }
    const work = object as unknown as Work;
    const [owner, cluster = ''] = (object.kind === 'Work' && ownerOf(work)?.split(' → ')) || [];
    if (owner !== binding) return;
    const applied = work.status?.conditions?.find(({ type }) => type === 'Applied');
    if (applied?.status === 'False') refusing.set(cluster, OLD_LIST.test(applied.message ?? ''));
    else if (applied) refusing.delete(cluster);
  };
  objectsAt(recording, at).forEach(see);
  for (const { time, object } of recording.changes) if (time > at && time <= until) see(object);
  return [...refusing].some(([cluster, oldList]) => oldList && known.get(cluster));
}

/** Milliseconds within which most informers have relisted: some need two minutes, and are not excused. */
const LONGEST_LIST = 60_000;

/** Since when (epoch milliseconds) a cluster is Ready; undefined if it is not. */
function readySince(objects: readonly KubernetesObject[], name: string): number | undefined {
  const cluster = objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === name);
  const { status } = (cluster ?? {}) as unknown as Partial<Cluster>;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : undefined;
}

/** For each binding, the members that run a workload without a Work: preserved there, or forgotten. */
export function leftBehind(recording: Recording, at: number): Map<string, Set<string>> {
  const objects = objectsAt(recording, at);
  const works = new Set(
    objects.filter(({ kind }) => kind === 'Work').map((work) => ownerOf(work as unknown as Work)),
  );
  const running = new Map<string, Set<string>>();
  // what members report first was there at the start
  const since = Math.max(at, recording.start + MOMENT);
  for (const row of recording.readiness ?? []) {
    if ('process' in row || Date.parse(row.time) > since) continue;
    const key = `${row.kind} ${row.namespace}/${row.name}`;
    const members = running.get(key) ?? new Set();
    if (row.desired > 0) members.add(row.member);
    else members.delete(row.member);
    running.set(key, members);
  }
  const left = new Map<string, Set<string>>();
  for (const object of objects) {
    if (object.kind !== 'ResourceBinding') continue;
    const { kind, namespace, name } = (object as unknown as ResourceBinding).spec.resource;
    const key = keyOf(object.metadata);
    const members = [...(running.get(`${kind} ${namespace}/${name}`) ?? [])];
    left.set(key, new Set(members.filter((member) => !works.has(workKey(key, member)))));
  }
  return left;
}

function sameSteps(a: PlacementStep[], b: PlacementStep[]): boolean {
  return a.length === b.length && isPrefix(a, b);
}

/** Whether one is a prefix of the other. */
function isPrefix(a: PlacementStep[], b: PlacementStep[]): boolean {
  return a.slice(0, b.length).every(({ placement }, i) => placement === b[i]!.placement);
}

/**
 * Whether one way is a prefix of the other, and the rest is one more round, or a few more among many: both flap until
 * the end. A way that stops, and stays where it never was that long before, does not count.
 */
function goesRound(recorded: PlacementStep[], simulated: PlacementStep[], until: number): boolean {
  const [short, long] = recorded.length < simulated.length ? [recorded, simulated] : [simulated, recorded];
  if (!isPrefix(long, short)) return false;
  const rest = long.length - short.length;
  if (rest > Math.max(stepsOfRound(long), MORE_ROUNDS * long.length)) return false;
  const turns = long.slice(1).map(({ placement }, i) => `${long[i]!.placement} → ${placement}`);
  const known = new Set(turns.slice(0, short.length - 1));
  if (!turns.slice(short.length - 1).every((turn) => known.has(turn))) return false;
  const last = short.at(-1)!;
  const waits = short
    .slice(1)
    .flatMap(({ time }, i) => (short[i]!.placement === last.placement ? [time - short[i]!.time] : []));
  return until - last.time <= Math.max(...waits) + LATE;
}

/** By which fraction of its steps one flapping way may be ahead of another. */
const MORE_ROUNDS = 0.1;

/** How many steps the last return to the same placement took. */
function stepsOfRound(steps: PlacementStep[]): number {
  const placements = steps.map(({ placement }) => placement);
  return placements.length - 1 - placements.lastIndexOf(placements.at(-1)!, -2);
}

/**
 * Steps without momentary ones on the way to another placement; the first and the last stay. A step that leads back is
 * an eviction, however brief.
 */
function lasting(steps: PlacementStep[]): PlacementStep[] {
  const kept: PlacementStep[] = [];
  steps.forEach((step, i) => {
    const [before, next] = [kept.at(-1), steps[i + 1]];
    const passing = before && next && next.time - step.time < MOMENT && next.placement !== before.placement;
    if (!passing) kept.push(step);
  });
  return kept;
}

/** How often a flapping binding takes one of its turns. */
const ROUNDS = 3;

/** Whether a binding repeatedly returns to the same placement. */
export function goesRoundAndRound(steps: readonly PlacementStep[]): boolean {
  const counts = new Map<string, number>();
  for (const { placement } of steps) counts.set(placement, (counts.get(placement) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= ROUNDS);
}

/**
 * The allowed difference in the share of one kind of turn, compared with any simulation; one turn is always allowed.
 */
const SHARE_OFF = 0.05;

/**
 * Whether a binding flaps, really and in the simulations, with the same turns from one placement to the next: with a
 * similar share of all its turns, and after a similar time in that placement, or since the start of what it ends.
 */
export function turnsAlike(recorded: PlacementStep[], simulations: readonly PlacementStep[][]): boolean {
  const real = turnsOf(recorded);
  if (!Array.from(real.values()).some((turns) => turns.length >= ROUNDS)) return false;
  const ways = simulations.map(turnsOf);
  const simulated = new Map<string, Turn[]>();
  for (const way of ways)
    for (const [turn, taken] of way) simulated.set(turn, [...(simulated.get(turn) ?? []), ...taken]);
  const off = SHARE_OFF + 1 / numberOf(real);
  for (const turn of new Set([...real.keys(), ...simulated.keys()])) {
    const shares = ways.map((way) => shareOf(turn, way));
    const share = shareOf(turn, real);
    if (share < Math.min(...shares) - off || share > Math.max(...shares) + off) return false;
  }
  return [...real].every(([turn, taken]) => {
    const known = simulated.get(turn) ?? [];
    return taken.every(
      ({ wait, age }) =>
        isAmong(
          wait,
          known.map((one) => one.wait),
        ) ||
        isAmong(
          age,
          known.map((one) => one.age),
        ),
    );
  });
}

/** Milliseconds for which a binding had been in its place, and since the newest of what the turn ends. */
interface Turn {
  wait: number;
  age: number;
}

function isAmong(one: number, others: readonly number[]): boolean {
  return one >= Math.min(...others) - LATE && one <= Math.max(...others) + LATE;
}

function shareOf(turn: string, turns: ReadonlyMap<string, Turn[]>): number {
  return (turns.get(turn)?.length ?? 0) / Math.max(1, numberOf(turns));
}

function numberOf(turns: ReadonlyMap<string, Turn[]>): number {
  return Array.from(turns.values()).reduce((sum, taken) => sum + taken.length, 0);
}

/** The turns that a binding takes from one placement to the next. */
function turnsOf(steps: PlacementStep[]): Map<string, Turn[]> {
  const turns = new Map<string, Turn[]>();
  const since = new Map<string, number>();
  steps.forEach(({ time, placement }, i) => {
    const parts = partsOf(placement);
    const before = steps[i - 1];
    if (before) {
      const ended = [...since].filter(([part]) => !parts.has(part)).map(([, began]) => began);
      const turn = `${before.placement} → ${placement}`;
      const [wait, age] = [time - before.time, time - Math.max(...ended, -Infinity)];
      turns.set(turn, [...(turns.get(turn) ?? []), { wait, age }]);
    }
    for (const part of since.keys()) if (!parts.has(part)) since.delete(part);
    for (const part of parts) if (!since.has(part)) since.set(part, time);
  });
  return turns;
}

/** The copies and the evictions of a placement. */
function partsOf(placement: string): Set<string> {
  const [on = '', from = ''] = placement.split(' | evicting ');
  const some = (text: string, what: string) =>
    text.split(' ').flatMap((one) => (one === '-' ? [] : [`${what} ${one}`]));
  return new Set([...some(on, 'on'), ...some(from, 'evicting')]);
}
