import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../karmada/objects/conditions.ts';
import { bindingIdentity, bindingKey, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import {
  type ClusterFacts,
  dividesReplicas,
  evictingFrom,
  placedOn,
  wantedCopies,
  wantedReplicas,
} from '../../karmada/objects/placement.ts';
import { factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';
import { hasFinished } from '../../karmada/status/copyReadiness.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { World } from '../../karmada/world.ts';
import { isReadinessUnreported, readyOn } from '../history/readyCopies.ts';

/**
 * The present state of a workload:
 * - `unplaced`: it has no placement
 * - `down`: it should have replicas, and none is ready
 * - `unscheduled`: its last scheduling failed, so it keeps its placement
 * - `evicting`: it leaves at least one cluster
 * - `stale`: one of its clusters is not Ready, so its reports are old
 * - `unhealthy`: a copy is reported as unhealthy
 * - `unapplied`: a copy is missing in its cluster: it was refused there, or its dispatching is suspended
 * - `starting`: a copy has not been reported yet
 * - `short`: it has fewer ready replicas, or fewer copies, than desired
 * - `running`: all copies are healthy, or their health cannot be known
 */
export type WorkloadState =
  | 'unplaced'
  | 'down'
  | 'unscheduled'
  | 'evicting'
  | 'stale'
  | 'unhealthy'
  | 'unapplied'
  | 'starting'
  | 'short'
  | 'running';

export interface WorkloadSummary {
  /** the result of `bindingKey` */
  key: string;
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  clusters: TargetCluster[];
  evicting: string[];
  state: WorkloadState;
  /** the clusters that are in that state */
  where: string[];
  /** it should have replicas, and none is ready, whatever its state */
  down?: true;
  /** ready and desired replicas; absent if none are desired, or if their number is not reported */
  ready?: { ready: number; wanted: number };
  /** the numbers of clusters that have and should have a copy; absent if none is missing */
  copies?: { placed: number; wanted: number };
  /** why its last scheduling failed: "NoClusterFit: 0/3 clusters are available" */
  refused?: string;
}

/** The facts that apply to all workloads. */
interface WorkloadCircumstances {
  clusters: ReadonlyMap<string, Cluster>;
  facts: ClusterFacts;
  hooks: DeclaredHooks;
}

/** Summarizes the workloads of a world; unchanged ones keep their earlier summaries. */
export type SummarizeWorkloads = (
  world: Pick<World, 'clusters' | 'bindings' | 'others'>,
  configuration: Configuration,
) => WorkloadSummary[];

/** Caches summaries by binding, until any cluster changes. */
export function createWorkloadSummaries(): SummarizeWorkloads {
  let clustersThen = '';
  let known = new WeakMap<ResourceBinding, WorkloadSummary>();
  return (world, { rules }) => {
    const asText = JSON.stringify(
      world.clusters.map((cluster) => [
        ...[cluster.metadata.name, isReady(cluster), cluster.metadata.labels, cluster.spec?.region],
        ...[cluster.spec?.provider, cluster.spec?.zone, cluster.spec?.zones],
      ]),
    );
    if (clustersThen !== asText) [clustersThen, known] = [asText, new WeakMap()];
    const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
    const about = {
      clusters,
      facts: factsOfClusters((name) => clusters.get(name), rules.scheduling, world.clusters),
      hooks: declaredHooks(world.others, rules),
    };
    return world.bindings.map((binding) => {
      let summary = known.get(binding);
      if (!summary) known.set(binding, (summary = workloadNow(binding, about)));
      return summary;
    });
  };
}

function workloadNow(binding: ResourceBinding, about: WorkloadCircumstances): WorkloadSummary {
  const { spec, status } = binding;
  const clusters = placedOn(spec);
  const evicting = evictingFrom(spec);
  const ready = readyOf(binding, about);
  const isReported = (status?.aggregatedStatus?.length ?? 0) > 0;
  const isNew = !isReported && evicting.length === 0 && clusters.every(({ name }) => isUp(name, about));
  const down = ready?.ready === 0 && (clusters.length === 0 || !isNew);
  const failed = conditionOf(status?.conditions, 'Scheduled');
  const refused =
    failed?.status === 'False' ? [failed.reason, failed.message].filter(Boolean).join(': ') : undefined;
  const summary: Omit<WorkloadSummary, 'state' | 'where'> = {
    key: bindingKey(binding),
    binding: bindingIdentity(binding),
    workload: workloadOf(binding),
    clusters,
    evicting,
    ...(down && { down }),
    ...(ready && { ready }),
    ...missingCopies(binding, about.facts),
    ...(refused && { refused }),
  };
  return { ...summary, ...stateOf(binding, summary, about) };
}

/**
 * Whether a binding's status alone shows that its workload is neither down nor Unhealthy: cheap, for many workloads.
 */
export function runsByStatus(binding: ResourceBinding, clusters: ReadonlyMap<string, Cluster>): boolean {
  const items = binding.status?.aggregatedStatus ?? [];
  if (items.some(({ health }) => health === 'Unhealthy')) return false;
  return (
    !binding.spec.replicas || items.some(({ clusterName }) => readyOn(binding, clusterName, clusters) > 0)
  );
}

/** Whether a workload has a problem now, other than leaving a cluster or starting. */
export function isInTrouble({ state, down, refused }: WorkloadSummary): boolean {
  if (down || refused) return true;
  return state !== 'evicting' && state !== 'starting' && state !== 'running';
}

/** All states, in the order of their urgency. */
export const WORKLOAD_STATES: readonly WorkloadState[] = [
  ...(['down', 'unplaced', 'unscheduled', 'unhealthy', 'unapplied'] as const),
  ...(['evicting', 'stale', 'short', 'starting', 'running'] as const),
];

/**
 * The rank of a workload's state, the worst first. Of those that are down, the ones on no cluster come before those
 * whose replicas may still become ready.
 */
function stateRank({ state, clusters }: WorkloadSummary): number {
  return state === 'down' && clusters.length === 0 ? 0 : WORKLOAD_STATES.indexOf(state) + 1;
}

/** Workloads by state, the worst first. */
export function worstStatesFirst(workloads: readonly WorkloadSummary[]): WorkloadSummary[] {
  // in buckets: comparing the names of 20,000 workloads takes too long for a key press
  const buckets: WorkloadSummary[][] = [[], ...WORKLOAD_STATES.map(() => [])];
  for (const one of workloads) buckets[stateRank(one)]!.push(one);
  return buckets.flat();
}

/** The rank of each workload by its state, the worst first. */
export function stateRanks(
  world: Pick<World, 'clusters' | 'bindings' | 'others'>,
  configuration: Configuration,
): (workload: ObjectIdentity) => number {
  const ranks = new Map(
    createWorkloadSummaries()(world, configuration).map((one) => [objectKey(one.workload), stateRank(one)]),
  );
  return (workload) => ranks.get(objectKey(workload)) ?? WORKLOAD_STATES.length + 1;
}

/** Workloads in trouble, the worst first. */
export function troubleOf(workloads: readonly WorkloadSummary[]): WorkloadSummary[] {
  return worstStatesFirst(workloads.filter(isInTrouble));
}

/** How many workloads are in trouble. */
export interface TroubleCounts {
  /** how many of them have no ready replica */
  down: number;
  all: number;
}

export function countTrouble(workloads: readonly WorkloadSummary[]): TroubleCounts {
  const counts = { down: 0, all: 0 };
  for (const one of workloads) {
    if (isInTrouble(one)) counts.all++;
    if (one.down) counts.down++;
  }
  return counts;
}

type Reported = Pick<WorkloadSummary, 'state' | 'where'>;

function stateOf(
  { status }: ResourceBinding,
  { clusters, evicting, down, ready, copies, refused }: Omit<WorkloadSummary, 'state' | 'where'>,
  about: WorkloadCircumstances,
): Reported {
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const names = clusters.map(({ name }) => name);
  const stale = names.filter((name) => !isUp(name, about));
  if (clusters.length === 0 && evicting.length === 0) return { state: 'unplaced', where: [] };
  if (down) return { state: 'down', where: stale };
  if (refused) return { state: 'unscheduled', where: names };
  if (evicting.length > 0) return { state: 'evicting', where: evicting };
  if (stale.length > 0) return { state: 'stale', where: stale };
  const unhealthy = names.filter((name) => reported.get(name)?.health === 'Unhealthy');
  if (unhealthy.length > 0) return { state: 'unhealthy', where: unhealthy };
  const unapplied = names.filter((name) => {
    const item = reported.get(name);
    return item?.health === 'Unknown' && !item.applied;
  });
  if (unapplied.length > 0) return { state: 'unapplied', where: unapplied };
  const silent = names.filter((name) => !reported.has(name));
  if (silent.length > 0) return { state: 'starting', where: silent };
  if (copies || (ready && ready.ready < ready.wanted)) return { state: 'short', where: names };
  return { state: 'running', where: [] };
}

function isUp(cluster: string, { clusters }: WorkloadCircumstances): boolean {
  return isReady(clusters.get(cluster));
}

/** The copies that a Duplicated workload has and should have, if it lacks some. */
function missingCopies(
  { spec, status }: ResourceBinding,
  facts: ClusterFacts,
): Pick<WorkloadSummary, 'copies'> {
  const placed = spec.clusters?.length ?? 0;
  const wanted = !spec.placement || dividesReplicas(spec) ? placed : wantedCopies({ spec, status }, facts);
  return placed < wanted ? { copies: { placed, wanted } } : {};
}

/** How many of the desired replicas are ready; undefined if none are desired, or if the number is not reported. */
function readyOf(
  binding: ResourceBinding,
  { clusters, facts, hooks }: WorkloadCircumstances,
): WorkloadSummary['ready'] {
  const { status } = binding;
  const wanted = wantedReplicas(binding, facts);
  if (wanted === 0 || isReadinessUnreported(binding, hooks)) return undefined;
  const items = status?.aggregatedStatus ?? [];
  // An unhealthy copy that reports no numbers may have ready replicas.
  const isVague = items.some((item) => item.health === 'Unhealthy' && !item.status);
  if (isVague || items.some(({ clusterName }) => hasFinished(binding, clusterName))) return undefined;
  return {
    ready: items.reduce((sum, { clusterName }) => sum + readyOn(binding, clusterName, clusters), 0),
    wanted,
  };
}
