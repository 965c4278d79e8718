import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import {
  bindingIdentity,
  bindingKey,
  snapshotKey,
  workloadIdentity,
} from '../../karmada/objects/identities.ts';
import { entitledClusters } from '../../karmada/eviction/works.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { type ClusterSnapshot, schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { lossesOf } from '../forecast/costOfLoss.ts';
import { bindingsOn, forecastEvents, type ForecastOptions } from '../forecast/losses.ts';
import { causeOf, type Cause } from './causes.ts';
import type { Cures } from './cures.ts';
import {
  actionOn,
  type AuditedContingency,
  type Contingency,
  type ContingencyTaint,
} from './contingencies.ts';
import { arrivalsOf, headroomOf, type Headroom, type HeadroomResource } from '../forecast/headroom.ts';
import { createModelRoom } from '../forecast/modelHeadroom.ts';
import { createPairScreen, type SingleFailure } from './pairs.ts';
import {
  comparePlaces,
  createTally,
  type Noted,
  type Tally,
  type TallyState,
  type WorkloadTally,
  type WorstNoted,
} from './tally.ts';
import { type CalmWorld, touchedBetween } from './touched.ts';
import { compareTroubles, isUncovered, type Trouble, troubleOf } from './trouble.ts';
import { compareText } from '../../simulator/store/indexes.ts';

/** What would be lost if clusters failed: by contingency, by workload and by cluster, with causes. */
export interface Audit {
  /** how many contingencies were requested; more than listed below if the audit was interrupted */
  asked: number;
  contingencies: AuditedContingency[];
  /** every workload with a placement, or with a copy under eviction, the worst first */
  workloads: AuditedWorkload[];
  clusters: AuditedCluster[];
  /** why workloads are in trouble: the cause that concerns the most workloads first */
  causes: AuditedCause[];
  coverage: Coverage;
}

export interface AuditedWorkload {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  clusters: TargetCluster[];
  /** its trouble without further failures; absent: none */
  now?: Trouble;
  /** the worst trouble from any contingency; absent: none */
  worst?: WorstCase;
  /** every contingency that causes trouble for it, in the order of the contingencies */
  troubles: { contingency: string; trouble: Trouble }[];
  /** the longest time with fewer ready replicas than desired; absent: none */
  downtime?: Downtime;
  /** its target: seconds that it may have fewer ready replicas than desired; absent: none set */
  target?: number;
  /** the clusters that still have it, or receive it, in some contingency */
  secondHomes: SecondHome[];
  /** `certain` if its outcome is certain in all contingencies */
  certainty: Certainty;
  /** what its estimates depend on */
  dependsOn: string[];
}

export interface WorstCase {
  trouble: Trouble;
  contingency: string;
  outcome: Outcome;
  certainty: Certainty;
  reason?: string;
  after: TargetCluster[];
  cause: Cause;
}

export interface Downtime {
  contingency: string;
  /** null: they are still missing when the simulation ends */
  seconds: number | null;
  /** permanently: nothing is left to happen */
  permanent?: true;
  /** the most replicas missing at one time */
  replicas: number;
  /** the upper bound in seconds, where pairs of clusters are combined; absent: `seconds` is the bound */
  atMost?: number;
}

export interface SecondHome {
  cluster: string;
  /** how many more of its replicas fit there today; null: unknown, or it has no replicas */
  room: number | null;
}

export interface AuditedCluster {
  name: string;
  /** it is not Ready already */
  down: boolean;
  headroom: Headroom[];
}

export interface AuditedCause extends Cause {
  /** changes that would help one of its workloads, each simulated until it settles; absent: not searched */
  cures?: Cures;
  trouble: Trouble;
  workloads: (ObjectIdentity & { apiVersion: string })[];
  /** the contingencies that lead to it, each once */
  contingencies: string[];
}

/** How many workloads survive every contingency, and how many were not judged. */
export interface Coverage {
  /** workloads with a placement, or with a copy under eviction */
  workloads: number;
  /** of these: no contingency leaves them lost, down, blocked or flapping */
  covered: number;
  /** of the covered: some outcome is an estimate */
  coveredUncertain: number;
  /** of all: in trouble without further failures */
  inTroubleNow: number;
  /** workloads with a target, and those that meet it in every contingency */
  targets: { asked: number; met: number };
  /** workloads without a placement: they have nothing to lose */
  notPlaced: number;
}

export interface AuditOptions extends Omit<ForecastOptions, 'forecasts'> {
  contingencies: readonly Contingency[];
  /** what happens to each cluster of a contingency; absent: it fails */
  taint?: ContingencyTaint;
  /** a workload's target: seconds with fewer ready replicas than desired; undefined: none set */
  targetOf?: (binding: ResourceBinding) => number | undefined;
  /** keeps the results of each contingency for an audit after a change; not of pairs, which are too many */
  keeps?: boolean;
  /** an earlier audit of the same bindings and options: results that no later change can affect are reused */
  earlier?: KeptAudit | undefined;
}

/**
 * Milliseconds for which unaffected results are reused; then all contingencies are simulated again from the present.
 */
const KEPT_FOR = 3600_000;

/** What an audit keeps for the next one. */
export interface KeptAudit {
  world: CalmWorld;
  /** epoch milliseconds: no contingency was simulated from an earlier instant */
  since: number;
  contingencies: readonly Contingency[];
  /** by position in `contingencies` */
  found: ReadonlyMap<number, TallyState>;
  /** troubles without further failures, by key of the binding */
  troubles: ReadonlyMap<string, Trouble>;
  /** the causes of the worst troubles */
  causes: ReadonlyMap<WorstNoted, Cause>;
}

/** An audit in progress: one contingency per step. */
export interface RunningAudit {
  /** how many steps there are */
  readonly total: number;
  /** the results so far; others' results can be merged into it */
  readonly tally: Tally;
  /** how many contingencies are reused from the earlier audit */
  readonly taken: number;
  /** Simulates the contingency at this position, counted from 0. */
  simulate(at: number): void;
  /** if pairs are screened: the failures of single clusters that have to be simulated before */
  readonly screened?: ScreenedSingles;
  /** Simulates the next contingency, or the next in the given shard; false: there is none. */
  step(shard?: { index: number; of: number }): boolean;
  /** The results so far. */
  result(): Audit;
  /** For the audit after the next change; undefined if incomplete, or if the results depend on the time. */
  kept(): KeptAudit | undefined;
}

/** The failures of single clusters, from which pairs are combined. */
export interface ScreenedSingles {
  readonly clusters: readonly string[];
  /** the simulated ones, by cluster; others' results can be added */
  readonly known: Map<string, SingleFailure>;
  /** the position of its contingency, if that was requested */
  at(cluster: string): number | undefined;
  /** Whether the contingency at a position is one of the simulated ones. */
  isDone(at: number): boolean;
  /** Simulates the failure of a cluster that is not a contingency of its own here. */
  simulate(cluster: string): void;
}

/**
 * Begins an audit of a world at an instant: the effect of every contingency on these bindings, on top of evictions
 * under way and failed clusters. Throws InvalidQuantity for a cluster's invalid quantities.
 */
export function startAudit(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  { contingencies, taint, targetOf, keeps, earlier, ...given }: AuditOptions,
): RunningAudit {
  const forecast = forecastEvents(world, when, configuration, {
    ...given,
    forecasts: contingencies.length + 1,
  });
  const down = new Set(world.clusters.flatMap((one) => (isReady(one) ? [] : one.metadata.name)));
  const copiesOf = ({ spec }: ResourceBinding) => entitledClusters(spec, configuration.rules);
  const placed = new Map(
    bindings.filter((one) => copiesOf(one).size > 0).map((one) => [bindingKey(one), one]),
  );
  const keys = new Set(placed.keys());
  const arePaired = contingencies.some(({ kind }) => kind === 'pair');
  const keepsEach = keeps === true && !arePaired;
  const tally = createTally(keepsEach);
  const calm = forecast.calm();
  const { atRest, reconciled } = calm;
  const calmWorld: CalmWorld = { start: forecast.start, atRest, reconciled };
  const happensTo = (cluster: string) => actionOn(cluster, taint);
  const screen = arePaired ? createPairScreen(forecast, keys, happensTo, when.members) : undefined;
  const paired = new Set(contingencies.flatMap(({ kind, clusters }) => (kind === 'pair' ? clusters : [])));
  const singleAt = new Map(
    contingencies.flatMap(({ kind, clusters }, at) => (kind === 'cluster' ? [[clusters[0]!, at]] : [])),
  );
  const causes = new Map<WorstNoted, Cause>();
  const modelRoom = createModelRoom(world.clusters, configuration);
  let next = 0;
  const left = keepsEach && earlier ? leftBy(earlier) : undefined;
  const now = troublesNow();
  for (const [at, found] of left?.found ?? []) tally.merge({ ...found, kept: [[at, found]] });

  /** The results of an earlier audit that changes since have not affected; undefined: none. */
  function leftBy({ world: before, contingencies: known, ...then }: KeptAudit) {
    if (when.start - then.since >= KEPT_FOR) return undefined;
    const touched = deepEqual(known, contingencies) ? touchedBetween(before, calmWorld) : undefined;
    if (!touched) return undefined;
    const isLeft = (at: number) => !contingencies[at]!.clusters.some((name) => touched.clusters.has(name));
    return { then, touched, found: [...then.found].filter(([at]) => isLeft(at)) };
  }

  function troublesNow(): Map<string, Trouble> {
    const troubles = new Map(left?.then.troubles);
    const asked = left ? [...left.touched.bindings] : [...keys];
    for (const key of asked) troubles.delete(key);
    for (const outcome of calm.outcomes(asked.filter((key) => keys.has(key)))) {
      const key = snapshotKey(outcome.binding);
      const trouble = troubleOf(outcome, placed.get(key)!);
      if (trouble) troubles.set(key, trouble);
    }
    return troubles;
  }

  function simulate(at: number): void {
    const contingency = contingencies[at]!;
    const { clusters: failing } = contingency;
    const own = bindingsOn(forecast, failing, keys);
    const [one, other] = failing;
    const single = contingency.kind === 'cluster' ? screen?.simulate(one!) : undefined;
    if (own.length === 0) return note(at, own, []);
    if (single) return note(at, own, single);
    const combined =
      contingency.kind === 'pair' && other !== undefined ? screen?.pair(one!, other) : undefined;
    if (combined) return note(at, own, combined, { combined });
    const { outcomes, orders } = forecast.outcomes(failing.map(happensTo), own, keys);
    // Other orders include actors that are otherwise at rest.
    note(at, own, outcomes, { isKept: orders === 0 });
  }

  /** Adds up the results of a contingency. */
  function note(
    at: number,
    own: readonly string[],
    outcomes: readonly WorkloadOutcome[],
    { combined, isKept }: { combined?: unknown; isKept?: boolean } = {},
  ): void {
    const contingency = contingencies[at]!;
    const { clusters: failing } = contingency;
    const onThem = new Set(own);
    const { ifItFails, uncertainIfItFails, costIfItFails } = lossesOf(
      outcomes.filter(({ binding }) => onThem.has(snapshotKey(binding))),
    );
    const workloads = outcomes.map((outcome) => {
      const key = snapshotKey(outcome.binding);
      const binding = placed.get(key)!;
      const copies = copiesOf(binding);
      const homes = failing.some((name) => copies.has(name)) ? homesOf(outcome, failing) : [];
      return noted(key, outcome, binding, homes, now.get(key));
    });
    const troubles: AuditedContingency['troubles'] = {};
    for (const { trouble } of workloads) if (trouble) troubles[trouble] = (troubles[trouble] ?? 0) + 1;
    tally.add(
      at,
      {
        ...contingency,
        ...(failing.every((name) => down.has(name)) && { down: true }),
        ...(combined !== undefined && { combined: true }),
        ...{ workloads: own.length, outcomes: ifItFails, troubles },
        ...{ uncertain: uncertainIfItFails, cost: costIfItFails },
      },
      workloads,
      arrivalsOf(outcomes, ({ binding }) => placed.get(snapshotKey(binding)), modelRoom.taken),
      isKept,
    );
  }

  /** The worst cases with their causes, by binding; sorted by contingency, as each needs one snapshot of clusters. */
  function worstCases(): Map<string, WorstCase> {
    const worst = [...placed].flatMap(([key, binding]) => {
      const found = tally.of(key)?.worst;
      return found ? [{ key, binding, found }] : [];
    });
    const cases = new Map<string, WorstCase>();
    const known = left?.touched.changesRoom === false ? left.then.causes : undefined;
    let remaining: { at: number; snapshot: ClusterSnapshot } | undefined;
    for (const { key, binding, found } of worst.sort((a, b) => a.found.at - b.found.at)) {
      const { at, trouble, outcome, certainty, after, reason } = found;
      const contingency = contingencies[at]!;
      let cause = known?.get(found);
      if (!cause) {
        if (remaining?.at !== at)
          remaining = { at, snapshot: withoutClusters(world, contingency.clusters, configuration) };
        cause = causeOf(trouble, found, binding, remaining.snapshot, when.start);
      }
      causes.set(found, cause);
      cases.set(key, {
        ...{ trouble, contingency: contingency.name, outcome, certainty, after },
        ...(reason !== undefined && { reason }),
        cause,
      });
    }
    return cases;
  }

  return {
    total: contingencies.length,
    tally,
    taken: left?.found.length ?? 0,
    simulate,
    kept() {
      const isWhole = tally.contingencies().length === contingencies.length;
      if (!keepsEach || !isWhole || !atRest) return undefined;
      const since = left?.then.since ?? when.start;
      return { ...{ world: calmWorld, troubles: now, causes, since, contingencies }, found: tally.kept };
    },
    ...(screen && {
      screened: {
        clusters: [...paired].sort(),
        known: screen.singles,
        at: (cluster) => singleAt.get(cluster),
        isDone(at) {
          const { kind, clusters } = contingencies[at]!;
          return kind === 'cluster' && screen.singles.has(clusters[0]!);
        },
        simulate: (cluster) => void screen.simulate(cluster),
      },
    }),
    step({ index, of } = { index: 0, of: 1 }) {
      while (tally.has(next) || next % of !== index) {
        if (next >= contingencies.length) return false;
        next++;
      }
      if (next >= contingencies.length) return false;
      simulate(next);
      return true;
    },
    result() {
      const snapshot = schedulerSnapshot(world.clusters, world.bindings, configuration);
      const nameOf = (at: number) => contingencies[at]!.name;
      const cases = worstCases();
      for (const [key, binding] of placed)
        for (const name of new Set([...copiesOf(binding), ...(tally.of(key)?.homes ?? [])]))
          modelRoom.note(name, binding);
      const workloads = [...placed].map(([key, binding]) =>
        auditedWorkload(binding, tally.of(key), {
          ...{ snapshot, nameOf, target: targetOf?.(binding) },
          ...{ now: now.get(key), worst: cases.get(key) },
        }),
      );
      return {
        asked: contingencies.length,
        contingencies: tally.contingencies(),
        workloads: workloads.sort(worstFirst),
        clusters: world.clusters
          .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
          .map((cluster) => {
            const { name } = cluster.metadata;
            const arriving = (resource: HeadroomResource) => {
              const most = tally.arriving(name, resource);
              return most && { contingency: nameOf(most.at), amount: most.amount };
            };
            const ofModels = modelRoom.headroom(name, arriving('models'));
            return {
              ...{ name, down: down.has(name) },
              headroom: [...headroomOf(cluster, arriving), ...(ofModels ? [ofModels] : [])],
            };
          }),
        causes: causesOf(workloads),
        coverage: coverageOf(workloads, bindings.length - placed.size),
      };
    },
  };
}

/** The effect of a contingency on a workload, with the trouble that it causes, unless that exists already. */
function noted(
  key: string,
  outcome: WorkloadOutcome,
  binding: ResourceBinding,
  homes: readonly string[],
  now: Trouble | undefined,
): Noted {
  const trouble = troubleOf(outcome, binding);
  return { key, outcome, homes, trouble: compareTroubles(trouble, now) < 0 ? trouble : undefined };
}

/** Its final placement without the failed clusters. */
function homesOf({ after }: WorkloadOutcome, failing: readonly string[]): string[] {
  return after.map(({ name }) => name).filter((name) => !failing.includes(name));
}

/** The remaining clusters, as the scheduler sees them. */
function withoutClusters(
  { clusters, bindings }: ResumableWorld,
  failing: readonly string[],
  configuration: Configuration,
): ClusterSnapshot {
  const left = clusters.filter(({ metadata }) => !failing.includes(metadata.name));
  return schedulerSnapshot(left, bindings, configuration);
}

/** The facts about a workload besides its tally. */
interface Known {
  snapshot: ClusterSnapshot;
  nameOf: (at: number) => string;
  now: Trouble | undefined;
  worst: WorstCase | undefined;
  target: number | undefined;
}

function auditedWorkload(
  binding: ResourceBinding,
  tally: WorkloadTally | undefined,
  { snapshot, nameOf, now, worst, target }: Known,
): AuditedWorkload {
  const { troubles = [], downtime, homes = [], dependsOn = {}, certainty = 'certain' } = tally ?? {};
  const atMost = tally?.downtimeAtMost;
  return {
    workload: workloadIdentity(binding),
    binding: bindingIdentity(binding),
    clusters: placedOn(binding.spec),
    ...(now && { now }),
    ...(worst && { worst }),
    troubles: troubles
      .toSorted(([a], [b]) => a - b)
      .map(([at, trouble]) => ({ contingency: nameOf(at), trouble })),
    ...(downtime && {
      downtime: {
        contingency: nameOf(downtime.at),
        seconds: downtime.seconds,
        replicas: downtime.replicas,
        ...(downtime.permanent && { permanent: downtime.permanent }),
        ...(downtime.seconds !== null && atMost !== undefined && atMost > downtime.seconds && { atMost }),
      },
    }),
    ...(target !== undefined && { target }),
    secondHomes: secondHomesOf(binding, homes.toSorted(), snapshot),
    certainty,
    dependsOn: Object.entries(dependsOn)
      .sort(([, a], [, b]) => comparePlaces(a, b))
      .map(([what]) => what),
  };
}

function secondHomesOf(
  { spec }: ResourceBinding,
  homes: readonly string[],
  snapshot: ClusterSnapshot,
): SecondHome[] {
  if (homes.length === 0) return [];
  const hasReplicas = (spec.replicas ?? 0) > 0;
  const room = hasReplicas ? availableReplicas(snapshot.fleet, spec, snapshot.options) : undefined;
  return homes.map((cluster) => {
    const at = snapshot.index.get(cluster);
    const fits = at === undefined ? undefined : room?.values[at];
    // Below 0: the cluster reports no capacity.
    return { cluster, room: fits === undefined || fits < 0 ? null : fits };
  });
}

/**
 * Whether it meets its target in every contingency, even with the longest estimated downtime; undefined without a
 * target.
 */
export function meetsTarget({ target, downtime }: AuditedWorkload): boolean | undefined {
  if (target === undefined) return undefined;
  if (downtime === undefined) return true;
  return downtime.seconds !== null && (downtime.atMost ?? downtime.seconds) <= target;
}

/** Whether it is not lost, down, blocked or flapping, neither now nor after any contingency. */
export function isCovered({ now, worst }: AuditedWorkload): boolean {
  return !isUncovered(now) && !isUncovered(worst?.trouble);
}

/** Its worst trouble, now or in a contingency. */
export function worstTrouble({ now, worst }: Pick<AuditedWorkload, 'now' | 'worst'>): Trouble | undefined {
  return compareTroubles(now, worst?.trouble) < 0 ? now : worst?.trouble;
}

function worstFirst(a: AuditedWorkload, b: AuditedWorkload): number {
  return (
    compareTroubles(worstTrouble(a), worstTrouble(b)) ||
    Number(meetsTarget(a) ?? true) - Number(meetsTarget(b) ?? true) ||
    compareText(a.workload.namespace ?? '', b.workload.namespace ?? '') ||
    compareText(a.workload.name, b.workload.name) ||
    compareText(a.workload.kind, b.workload.kind)
  );
}

function causesOf(workloads: readonly AuditedWorkload[]): AuditedCause[] {
  const causes = new Map<string, AuditedCause>();
  for (const { workload, worst } of workloads) {
    if (!worst) continue;
    const { cause, trouble, contingency } = worst;
    const key = `${cause.code} ${cause.detail ?? ''}`;
    const known = causes.get(key);
    if (!known) {
      causes.set(key, { ...cause, trouble, workloads: [workload], contingencies: [contingency] });
      continue;
    }
    known.workloads.push(workload);
    if (!known.contingencies.includes(contingency)) known.contingencies.push(contingency);
    if (compareTroubles(trouble, known.trouble) < 0) known.trouble = trouble;
  }
  return [...causes.values()].sort(
    (a, b) =>
      Number(isUncovered(b.trouble)) - Number(isUncovered(a.trouble)) ||
      b.workloads.length - a.workloads.length ||
      compareTroubles(a.trouble, b.trouble),
  );
}

function coverageOf(workloads: readonly AuditedWorkload[], notPlaced: number): Coverage {
  const covered = workloads.filter(isCovered);
  const targets = workloads.flatMap((one) => meetsTarget(one) ?? []);
  return {
    workloads: workloads.length,
    covered: covered.length,
    coveredUncertain: covered.filter(({ certainty }) => certainty !== 'certain').length,
    inTroubleNow: workloads.filter(({ now }) => now !== undefined).length,
    targets: { asked: targets.length, met: targets.filter((met) => met).length },
    notPlaced,
  };
}
