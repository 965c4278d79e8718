import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ConditionStatus, ObjectIdentity, Taint, TaintEffect } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, ResourceHealth } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { unknownPolicies, type World } from '../../karmada/world.ts';
import { compareCosts, type CostOfLoss, type Losses } from '../forecast/costOfLoss.ts';
import { forecastOf, type ForecastOfBinding, type LossForecast } from '../forecast/losses.ts';
import { type Headroom, headroomOf } from '../forecast/headroom.ts';
import { clusterDeletion, copiesLeft, type ClusterDeletion, type CopyLeft } from './clusterDeletion.ts';
import { failoverSwitch, type FailoverSwitch } from './failoverSwitch.ts';
import { type TaintRule, taintRules } from './taintRules.ts';
import { bindingIdentity, objectKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { isStale, readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { wantsTaints } from '../../karmada/taints/policyPass.ts';
import { queuePace } from '../../karmada/taints/evictionPace.ts';
import type { EvictionPace } from '../../karmada/controllers/controller.ts';
import { hasOneQueue, startsTaintManager } from '../../karmada/configuration/taintEviction.ts';
import type { WaitingSummary } from './waitingEvictions.ts';
import { createWorkloadSummaries, troubleOf, type WorkloadSummary } from './workloadNow.ts';
import { ownershipOf, type TaintOwnership } from '../../karmada/taints/taintOwnership.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { zip } from '../../kubernetes/nonEmpty.ts';
import type { KnownConfiguration } from '../../karmada/configuration/assumptions.ts';

/** The failover status of a control plane, for a daily check. Times are RFC 3339. */
export interface FailoverStatus {
  failover: FailoverSwitch;
  /** in versions with one eviction queue, if the taint manager runs: its pace by the present taints of all clusters */
  evictionPace?: EvictionPace;
  /** under the same conditions: the evictions waiting in that queue */
  evictionQueue?: WaitingSummary;
  /** workloads in trouble now, the worst first */
  trouble: WorkloadSummary[];
  taintRules: TaintRule[];
  clusters: ClusterStatus[];
}

export interface ClusterStatus {
  name: string;
  ready: { status: ConditionStatus | null; reason?: string; message?: string; since?: string };
  syncMode: 'Push' | 'Pull';
  region?: string;
  deleting: boolean;
  /** if it is being deleted: what remains to be deleted first */
  deletion?: ClusterDeletion;
  taints: ClusterTaint[];
  /** of cpu, memory and pods, as reported by the cluster */
  headroom: Headroom[];
  workloads: number;
  replicas: number;
  /** the number of eviction tasks from this cluster */
  evicting: number;
  /** the bindings on it, if one cluster was requested */
  bindings?: BindingOnCluster[];
  /** the number of workloads with a copy there by outcome, if the cluster failed now; null if not requested */
  ifItFails: Losses['ifItFails'] | null;
  /** how many of these outcomes are uncertain; null if not requested */
  uncertainIfItFails: number | null;
  /** the cost of the failure; null if not requested */
  costIfItFails: CostOfLoss | null;
  /** 1: the cluster whose loss would cost most; null unless all clusters were requested */
  rank: number | null;
}

export interface ClusterTaint extends Pick<TaintOwnership, 'owner' | 'certainty'> {
  taint: string;
  effect: TaintEffect;
  since: string | null;
  /** the policies that may have added it, if it is owned by a policy */
  policies?: string[];
  /** anomalies of the taint */
  note?: string;
}

export interface BindingOnCluster {
  binding: ObjectIdentity;
  workload: ObjectIdentity & { apiVersion: string };
  replicas: number | null;
  health: ResourceHealth | null;
  /** the cluster is not Ready, so the health is from its last report */
  stale: boolean;
  evicting: boolean;
  /** its binding has left, but its Work and copy remain on this terminating cluster */
  left?: true;
  /** its outcome if the cluster failed now; null if not requested, or if its copy is being purged */
  ifItFails: ForecastOfBinding | null;
}

interface StatusQuestion extends Omit<KnownConfiguration, 'unverified'> {
  /** as in KnownConfiguration; absent: none */
  unverified?: ReadonlySet<string>;
  /** the evictions that wait in the eviction queue; absent: left out of the answer */
  evictionQueue?: WaitingSummary | undefined;
  /** all bindings, if the world has only those to count; absent: those of the world */
  allBindings?: readonly ResourceBinding[];
  /** summaries of the bindings, if already computed */
  workloads?: readonly WorkloadSummary[];
  /** restricts the answer to this cluster, with the bindings on it */
  cluster?: string;
  /** simulates the outcome of the workloads of a failing cluster */
  forecast?: LossForecast;
}

/** The failover status of a world. */
export function failoverStatus(world: World, question: StatusQuestion): FailoverStatus {
  const { taintPolicies } = world;
  const clusters = world.clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const asked = clusters.filter(({ metadata }) => [undefined, metadata.name].includes(question.cluster));
  const loads = clusterLoads(world.bindings);
  const { configuration } = question;
  const paced = hasOneQueue(configuration.rules) && startsTaintManager(configuration);
  const workloads = question.workloads ?? createWorkloadSummaries()(world, configuration);
  return {
    failover: failoverSwitch(
      clusters,
      taintPolicies,
      question.configuration,
      question.unverified,
      unknownPolicies(world, configuration.rules),
      question.names,
      question.allBindings ?? world.bindings,
      question.proven,
    ),
    ...(paced && { evictionPace: queuePace(world.clusters, configuration.controllerManager) }),
    ...(question.evictionQueue && { evictionQueue: question.evictionQueue }),
    trouble: troubleOf(workloads).filter((one) => isAbout(one, question.cluster)),
    taintRules: taintRules(taintPolicies, clusters, configuration),
    clusters: ranked(
      asked.map((cluster) => {
        const { name, deletionTimestamp } = cluster.metadata;
        const ready = readyCondition(cluster);
        const losses = question.forecast?.(name);
        const load = loads.get(name) ?? { workloads: 0, replicas: 0, evicting: 0 };
        const left = copiesLeft(cluster, world.works, world.bindings);
        const deletion = clusterDeletion(
          cluster,
          world,
          question.allBindings ?? world.bindings,
          configuration,
        );
        return {
          name,
          ready: {
            status: ready?.status ?? null,
            ...(ready?.reason ? { reason: ready.reason } : {}),
            ...(ready?.message ? { message: ready.message } : {}),
            ...(ready?.lastTransitionTime ? { since: ready.lastTransitionTime } : {}),
          },
          syncMode: cluster.spec?.syncMode ?? 'Push',
          ...(cluster.spec?.region ? { region: cluster.spec.region } : {}),
          deleting: Boolean(deletionTimestamp),
          ...(deletion && { deletion }),
          taints: (cluster.spec?.taints ?? []).map((taint) =>
            clusterTaint(taint, cluster, taintPolicies, question.configuration),
          ),
          headroom: headroomOf(cluster),
          ...load,
          workloads: load.workloads + left.length,
          replicas: left.reduce((sum, { replicas }) => sum + replicas, load.replicas),
          ...(question.cluster !== undefined && {
            bindings: bindingsOn(cluster, world.bindings, left, losses?.workloads),
          }),
          ifItFails: losses?.ifItFails ?? null,
          uncertainIfItFails: losses?.uncertainIfItFails ?? null,
          costIfItFails: losses?.costIfItFails ?? null,
          rank: null,
        };
      }),
    ),
  };
}

/** Whether a workload is on a cluster, or is leaving it; without a cluster, all match. */
function isAbout({ clusters, evicting }: WorkloadSummary, cluster: string | undefined): boolean {
  if (cluster === undefined) return true;
  return evicting.includes(cluster) || clusters.some(({ name }) => name === cluster);
}

function clusterTaint(
  taint: Taint,
  cluster: Cluster,
  taintPolicies: readonly ClusterTaintPolicy[],
  { rules }: Configuration,
): ClusterTaint {
  const { owner, policies, certainty } = ownershipOf(taint, cluster, taintPolicies, rules);
  const addsOn = rules.api.taintPolicyForm === 'windows' ? 'matchConditions' : 'addOnConditions';
  const holds = taintPolicies.some(
    (policy) => policies.includes(policy.metadata.name) && wantsTaints(policy, cluster, rules),
  );
  return {
    taint: formatTaint(taint),
    effect: taint.effect,
    since: taint.timeAdded ?? null,
    owner,
    certainty,
    ...(policies.length > 0 && { policies }),
    ...(policies.length > 0 && !holds && { note: `its ${addsOn} no longer hold` }),
  };
}

/** All clusters with their ranks; equal costs share a rank. */
function ranked(clusters: ClusterStatus[]): ClusterStatus[] {
  const costs = clusters.flatMap(({ costIfItFails }) => costIfItFails ?? []);
  if (costs.length < clusters.length || clusters.length < 2) return clusters;
  return zip(clusters, costs).map(([cluster, cost]) => ({
    ...cluster,
    rank: 1 + costs.filter((one) => compareCosts(one, cost) < 0).length,
  }));
}

type Load = Pick<ClusterStatus, 'workloads' | 'replicas' | 'evicting'>;

function clusterLoads(bindings: ResourceBinding[]): Map<string, Load> {
  const loads = new Map<string, Load>();
  const loadOf = (name: string) => {
    let load = loads.get(name);
    if (!load) loads.set(name, (load = { workloads: 0, replicas: 0, evicting: 0 }));
    return load;
  };
  for (const { spec } of bindings) {
    for (const { name, replicas = 0 } of placedOn(spec)) {
      const load = loadOf(name);
      load.workloads++;
      load.replicas += replicas;
    }
    for (const { fromCluster } of spec.gracefulEvictionTasks ?? []) loadOf(fromCluster).evicting++;
  }
  return loads;
}

function bindingsOn(
  cluster: Cluster,
  bindings: ResourceBinding[],
  left: readonly CopyLeft[],
  forecast: WorkloadOutcome[] = [],
): BindingOnCluster[] {
  const { name } = cluster.metadata;
  const outcomes = new Map(forecast.map((outcome) => [objectKey(outcome.binding), outcome]));
  const stale = isStale(cluster);
  return bindings.flatMap((binding) => {
    const { spec, status } = binding;
    // A dependent follows its parents.
    const target = placedOn(spec).find((one) => one.name === name);
    const task = spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === name);
    const copy = left.find((one) => one.binding === binding);
    if (!target && !task && !copy) return [];
    const found = outcomes.get(objectKey(bindingIdentity(binding)));
    return {
      binding: bindingIdentity(binding),
      workload: workloadIdentity(binding),
      // Karmada omits a 0, which the binding of a simulation may have.
      replicas: (target ?? task ?? copy)?.replicas || null,
      health: status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)?.health ?? null,
      stale,
      evicting: task !== undefined,
      ...(copy && { left: true as const }),
      ifItFails: found && !copy ? forecastOf(found) : null,
    };
  });
}

/** A change of the failover switch, or of a cluster, since the previous status. */
export interface FailoverStatusChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  failover: FailoverSwitch;
  /** in versions with one eviction queue: its present pace */
  evictionPace?: EvictionPace;
  /** the workloads in trouble now, if the change is not about a cluster */
  trouble?: WorkloadSummary[];
  /**
   * its present state, or the last one if it was deleted; null if the change concerns failover itself, the pace of
   * evictions, or the workloads in trouble
   */
  cluster: ClusterStatus | null;
}

/**
 * The changes between two statuses: failover itself, then the clusters in order, then deleted clusters. Without an
 * earlier status, everything is new.
 */
export function failoverStatusChanges(
  before: FailoverStatus | undefined,
  after: FailoverStatus,
): FailoverStatusChange[] {
  const { evictionPace, trouble } = after;
  const failover = { failover: after.failover, ...(evictionPace && { evictionPace }) };
  const changes: FailoverStatusChange[] = [];
  if (!before) changes.push({ type: 'ADDED', ...failover, trouble, cluster: null });
  else if (!deepEqual(asWhole(before), asWhole(after)))
    changes.push({ type: 'MODIFIED', ...failover, trouble, cluster: null });
  const known = new Map(before?.clusters.map((cluster) => [cluster.name, cluster]));
  for (const cluster of after.clusters) {
    const old = known.get(cluster.name);
    known.delete(cluster.name);
    if (!old) changes.push({ type: 'ADDED', ...failover, cluster });
    else if (!deepEqual(uncosted(old), uncosted(cluster)))
      changes.push({ type: 'MODIFIED', ...failover, cluster });
  }
  for (const cluster of known.values()) changes.push({ type: 'DELETED', ...failover, cluster });
  return changes;
}

/** The fields about the control plane as a whole. */
function asWhole({ failover, evictionPace, trouble }: FailoverStatus) {
  return { failover, evictionPace, trouble };
}

/** Omits minutes, ranks and headroom, which change constantly. */
function uncosted(cluster: ClusterStatus): ClusterStatus {
  return { ...cluster, costIfItFails: null, rank: null, headroom: [] };
}
