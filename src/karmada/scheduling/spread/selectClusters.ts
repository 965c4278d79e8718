import type { SpreadConstraint } from '../../api/policy.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { schedulesComponentSets } from '../capacity/availableReplicas.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import type { ScheduleError } from '../errors.ts';
import { availableOn, type RankedClusters } from '../rankClusters.ts';
import { ignoresSpreadConstraints, isDuplicated } from '../strategy.ts';
import type { SpreadTrace } from '../trace.ts';
import { crashWithoutRoom } from './crashWithoutRoom.ts';
import { constraintOf, groupScore } from './groupScore.ts';
import { chooseRegions } from './regionPath.ts';

export type Selection = { clusters: readonly number[] } | { error: ScheduleError };

const failed = (message: string): Selection => ({ error: { kind: 'Error', message } });

/**
 * Chooses clusters among the ranked feasible ones by the spread constraints; without any, or with static weights, all
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
  const crash = crashWithoutRoom(snapshot, ranked, spec);
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

/** Duplicated workloads are placed without regard to room; Karmada uses this number for that. */
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
  // From the last one backwards, exchange each for the roomiest of the rest until there is enough room.
  for (let last = chosen.length - 1; total < needed && last >= 0; last--) {
    let best = -1;
    let most = availableOn(ranked, chosen[last]!);
    for (let i = 0; i < rest.length; i++) {
      const room = availableOn(ranked, rest[i]!);
      if (room <= most) continue;
      best = i;
      most = room;
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
    const message = `karmada-scheduler tries every set of ${minGroups} to ${maxGroups} of ${regions.length} regions, more than memory holds`;
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

/** The regions of the feasible clusters with their clusters in ranked order. */
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
