import type { Cluster } from '../../api/cluster.ts';
import type { SpreadConstraint } from '../../api/policy.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { providerOf, regionOf, zonesOf } from '../../selection/clusterAffinity.ts';
import { schedulesComponentSets } from '../capacity/availableReplicas.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import type { ScheduleError } from '../errors.ts';
import { type RankedClusters, availableOn, scoreOf } from '../rankClusters.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { ignoresSpreadConstraints, isDuplicated } from '../strategy.ts';
import type { SpreadTrace } from '../trace.ts';
import { chooseRegions } from './regionPath.ts';

type Selection = { clusters: readonly number[] } | { error: ScheduleError };

const failed = (message: string): Selection => ({ error: { kind: 'Error', message } });

/**
 * Chooses among the ranked feasible clusters by the spread constraints; without any, or with static weights, takes all
 * of them. Clusters are indexes in the snapshot.
 */
export function selectClusters(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  trace?: { spread?: SpreadTrace },
): Selection {
  const constraints = spec.placement?.spreadConstraints ?? [];
  const seen: SpreadTrace | undefined = trace && {
    rule: 'all',
    constraints: constraints.map(({ spreadByField = '', minGroups = 0, maxGroups = 0 }) => ({
      field: spreadByField,
      minGroups,
      maxGroups,
      groups: groupCount(snapshot, ranked, spreadByField),
    })),
  };
  if (trace) trace.spread = seen;
  const selection = select(snapshot, ranked, spec, constraints, seen);
  if (seen && 'error' in selection) seen.error = selection.error.message;
  return selection;
}

function select(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  constraints: readonly SpreadConstraint[],
  seen: SpreadTrace | undefined,
): Selection {
  if (constraints.length === 0 || ignoresSpreadConstraints(spec.placement))
    return { clusters: ranked.clusters };
  const crash = crashWithoutCapacity(snapshot, ranked, spec);
  if (crash) return { error: crash };
  const byCluster = constraintOf(constraints, 'cluster');
  const byRegion = constraintOf(constraints, 'region');
  if (byRegion) {
    if (seen) seen.rule = 'region';
    return selectByRegion(snapshot, ranked, spec, byRegion, byCluster, seen);
  }
  if (!byCluster) return failed('just support cluster and region spread constraint');
  if (seen) seen.rule = 'cluster';
  return selectByCluster(snapshot, ranked, spec, byCluster);
}

function groupCount(snapshot: ClusterSnapshot, ranked: RankedClusters, field: string): number {
  const groups = new Set<string>();
  for (const at of ranked.clusters) {
    const { metadata, spec } = snapshot.clusters[at]!;
    if (field === 'cluster') groups.add(metadata.name);
    else if (field === 'region') groups.add(spec?.region ?? '');
    else if (field === 'provider') groups.add(spec?.provider ?? '');
    else if (field === 'zone') for (const zone of spec?.zones ?? []) groups.add(zone);
  }
  groups.delete('');
  return groups.size;
}

/** Karmada's number for the capacity of Duplicated workloads, which are placed regardless of it. */
const WHATEVER_ROOM = -1;

function selectByCluster(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  { minGroups = 0, maxGroups = 0 }: SpreadConstraint,
): Selection {
  const { clusters } = ranked;
  if (clusters.length < minGroups)
    return failed('the number of feasible clusters is less than spreadConstraint.MinGroups');
  const count = Math.min(clusters.length, maxGroups);
  const { options } = snapshot;
  const oneSet = options.rules.componentSetsNeeded === 'one' && schedulesComponentSets(spec, options);
  const needed = isDuplicated(spec.placement) ? WHATEVER_ROOM : oneSet ? 1 : (spec.replicas ?? 0);
  if (needed === WHATEVER_ROOM) return { clusters: clusters.slice(0, count) };

  const chosen = clusters.slice(0, count);
  const rest = clusters.slice(count);
  let total = chosen.reduce((sum, at) => sum + availableOn(ranked, at), 0);
  // From the last cluster backwards, swaps each for the one with the most capacity among the rest, until that is
  // enough.
  for (let last = chosen.length - 1; total < needed && last >= 0; last--) {
    let best = -1;
    let most = availableOn(ranked, chosen[last]!);
    for (let i = 0; i < rest.length; i++) {
      const capacity = availableOn(ranked, rest[i]!);
      if (capacity <= most) continue;
      best = i;
      most = capacity;
    }
    if (best === -1) continue;
    total += most - availableOn(ranked, chosen[last]!);
    [chosen[last], rest[best]] = [rest[best]!, chosen[last]!];
  }
  if (total < needed || chosen.length === 0)
    return failed(`no enough resource when selecting ${count} clusters`);
  return { clusters: chosen };
}

function selectByRegion(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  { minGroups = 0, maxGroups = 0 }: SpreadConstraint,
  byCluster: SpreadConstraint | undefined,
  seen: SpreadTrace | undefined,
): Selection {
  const groups = groupByRegion(snapshot, ranked);
  if (groups.length < minGroups)
    return failed('the number of feasible region is less than spreadConstraint.MinGroups');

  const regions = groups.map(({ name, members }) => ({
    name,
    clusters: members.length,
    score: groupScore(members, ranked, spec, minGroups, snapshot.rules),
    members,
  }));
  const chosen = chooseRegions(regions, minGroups, maxGroups, byCluster?.minGroups ?? 0);
  if (chosen === 'endless') {
    const message = `karmada-scheduler tries every set of ${minGroups} to ${maxGroups} of ${regions.length} regions, and runs out of memory`;
    return { error: { kind: 'Panic', message } };
  }
  if (seen)
    seen.regions = regions.map(({ name, clusters, score }) => ({
      name,
      clusters,
      score,
      chosen: chosen?.some((region) => region.name === name) ?? false,
    }));
  if (!chosen) return failed('the number of clusters is less than the cluster spreadConstraint.MinGroups');

  const selected = chosen.map(({ members }) => members[0]!);
  const total = chosen.reduce((sum, { clusters }) => sum + clusters, 0);
  const wanted = Math.min(total, byCluster?.maxGroups ?? 0);
  if (selected.length >= wanted) return { clusters: selected };
  const candidates = new Set(chosen.flatMap(({ members }) => members.slice(1)));
  for (const at of ranked.clusters) {
    if (!candidates.has(at)) continue;
    selected.push(at);
    if (selected.length === wanted) break;
  }
  return { clusters: selected };
}

/** The regions of the feasible clusters, each with its clusters in ranked order. */
function groupByRegion(
  snapshot: ClusterSnapshot,
  { clusters }: RankedClusters,
): { name: string; members: number[] }[] {
  const { groups, groupOf } = snapshot.region();
  const members: number[][] = [];
  for (const at of clusters) (members[groupOf[at]!] ??= []).push(at);
  return groups.flatMap(({ value: name }, group) =>
    name !== undefined && members[group] ? [{ name, members: members[group] }] : [],
  );
}

const UNIT = 1000;
const NO_TARGET = -Infinity;

/** The effective constraint for a field: the last one. */
function constraintOf(
  constraints: readonly SpreadConstraint[] | undefined,
  field: string,
): SpreadConstraint | undefined {
  return constraints?.findLast(({ spreadByField }) => spreadByField === field);
}

/**
 * The score of a region. Since v1.12 it rates whether its clusters, in ranked order, can hold their share of the
 * workload, then how much of the workload is already there; before, it is the score of its best cluster. Integer
 * division throughout.
 */
function groupScore(
  members: readonly number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  minGroups: number,
  { regionScore }: Pick<SchedulingRules, 'regionScore'>,
): number {
  if (regionScore === 'highestClusterScore') return scoreOf(ranked, members[0]!);
  return isDuplicated(spec.placement)
    ? duplicatedScore(members, ranked, spec.replicas ?? 0)
    : dividedScore(members, ranked, spec, minGroups);
}

function duplicatedScore(members: readonly number[], ranked: RankedClusters, replicas: number): number {
  let count = 0;
  let scores = 0;
  for (const at of members) {
    if (availableOn(ranked, at) < replicas) continue;
    count++;
    scores += scoreOf(ranked, at);
  }
  return count === 0 ? 0 : count * UNIT + Math.trunc(scores / count);
}

function dividedScore(
  members: readonly number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  minGroups: number,
): number {
  // Without a minimum Karmada divides floats by zero; converted to an int64 (on amd64) the result is no target.
  const target = minGroups === 0 ? NO_TARGET : Math.ceil((spec.replicas ?? 0) / minGroups);
  const clusterMinGroups = constraintOf(spec.placement?.spreadConstraints, 'cluster')?.minGroups ?? 0;
  const least = Math.max(clusterMinGroups, minGroups);
  let available = 0;
  let scores = 0;
  let count = 0;
  for (const at of members) {
    available += availableOn(ranked, at);
    scores += scoreOf(ranked, at);
    count++;
    if (count >= least && available >= target) break;
  }
  if (available < target) return available * UNIT + Math.trunc(scores / members.length);
  return (target === NO_TARGET ? 0 : target * UNIT) + Math.trunc(scores / count);
}

const groupsOf: Record<string, (cluster: Cluster) => readonly string[]> = {
  region: (cluster) => [regionOf(cluster) ?? ''],
  provider: (cluster) => [providerOf(cluster) ?? ''],
  zone: zonesOf,
};

/**
 * The crash of karmada-scheduler from v1.12.0 until v1.14.10, v1.15.6 and v1.16.3: for a Duplicated workload it divides
 * by the number of clusters with capacity in every group of a spread constraint, chosen or not. Undefined if the
 * version does not crash, or each group has such a cluster.
 */
function crashWithoutCapacity(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
): ScheduleError | undefined {
  if (snapshot.rules.regionScore !== 'roomOrCrash' || !isDuplicated(spec.placement)) return undefined;
  const replicas = spec.replicas ?? 0;
  for (const { spreadByField = '' } of spec.placement?.spreadConstraints ?? []) {
    const fits = new Map<string, boolean>();
    for (const at of ranked.clusters)
      for (const group of groupsOf[spreadByField]?.(snapshot.clusters[at]!) ?? [])
        fits.set(group, fits.get(group) === true || availableOn(ranked, at) >= replicas);
    fits.delete('');
    for (const [group, has] of fits)
      if (!has) {
        const message = `runtime error: integer divide by zero (no cluster of ${spreadByField} ${group} has capacity for ${replicas} replicas)`;
        return { kind: 'Panic', message };
      }
  }
  return undefined;
}
