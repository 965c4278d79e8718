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
import { placedOn } from '../../karmada/objects/placement.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { type ClusterSnapshot, schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { Scenario, ScenarioAction } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { ProposedChange } from '../explanation/changes/change.ts';
import { lossesOf, type CostOfLoss } from '../forecast/costOfLoss.ts';
import { bindingsOn, forecastEvents, type ForecastOptions } from '../forecast/losses.ts';
import { causeOf, type Cause } from './causes.ts';
import type { Contingency } from './contingencies.ts';
import { arrivalsOf, type Arrivals, headroomOf, type Headroom } from '../forecast/headroom.ts';
import { compareTroubles, isUncovered, type Trouble, troubleOf } from './trouble.ts';

/** What would be lost if clusters failed: each contingency, each workload, each cluster, and why. */
export interface Audit {
  /** how many contingencies were asked for; more than there are below if it was interrupted */
  asked: number;
  contingencies: AuditedContingency[];
  /** every workload with a place, the worst first */
  workloads: AuditedWorkload[];
  clusters: AuditedCluster[];
  /** why workloads are in trouble: the cause of the most workloads first */
  causes: AuditedCause[];
  coverage: Coverage;
}

/** What one contingency leads to. Workloads that are in trouble already count with what gets worse. */
export interface AuditedContingency extends Contingency {
  /** workloads on its clusters */
  workloads: number;
  /** how many of them have each outcome */
  outcomes: Partial<Record<Outcome, number>>;
  /** how many of them get into each trouble */
  troubles: Partial<Record<Trouble, number>>;
  uncertain: number;
  cost: CostOfLoss;
}

export interface AuditedWorkload {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  clusters: TargetCluster[];
  /** its trouble if nothing fails; absent: none */
  now?: Trouble;
  /** the worst that a contingency does to it; absent: no trouble */
  worst?: WorstCase;
  /** every contingency that brings it into trouble, in the order of the contingencies */
  troubles: { contingency: string; trouble: Trouble }[];
  /** the longest time with fewer ready replicas than it is to have; absent: none */
  downtime?: Downtime;
  /** seconds that it may have fewer ready replicas; absent: nobody says */
  target?: number;
  /** the clusters that still have it, or get it, in some contingency */
  secondHomes: SecondHome[];
  /** `certain` if its outcome is in all contingencies */
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
  /** null: to the end of the simulation */
  seconds: number | null;
  /** the most replicas missing at one time */
  replicas: number;
}

export interface SecondHome {
  cluster: string;
  /** how many more of its replicas fit there today; null: unknown, or it has no replicas */
  room: number | null;
}

export interface AuditedCluster {
  name: string;
  /** it is down already, so that its failure is what the audit begins with */
  down: boolean;
  headroom: Headroom[];
}

export interface AuditedCause extends Cause {
  /** what would help one of its workloads, each change simulated to rest; absent: nobody searched */
  cures?: Cures;
  /** the worst trouble that it brings */
  trouble: Trouble;
  workloads: (ObjectIdentity & { apiVersion: string })[];
  /** the contingencies that bring it, each once */
  contingencies: string[];
}

export interface Cures {
  workload: ObjectIdentity & { apiVersion: string };
  contingency: string;
  /** the smallest change first, at most three */
  changes: ProposedChange[];
}

/** How many workloads survive every contingency, and which were not judged. */
export interface Coverage {
  /** workloads with a place */
  workloads: number;
  /** of these: no contingency leaves them lost, down, blocked or flapping */
  covered: number;
  /** of the covered: some outcome is an estimate */
  coveredUncertain: number;
  /** of all: in trouble already, if nothing fails */
  inTroubleNow: number;
  /** workloads with a target, and those that keep it in every contingency */
  targets: { asked: number; met: number };
  /** workloads that are on no cluster: nothing can be lost */
  notPlaced: number;
}

export interface AuditOptions extends Omit<ForecastOptions, 'forecasts'> {
  contingencies: readonly Contingency[];
  /** what happens to each cluster of a contingency; absent: it fails */
  taint?: (ScenarioAction & { type: 'taint' })['taint'];
  /** seconds that a workload may have fewer ready replicas than it is to have; undefined: nobody says */
  targetOf?: (binding: ResourceBinding) => number | undefined;
}

/** An audit that is under way: one contingency a step. */
export interface RunningAudit {
  /** how many steps there are */
  readonly total: number;
  /** Simulates the next contingency; false: there is none. */
  step(): boolean;
  /** What is known so far. */
  result(): Audit;
}

/** What is known of a workload so far. */
interface Followed {
  binding: ResourceBinding;
  now: Trouble | undefined;
  worst?: WorstCase;
  troubles: AuditedWorkload['troubles'];
  downtime?: Downtime;
  homes: Set<string>;
  uncertain: Set<string>;
  certainty: Certainty;
}

/**
 * Begins an audit of a world from an instant on: what every contingency would do to these bindings. What is under way
 * and clusters that are down already are what it begins with. Throws InvalidQuantity for a cluster's invalid quantities.
 */
export function startAudit(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  { contingencies: asked, taint, targetOf, ...given }: AuditOptions,
): RunningAudit {
  const up = new Set(world.clusters.filter(isReady).map(({ metadata }) => metadata.name));
  const contingencies = asked.filter(({ clusters }) => clusters.some((name) => up.has(name)));
  const forecast = forecastEvents(world, when, configuration, {
    ...given,
    forecasts: contingencies.length + 1,
  });
  const placed = bindings.filter(({ spec }) => placedOn(spec).length > 0);
  const followed = new Map<string, Followed>();
  for (const binding of placed)
    followed.set(bindingKey(binding), {
      ...{ binding, now: undefined, troubles: [], homes: new Set(), uncertain: new Set() },
      certainty: 'certain',
    });
  const keys = new Set(followed.keys());
  for (const outcome of forecast.outcomes([], [...keys])) {
    const one = followed.get(snapshotKey(outcome.binding))!;
    one.now = troubleOf(outcome, one.binding);
  }
  const snapshot = schedulerSnapshot(world.clusters, world.bindings, configuration);
  const done: AuditedContingency[] = [];
  const arrivals = new Map<string, Arrivals>();

  function simulated(contingency: Contingency): void {
    const failing = contingency.clusters.filter((name) => up.has(name));
    const own = bindingsOn(forecast, failing, keys);
    const actions = failing.map((cluster): ScenarioAction =>
      taint ? { type: 'taint', cluster, taint } : { type: 'fail', cluster },
    );
    const outcomes = own.length === 0 ? [] : forecast.outcomes(actions, own, keys);
    const onThem = new Set(own);
    const { ifItFails, uncertainIfItFails, costIfItFails } = lossesOf(
      outcomes.filter(({ binding }) => onThem.has(snapshotKey(binding))),
    );
    const troubles: AuditedContingency['troubles'] = {};
    const left = oneOf(() => withoutClusters(world, failing, configuration));
    for (const outcome of outcomes) {
      const one = followed.get(snapshotKey(outcome.binding))!;
      const trouble = noted(one, outcome, contingency, failing, left, when.start);
      if (trouble) troubles[trouble] = (troubles[trouble] ?? 0) + 1;
    }
    arrivals.set(
      contingency.name,
      arrivalsOf(outcomes, ({ binding }) => followed.get(snapshotKey(binding))?.binding),
    );
    done.push({
      ...contingency,
      ...{ workloads: own.length, outcomes: ifItFails, troubles },
      ...{ uncertain: uncertainIfItFails, cost: costIfItFails },
    });
  }

  return {
    total: contingencies.length,
    step() {
      const next = contingencies[done.length];
      if (next) simulated(next);
      return next !== undefined;
    },
    result() {
      const workloads = [...followed.values()].map((one) => auditedWorkload(one, snapshot, targetOf));
      return {
        asked: contingencies.length,
        contingencies: done,
        workloads: workloads.sort(worstFirst),
        clusters: world.clusters
          .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
          .map((cluster) => ({
            name: cluster.metadata.name,
            down: !up.has(cluster.metadata.name),
            headroom: headroomOf(cluster, arrivals),
          })),
        causes: causesOf(workloads),
        coverage: coverageOf(workloads, bindings.length - placed.length),
      };
    },
  };
}

/** Adds what a contingency does to a workload, and says which trouble it brings that there is not already. */
function noted(
  one: Followed,
  outcome: WorkloadOutcome,
  contingency: Contingency,
  failing: readonly string[],
  left: () => ClusterSnapshot,
  now: number,
): Trouble | undefined {
  const { certainty, dependsOn = [], gap, after, reason } = outcome;
  if (certainty !== 'certain') {
    one.certainty = one.certainty === 'unknown' ? 'unknown' : certainty;
    for (const what of dependsOn) one.uncertain.add(what);
  }
  if (placedOn(one.binding.spec).some(({ name }) => failing.includes(name)))
    for (const { name } of after) if (!failing.includes(name)) one.homes.add(name);
  if (gap) {
    const seconds = gap.open || outcome.outcome === 'flaps' ? null : gap.seconds;
    if (isLonger(seconds, one.downtime))
      one.downtime = { contingency: contingency.name, seconds, replicas: gap.replicas };
  }
  const trouble = troubleOf(outcome, one.binding);
  if (trouble === undefined || compareTroubles(trouble, one.now) >= 0) return undefined;
  one.troubles.push({ contingency: contingency.name, trouble });
  if (compareTroubles(trouble, one.worst?.trouble) < 0)
    one.worst = {
      ...{ trouble, contingency: contingency.name, outcome: outcome.outcome, certainty, after },
      ...(reason !== undefined && { reason }),
      cause: causeOf(trouble, outcome, one.binding, left(), now),
    };
  return trouble;
}

function isLonger(seconds: number | null, known: Downtime | undefined): boolean {
  if (known === undefined) return true;
  return known.seconds !== null && (seconds === null || seconds > known.seconds);
}

/** The clusters that are left, as the scheduler sees them. */
function withoutClusters(
  { clusters, bindings }: ResumableWorld,
  failing: readonly string[],
  configuration: Configuration,
): ClusterSnapshot {
  const left = clusters.filter(({ metadata }) => !failing.includes(metadata.name));
  return schedulerSnapshot(left, bindings, configuration);
}

function oneOf<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function auditedWorkload(
  { binding, now, worst, troubles, downtime, homes, uncertain, certainty }: Followed,
  snapshot: ClusterSnapshot,
  targetOf: AuditOptions['targetOf'],
): AuditedWorkload {
  const target = targetOf?.(binding);
  return {
    workload: workloadIdentity(binding),
    binding: bindingIdentity(binding),
    clusters: placedOn(binding.spec),
    ...(now && { now }),
    ...(worst && { worst }),
    troubles,
    ...(downtime && { downtime }),
    ...(target !== undefined && { target }),
    secondHomes: secondHomesOf(binding, [...homes].sort(), snapshot),
    certainty,
    dependsOn: [...uncertain],
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
    // below 0: the cluster does not say
    return { cluster, room: fits === undefined || fits < 0 ? null : fits };
  });
}

/** Whether it keeps its target in every contingency; undefined if it has none. */
export function meetsTarget({ target, downtime }: AuditedWorkload): boolean | undefined {
  if (target === undefined) return undefined;
  return downtime === undefined || (downtime.seconds !== null && downtime.seconds <= target);
}

/** Whether no contingency leaves it lost, down, blocked or flapping, and it is none of these now. */
export function isCovered({ now, worst }: AuditedWorkload): boolean {
  return !isUncovered(now) && !isUncovered(worst?.trouble);
}

function worstTrouble({ now, worst }: AuditedWorkload): Trouble | undefined {
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

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
