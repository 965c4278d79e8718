import type { InputNames } from '../../karmada/configuration/inputNames.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { drainsUnderWay, type DrainUnderWay } from '../drain/drainsUnderWay.ts';
import { waitingEvictions, waitingSummary } from '../explanation/waitingEvictions.ts';
import { failoverStatus, type FailoverStatus } from '../explanation/failoverStatus.ts';
import { type EvictionTaskExplanation, explainEvictionTasks } from '../explanation/tasks/evictionTask.ts';
import type { PlayedTasks } from '../explanation/tasks/playedTasks.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import type { World } from '../../karmada/world.ts';
import { type EvictionsSeen, type Happening, happeningsOf } from './happenings.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../../karmada/objects/identities.ts';
import { evictingFrom, placedOn } from '../../karmada/objects/placement.ts';

/** A control plane at a glance, without what only simulations tell. */
export interface Overview {
  /** epoch milliseconds */
  now: number;
  status: FailoverStatus;
  /** without their evidence */
  evictions: EvictionTaskExplanation[];
  /** how many of them only a simulation tells of that has not been made: what becomes of them is an estimate; absent: none */
  unplayed?: number | undefined;
  drains: DrainUnderWay[];
  /** newest first */
  happenings: Happening[];
  workloads: WorkloadSummary[];
}

interface OverviewQuestion {
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  /** gates and flags whose values are unconfirmed defaults */
  unconfirmed: ReadonlySet<string>;
  names?: InputNames | undefined;
  /** what a simulation says of evictions; absent, or of whom it says nothing: they are judged by the clusters as they are now */
  played?: ((binding: ResourceBinding) => PlayedTasks | undefined) | undefined;
  /** keeps the summaries of bindings that have not changed since the last overview, and counts evictions that have ended */
  known?: KnownOverview | undefined;
}

/** What earlier overviews have told: summaries by their bindings, as long as the same clusters are Ready, and evictions. */
interface KnownOverview {
  ready: string;
  of: WeakMap<ResourceBinding, WorkloadSummary>;
  evictions: EvictionsSeen;
}

/** A place to keep that in. */
export function knownOverview(): KnownOverview {
  return { ready: '', of: new WeakMap(), evictions: new Map() };
}

/** What there is to see of a world now. */
export function overviewOf(world: World, question: OverviewQuestion): Overview {
  const { now, configuration, unconfirmed, names, played, known = knownOverview() } = question;
  const queue = waitingEvictions(world, { now, configuration });
  const status = failoverStatus(world, {
    ...{ configuration, unconfirmed, names },
    evictionQueue: queue && waitingSummary(queue),
  });
  const drains = drainsUnderWay(world.clusters, world.bindings);
  const evictions = explainEvictionTasks(world, world.bindings, {
    now,
    configuration,
    ...(played && { played }),
  });
  const unplayed = played ? countUnplayed(world, played) : 0;
  const sources = { clusters: status.clusters, evictions, drains, bindings: world.bindings };
  return {
    ...{ now, status, drains },
    evictions: evictions.map((task) => ({ ...task, evidence: [] })),
    ...(unplayed > 0 && { unplayed }),
    happenings: happeningsOf({ ...sources, now, seen: known.evictions }),
    workloads: summariesOf(world, known),
  };
}

function countUnplayed(
  { bindings }: World,
  played: (binding: ResourceBinding) => PlayedTasks | undefined,
): number {
  return bindings.reduce((count, binding) => {
    const tasks = binding.spec.gracefulEvictionTasks?.length ?? 0;
    return tasks > 0 && !played(binding) ? count + tasks : count;
  }, 0);
}

function summariesOf({ clusters, bindings }: World, known: KnownOverview): WorkloadSummary[] {
  const ready = new Set(clusters.filter(isReady).map(({ metadata }) => metadata.name));
  const asText = [...ready].sort().join(' ');
  if (known.ready !== asText) Object.assign(known, { ready: asText, of: new WeakMap() });
  return bindings.map((binding) => {
    let summary = known.of.get(binding);
    if (!summary) known.of.set(binding, (summary = workloadSummary(binding, (name) => ready.has(name))));
    return summary;
  });
}

/**
 * How a workload is now:
 * - `evicting`: it leaves at least one cluster
 * - `unplaced`: it is nowhere
 * - `unhealthy`: a copy is reported to be unhealthy
 * - `stale`: one of its clusters is not Ready, so that nothing is reported from there
 * - `unapplied`: a copy is not in its cluster: it was refused there, or its dispatching is suspended
 * - `starting`: a copy has not been reported yet
 * - `running`: all copies are healthy, or their health cannot be told
 */
export type WorkloadState =
  'evicting' | 'unplaced' | 'unhealthy' | 'stale' | 'unapplied' | 'starting' | 'running';

/** A workload in one line. */
export interface WorkloadSummary {
  /** the result of `bindingKey` */
  key: string;
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  clusters: TargetCluster[];
  evicting: string[];
  state: WorkloadState;
  /** the clusters that the state is about */
  where: string[];
}

/** How a workload is now, given whether a cluster is Ready. */
export function workloadSummary(
  binding: ResourceBinding,
  isReady: (cluster: string) => boolean,
): WorkloadSummary {
  const clusters = placedOn(binding.spec);
  const evicting = evictingFrom(binding.spec);
  return {
    key: bindingKey(binding),
    binding: bindingIdentity(binding),
    workload: workloadOf(binding),
    clusters,
    evicting,
    ...stateOf(binding, clusters, evicting, isReady),
  };
}

function stateOf(
  { status }: ResourceBinding,
  clusters: readonly TargetCluster[],
  evicting: string[],
  isReady: (cluster: string) => boolean,
): Pick<WorkloadSummary, 'state' | 'where'> {
  if (evicting.length > 0) return { state: 'evicting', where: evicting };
  if (clusters.length === 0) return { state: 'unplaced', where: [] };
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const names = clusters.map(({ name }) => name);
  const stale = names.filter((name) => !isReady(name));
  if (stale.length > 0) return { state: 'stale', where: stale };
  const unhealthy = names.filter((name) => reported.get(name)?.health === 'Unhealthy');
  if (unhealthy.length > 0) return { state: 'unhealthy', where: unhealthy };
  const unapplied = names.filter((name) => {
    const item = reported.get(name);
    return item?.health === 'Unknown' && !item.applied;
  });
  if (unapplied.length > 0) return { state: 'unapplied', where: unapplied };
  const silent = names.filter((name) => !reported.has(name));
  return silent.length > 0 ? { state: 'starting', where: silent } : { state: 'running', where: [] };
}
