import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { admissionOf, type Admission } from '../../karmada/validation/admission.ts';
import { propagationSpecErrors } from '../../karmada/validation/propagationSpec.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { maxAvailableComponentSetsOfFleet } from '../../karmada/scheduling/capacity/fleetCapacity.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../karmada/scheduling/scheduleBinding.ts';
import { strategyOf } from '../../karmada/scheduling/strategy.ts';
import type { AttemptTrace, ClusterTrace, ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import { type ChangeStep, patchesFor, type Proposal, type ProposedChange } from './changes/change.ts';
import { stepsToOpen } from './changes/openCluster.ts';
import type { Trials } from './changes/trial.ts';
import {
  componentCapacityStep,
  replicaStep,
  requestStep,
  capacityStep,
  spreadSteps,
} from './changes/steps.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import { hasSamePlaces, samePlacement, type Situation } from './schedulingDecision.ts';
import { isUnlimited } from './whyCluster.ts';
import { zip, groupedBy } from '../../kubernetes/nonEmpty.ts';

export interface ChangeSearch {
  /** the smallest first */
  items: ProposedChange[];
  /** whether all of them are pairs, because no single change is enough */
  pairs: boolean;
  /** how many changes were checked with the scheduler's rules */
  tried: number;
  /** Karmada's error for changes that would help the scheduler but that Karmada refuses; absent if it refuses none */
  refused?: string;
}

/** Clusters to try for one kind of change, those with the largest capacity first. */
const MAX_CLUSTERS = 60;
/** The lowest percentage of a workload's requests to propose. */
const LEAST_REQUEST = 25;
/** How many ways to open a cluster are combined with other spread constraints. */
const MAX_IN_PAIRS = 20;
/** How many other clusters are named for one kind of change. */
const MAX_ALTERNATIVES = 3;
/** How many changes are reported. */
const MAX_REPORTED = 4;

interface SearchOptions {
  /** rules of the version, whose webhook has to accept a change */
  rules: Rules;
  /** tries no pairs of changes, to save time */
  singleOnly?: boolean;
  /** simulates changes; absent: only the scheduler's rules judge them */
  trials?: Trials | undefined;
}

/**
 * The smallest changes that let the scheduler place a workload that it does not place, or places on too few clusters.
 * The scheduler's own rules judge each candidate, and those that it would place are simulated. Changes that only bypass
 * a check are left out: each gained cluster must have capacity. Undefined if the workload needs no change.
 *
 * @param copies the desired number of clusters of a Duplicated workload
 * @param today the situation before any event, to show what a change would do at once; may be the same
 */
export function smallestChanges(
  situation: Situation,
  copies: number,
  today: Situation,
  { rules, singleOnly = false, trials }: SearchOptions,
): ChangeSearch | undefined {
  const search = startSearch(situation, copies, today, admissionOf(rules));
  if (search.attempt([])) return undefined;
  const groups = search.groups;
  const traced = candidateClusters(groups, situation);
  const opened = traced.flatMap(({ cluster, trace }) =>
    stepsToOpen(cluster, trace, situation.binding, situation.snapshot.rules).map((steps) => ({
      cluster: cluster.metadata.name,
      steps,
    })),
  );
  const single = opened.filter(({ steps }) => steps.length === 1);
  const { binding, snapshot } = situation;
  const spread = spreadSteps(binding.spec.placement ?? {}, snapshot.clusters.length);

  for (const { cluster, steps } of single) search.propose(steps, cluster);
  for (const step of spread) search.propose([step]);
  search.proposeReplicas();
  search.proposeRequests();
  search.proposeCapacity(traced.filter(({ trace }) => trace.fits));
  let changes = bestOfEachKind(search.found, trials);
  if (changes.length === 0 && !singleOnly) {
    search.found = [];
    for (const { cluster, steps } of opened) if (steps.length === 2) search.propose(steps, cluster);
    for (const { cluster, steps } of single.slice(0, MAX_IN_PAIRS))
      for (const step of spread) search.propose([...steps, step], cluster);
    changes = bestOfEachKind(search.found, trials);
  }
  return changeSearch(changes, search.tried, trials?.refused);
}

/** The result of a search: the smallest of the changes found. */
export function changeSearch(
  found: ProposedChange[],
  tried: number,
  refused: string | undefined,
): ChangeSearch {
  const items = withoutPermanentGap(found).toSorted(bySize).slice(0, MAX_REPORTED);
  return {
    items,
    pairs: items.length > 0 && items.every(({ kinds }) => kinds.length > 1),
    tried,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The changes after which no replica is missing permanently; all of them if there are none. */
export function withoutPermanentGap<C extends Pick<ProposedChange, 'gap'>>(
  changes: readonly C[],
): readonly C[] {
  return matchingOrAll(changes, ({ gap }) => !gap?.open);
}

/** The elements that match; all of them if none does. */
export function matchingOrAll<T>(all: readonly T[], is: (one: T) => boolean): readonly T[] {
  const some = all.filter(is);
  return some.length > 0 ? some : all;
}

const bySize = (a: ProposedChange, b: ProposedChange) => a.size - b.size || (a.text < b.text ? -1 : 1);

interface Candidate {
  cluster: Cluster;
  trace: ClusterTrace;
}

/** Ready clusters, each with the fewest rejections of any affinity group, those with the largest capacity first. */
function candidateClusters(groups: AttemptTrace[], { binding, snapshot }: Situation): Candidate[] {
  const capacity = availableReplicas(snapshot.fleet, binding.spec, snapshot.options).values;
  const open = zip(snapshot.clusters, capacity)
    .filter(([cluster]) => !isStale(cluster) && !cluster.metadata.deletionTimestamp)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CLUSTERS);
  const byName = groups.map(({ clusters }) => new Map(clusters.map((seen) => [seen.name, seen])));
  return open.flatMap(([cluster]) => {
    const traces = byName.flatMap((seen) => seen.get(cluster.metadata.name) ?? []);
    const trace = traces.sort((a, b) => rejectionCount(a) - rejectionCount(b))[0];
    return trace ? [{ cluster, trace }] : [];
  });
}

function rejectionCount({ filters }: ClusterTrace): number {
  return filters.filter(({ reason }) => reason !== undefined).length;
}

interface Found {
  change: ProposedChange;
  cluster?: string | undefined;
  /** the control plane with the change */
  proposal: Proposal;
}

function startSearch(situation: Situation, copies: number, today: Situation, admission: Admission) {
  const { binding, snapshot } = situation;
  const { spec } = binding;
  const clusters = new Map(snapshot.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const divided = strategyOf(spec.placement) !== 'Duplicated' && (spec.replicas ?? 0) > 0;
  const trace: ScheduleTrace = { attempts: [] };
  const later = !hasSamePlaces(binding, today.binding);
  const found: Found[] = [];
  const search = {
    found,
    tried: 0,
    /** the scheduler's attempt without the change */
    get groups() {
      return trace.attempts;
    },

    /** the result with the steps applied, if it is sufficient */
    attempt(steps: ChangeStep[]): TargetCluster[] | undefined {
      const proposal = proposalOf(binding, steps);
      const result = resultOf(proposal, snapshot, steps.length === 0 ? trace : undefined);
      if (!result || (!divided && result.length < copies)) return undefined;
      return steps.length === 0 || fits(proposal, snapshot, result) ? result : undefined;
    },

    propose(steps: ChangeStep[], cluster?: string): boolean {
      search.tried++;
      const gives = search.attempt(steps);
      if (!gives || !isAdmitted(binding, steps, admission)) return false;
      const patches = patchesFor(binding, clusters, proposalOf(binding, steps), gives, today.binding);
      // A future eviction can be neither cancelled nor removed from the history.
      const undoes = steps.some(({ kind }) => kind === 'end-eviction' || kind === 'forget-eviction');
      if (undoes && !patches.some(({ target }) => target.kind.endsWith('ResourceBinding'))) return false;
      const movesToday = later ? movedBy(steps, today) : undefined;
      search.found.push({
        cluster,
        proposal: proposalOf(today.binding, steps),
        change: {
          kinds: steps.map(({ kind }) => kind),
          text: steps.map(({ text }) => text).join(', and '),
          size: steps.reduce((sum, { size }) => sum + size, 0) + (movesToday ? 2 : 0),
          patches,
          gives,
          ...(movesToday ? { movesToday } : {}),
          alternatives: [],
        },
      });
      return true;
    },

    /** the most replicas that still fit */
    proposeReplicas(): void {
      const asked = spec.replicas ?? 0;
      if (!divided || asked < 2) return;
      const most = greatest(1, asked - 1, (replicas) => {
        search.tried++;
        return search.attempt([replicaStep(replicas, asked)]) !== undefined;
      });
      if (most !== undefined) search.propose([replicaStep(most, asked)]);
    },

    /** the largest requests that fit: lowers the one resource that shrinks least, or all */
    proposeRequests(): void {
      const names = Object.keys(spec.replicaRequirements?.resourceRequest ?? {});
      if (!divided || names.length === 0) return;
      const choices = [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])];
      let best: { names: string[]; percent: number } | undefined;
      for (const some of choices) {
        const most = greatest(LEAST_REQUEST, 99, (percent) => {
          search.tried++;
          return search.attempt([requestStep(spec, some, percent)]) !== undefined;
        });
        if (most !== undefined && most > (best?.percent ?? 0)) best = { names: some, percent: most };
      }
      if (best) search.propose([requestStep(spec, best.names, best.percent)]);
    },

    /** the smallest missing capacity on one of the clusters that pass the filters */
    proposeCapacity(candidates: Candidate[]): void {
      const asked = spec.replicas ?? 0;
      const { components = [] } = spec;
      if (components.length > 0) {
        for (const { cluster, trace: seen } of candidates)
          if ((seen.allocatableReplicas ?? 0) < 1)
            search.propose(
              [componentCapacityStep(cluster, components, snapshot.options)],
              cluster.metadata.name,
            );
        return;
      }
      if (!divided || asked < 1) return;
      for (const { cluster, trace: seen } of candidates) {
        if (isUnlimited(seen.allocatableReplicas ?? 0)) continue;
        const step = (more: number) =>
          capacityStep(cluster, spec, seen.allocatableReplicas ?? 0, more, snapshot.options);
        const surplus = greatest(0, asked - 1, (less) => {
          search.tried++;
          return search.attempt([step(asked - less)]) !== undefined;
        });
        if (surplus !== undefined) search.propose([step(asked - surplus)], cluster.metadata.name);
      }
    },
  };
  return search;
}

function proposalOf(binding: ResourceBinding, steps: ChangeStep[]): Proposal {
  return steps.reduce<Proposal>((proposal, step) => step.apply(proposal), { binding, clusters: new Map() });
}

function resultOf(
  { binding, clusters }: Proposal,
  snapshot: ClusterSnapshot,
  trace?: ScheduleTrace,
): TargetCluster[] | undefined {
  const { trigger, failure, spec } = scheduleBinding({
    snapshot: clusters.size > 0 ? snapshot.with(...clusters.values()) : snapshot,
    binding,
    now: 0,
    ...(trace ? { trace } : {}),
  });
  if (failure) return undefined;
  // Nothing triggers the scheduler: the binding already has all requested replicas.
  return trigger || spec.clusters?.length ? (spec.clusters ?? []) : undefined;
}

/** The placement that the change would lead to today, if it differs. */
function movedBy(steps: ChangeStep[], { binding, snapshot }: Situation): TargetCluster[] | undefined {
  const before = binding.spec.clusters ?? [];
  const result = resultOf(proposalOf(binding, steps), snapshot);
  return result && !samePlacement(before, result) ? result : undefined;
}

/** Whether Karmada's webhook accepts the placement, ignoring errors that it already had. */
function isAdmitted({ spec }: ResourceBinding, steps: ChangeStep[], admission: Admission): boolean {
  const { placement } = proposalOf({ metadata: { name: '' }, spec }, steps).binding.spec;
  const errors = (one: typeof placement) =>
    propagationSpecErrors({ ...(one ? { placement: one } : {}) }, '', admission).length;
  return errors(placement) <= errors(spec.placement);
}

/** The largest number in a range that passes a test. The test must pass for all smaller ones as well. */
function greatest(from: number, to: number, test: (number: number) => boolean): number | undefined {
  let [low, high] = [from - 1, to];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (test(middle)) low = middle;
    else high = middle - 1;
  }
  return low < from ? undefined : low;
}

/**
 * For each kind the smallest change that helps, by trials if there are any; clusters of other helpful changes become
 * its alternatives.
 */
function bestOfEachKind(found: Found[], trials: Trials | undefined): ProposedChange[] {
  const sorted = found.toSorted((a, b) => bySize(a.change, b.change));
  const byKind = groupedBy(sorted, ({ change }) => change.kinds.join('+'));
  const tryOut = ({ change, proposal }: Found) => (trials ? trials.try(change, proposal) : change);
  const best = [...byKind.values()].flatMap((same) => {
    for (const [index, one] of same.entries()) {
      const change = tryOut(one);
      if (change) return [{ change, cluster: one.cluster, others: same.slice(index + 1) }];
    }
    return [];
  });
  return best.map(({ change, cluster, others }) => {
    const alternatives = new Set<string>();
    for (const other of others) {
      if (alternatives.size === MAX_ALTERNATIVES) break;
      if (other.cluster === undefined || other.cluster === cluster) continue;
      if (!alternatives.has(other.cluster) && tryOut(other)) alternatives.add(other.cluster);
    }
    return { ...change, alternatives: [...alternatives] };
  });
}

/** Whether clusters have capacity for all replicas that a result adds. */
function fits(
  { binding: { spec }, clusters }: Proposal,
  snapshot: ClusterSnapshot,
  result: TargetCluster[],
): boolean {
  const {
    fleet,
    options,
    clusters: all,
  } = clusters.size > 0 ? snapshot.with(...clusters.values()) : snapshot;
  const { components = [] } = spec;
  if (components.length === 0 && !spec.replicas) return true;
  const capacity =
    components.length > 0
      ? maxAvailableComponentSetsOfFleet(fleet, components)
      : availableReplicas(fleet, spec, options);
  const had = new Map(spec.clusters?.map(({ name, replicas = 0 }) => [name, replicas]));
  return result.every(({ name, replicas = 0 }) => {
    const more = components.length > 0 ? (had.has(name) ? 0 : 1) : replicas - (had.get(name) ?? 0);
    const there = capacity.values[all.findIndex(({ metadata }) => metadata.name === name)] ?? 0;
    // Below zero: the cluster reports no capacity.
    return more <= 0 || there < 0 || there >= more;
  });
}
