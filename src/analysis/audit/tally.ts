import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import {
  type Amounts,
  type Arrivals,
  HEADROOM_RESOURCES,
  type HeadroomResource,
} from '../forecast/headroom.ts';
import type { AuditedContingency } from './contingencies.ts';
import { compareTroubles, type Trouble } from './trouble.ts';

/**
 * The results of contingencies. The order of additions does not matter: merging the tallies of several threads or
 * machines gives the tally of a single run. Contingencies are identified by their positions in the full list.
 */
export interface Tally {
  /** @param isKept whether to keep it separately too, if the tally keeps contingencies */
  add(
    at: number,
    contingency: AuditedContingency,
    workloads: readonly ContingencyEffect[],
    arrivals: Arrivals,
    isKept?: boolean,
  ): void;
  merge(other: TallyState): void;
  has(at: number): boolean;
  /** in the order of the full list */
  contingencies(): AuditedContingency[];
  of(binding: string): WorkloadTally | undefined;
  /** the most of a resource that one contingency sends to a cluster */
  arriving(cluster: string, resource: HeadroomResource): PeakArrivals | undefined;
  state(): TallyState;
  /** the contingencies that are kept separately, by position */
  readonly kept: ReadonlyMap<number, TallyState>;
}

/** Plain JSON. */
export interface TallyState {
  contingencies: [at: number, AuditedContingency][];
  /** by key of their bindings */
  workloads: [binding: string, WorkloadTally][];
  arrivals: [cluster: string, Partial<Record<HeadroomResource, PeakArrivals>>][];
  /** each contingency separately; absent: not requested */
  kept?: [at: number, TallyState][];
}

interface PeakArrivals {
  at: number;
  amount: number;
}

/** The effect of one contingency on a workload. */
export interface ContingencyEffect {
  /** of its binding */
  key: string;
  outcome: WorkloadOutcome;
  /** absent: no new one */
  trouble: Trouble | undefined;
  /** clusters that keep or receive it */
  homes: readonly string[];
}

export interface WorkloadTally {
  certainty: Certainty;
  /** what estimates depend on, and where each was first found: position of the contingency, and index within it */
  dependsOn: Record<string, [at: number, place: number]>;
  homes: string[];
  troubles: [at: number, Trouble][];
  worst?: WorstEffect;
  downtime?: {
    at: number;
    /** null: it is still missing when the simulation ends */ seconds: number | null;
    replicas: number;
    permanent?: true;
  };
  /** the upper bound in seconds, where a combined pair estimates the downtime */
  downtimeAtMost?: number;
}

export interface WorstEffect extends Pick<WorkloadOutcome, 'reason' | 'flapping'> {
  at: number;
  trouble: Trouble;
  outcome: Outcome;
  certainty: Certainty;
  after: TargetCluster[];
}

/**
 * Seconds by which a combined pair may underestimate a downtime: the scheduler's only worker is busier if two clusters
 * fail. In 30,185 downtimes compared with full simulations, the largest error was 101 s.
 */
const COMBINED_WITHIN = 120;

/**
 * An empty tally.
 *
 * @param keeps whether to keep each contingency separately, for an audit after a change
 */
export function createTally(keeps = false): Tally {
  const kept = new Map<number, TallyState>();
  const contingencies = new Map<number, AuditedContingency>();
  const workloads = new Map<string, WorkloadTally>();
  const arrivals = new Map<string, Partial<Record<HeadroomResource, PeakArrivals>>>();

  function arrived(cluster: string, resource: HeadroomResource, one: PeakArrivals): void {
    const most = arrivals.get(cluster) ?? {};
    arrivals.set(cluster, most);
    const known = most[resource];
    if (!known || one.amount > known.amount || (one.amount === known.amount && one.at < known.at))
      most[resource] = one;
  }

  function noted(key: string, one: WorkloadTally): void {
    const known = workloads.get(key);
    if (known) mergeInto(known, one);
    else workloads.set(key, keeps ? copyOf(one) : one);
  }

  function merge(other: TallyState): void {
    for (const [at, one] of other.contingencies) contingencies.set(at, one);
    for (const [key, one] of other.workloads) noted(key, one);
    for (const [cluster, most] of other.arrivals)
      for (const resource of HEADROOM_RESOURCES)
        if (most[resource]) arrived(cluster, resource, most[resource]);
    for (const [at, one] of other.kept ?? []) kept.set(at, one);
  }

  return {
    add(at, contingency, ofWorkloads, sent, isKept = true) {
      const own: TallyState = {
        contingencies: [[at, contingency]],
        workloads: ofWorkloads.map((one) => [one.key, tallyOf(at, one, contingency.combined)]),
        arrivals: Array.from(sent, ([cluster, amounts]) => [cluster, arrivingAt(at, amounts)]),
      };
      merge(own);
      if (keeps && isKept) kept.set(at, own);
    },
    merge,
    kept,
    has: (at) => contingencies.has(at),
    contingencies: () => [...contingencies].sort(([a], [b]) => a - b).map(([, one]) => one),
    of: (binding) => workloads.get(binding),
    arriving: (cluster, resource) => arrivals.get(cluster)?.[resource],
    state: () => ({
      contingencies: [...contingencies],
      workloads: [...workloads],
      arrivals: [...arrivals],
      ...(keeps && { kept: [...kept] }),
    }),
  };
}

function arrivingAt(at: number, amounts: Amounts): Partial<Record<HeadroomResource, PeakArrivals>> {
  const some = HEADROOM_RESOURCES.filter((resource) => amounts[resource] > 0);
  return Object.fromEntries(some.map((resource) => [resource, { at, amount: amounts[resource] }]));
}

/** A copy into which other tallies can be merged. */
function copyOf(one: WorkloadTally): WorkloadTally {
  const { dependsOn, homes, troubles } = one;
  return { ...one, dependsOn: { ...dependsOn }, homes: [...homes], troubles: [...troubles] };
}

function tallyOf(
  at: number,
  { outcome: found, trouble, homes }: ContingencyEffect,
  combined: true | undefined,
): WorkloadTally {
  const { certainty, dependsOn = [], gap, after, reason, flapping, outcome } = found;
  const uncertain = certainty !== 'certain';
  return {
    certainty,
    dependsOn: uncertain ? Object.fromEntries(dependsOn.map((what, place) => [what, [at, place]])) : {},
    homes: [...homes],
    troubles: trouble ? [[at, trouble]] : [],
    ...(trouble && {
      worst: {
        at,
        trouble,
        outcome,
        certainty,
        after,
        ...(reason !== undefined && { reason }),
        ...(flapping && { flapping }),
      },
    }),
    ...(gap && {
      downtime: {
        at,
        seconds: gap.open || outcome === 'flaps' ? null : gap.seconds,
        replicas: gap.replicas,
        ...(gap.permanent && { permanent: gap.permanent }),
      },
    }),
    ...(combined && gap && !gap.open && { downtimeAtMost: gap.seconds + COMBINED_WITHIN }),
  };
}

function mergeInto(known: WorkloadTally, other: WorkloadTally): void {
  known.certainty = leastCertain(known.certainty, other.certainty);
  for (const [what, place] of Object.entries(other.dependsOn)) {
    const before = known.dependsOn[what];
    if (!before || comparePlaces(place, before) < 0) known.dependsOn[what] = place;
  }
  for (const home of other.homes) if (!known.homes.includes(home)) known.homes.push(home);
  known.troubles.push(...other.troubles);
  if (other.worst && (!known.worst || isWorse(other.worst, known.worst))) known.worst = other.worst;
  if (other.downtime && (!known.downtime || isLonger(other.downtime, known.downtime)))
    known.downtime = other.downtime;
  if (other.downtimeAtMost !== undefined)
    known.downtimeAtMost = Math.max(known.downtimeAtMost ?? 0, other.downtimeAtMost);
}

/** Orders the doubts found in contingencies. */
export function comparePlaces([a, x]: [number, number], [b, y]: [number, number]): number {
  return a - b || x - y;
}

function leastCertain(a: Certainty, b: Certainty): Certainty {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  return a === 'certain' ? b : a;
}

/** If both are equally bad, the earlier contingency wins. */
function isWorse(a: WorstEffect, b: WorstEffect): boolean {
  return (compareTroubles(a.trouble, b.trouble) || a.at - b.at) < 0;
}

type NotedDowntime = NonNullable<WorkloadTally['downtime']>;

function isLonger(a: NotedDowntime, b: NotedDowntime): boolean {
  const [x, y] = [a.seconds ?? Infinity, b.seconds ?? Infinity];
  const permanent = (one: NotedDowntime) => Number(one.permanent ?? false);
  return (x - y || permanent(a) - permanent(b) || b.at - a.at) > 0;
}
