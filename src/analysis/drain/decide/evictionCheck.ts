import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../../karmada/api/names.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Certainty, Evidence } from '../../../karmada/evidence.ts';
import {
  respectsPreferNoExecute,
  untoleratedTaint,
} from '../../../karmada/scheduling/filters/taintToleration.ts';
import { mayReturn } from '../../../karmada/scheduling/nextScheduling.ts';
import { scheduleBinding } from '../../../karmada/scheduling/scheduleBinding.ts';
import { strategyOf } from '../../../karmada/scheduling/strategy.ts';
import type { ScheduleTrace } from '../../../karmada/scheduling/trace.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainSituation, ClustersByName } from './drainSituation.ts';
import { evictFromClusters } from '../drainTasks.ts';
import { unseenByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { dividesReplicas } from '../../../karmada/objects/placement.ts';
import { hasFinished } from '../../../karmada/status/copyReadiness.ts';

/**
 * The effect of evicting a binding now. `stays`: it tolerates the cordon and would return, or it has completed there;
 * `blocked`: nothing would fully replace its copies there.
 */
export type EvictionCheck =
  | {
      verdict: 'evict';
      /** the spec after the eviction, for one write */
      spec: ResourceBindingSpec;
      /** the clusters that it leaves, including others that the scheduler would drop together with the drained ones */
      clusters: string[];
      /** where the scheduler would put it */
      to: TargetCluster[];
      certainty: Certainty;
      evidence: Evidence[];
    }
  | EvictionRefusal;

interface EvictionQuestion {
  binding: ResourceBinding;
  /** names of the clusters to leave, all in spec.clusters */
  leave: readonly string[];
  situation: DrainSituation;
  options: DrainOptions;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
}

/**
 * The pre-scheduling check of the proposal Optimize Cluster Failover: how the scheduler would place the binding after
 * the eviction, on the present clusters.
 *
 * @param explain whether a refusal lists each filter's objections to each cluster
 */
export function evictionCheck(question: EvictionQuestion, explain = false): EvictionCheck {
  const { binding, leave, configuration } = question;
  const obstacle = obstacleOf(binding, leave, configuration) ?? wouldComeBack(question);
  if (obstacle) return obstacle;
  let clusters = [...leave];
  for (;;) {
    const { check, dropped } = tryEviction(question, clusters, explain);
    if (dropped.length === 0) return check;
    clusters = [...clusters, ...dropped];
  }
}

/** What prevents a binding from being rescheduled, or its new copies from being dispatched. */
function obstacleOf(
  binding: ResourceBinding,
  leave: readonly string[],
  configuration: Configuration,
): EvictionRefusal | undefined {
  const { spec } = binding;
  const foreign = spec.gracefulEvictionTasks?.find(
    (task) => !isDrainTask(task) && leave.includes(task.fromCluster),
  );
  if (foreign)
    return blocked(
      `${foreign.producer} has an eviction task for ${foreign.fromCluster} already`,
      'spec.gracefulEvictionTasks',
      foreign,
    );
  const carrying = spec.gracefulEvictionTasks?.find(
    (task) => !isDrainTask(task) && Object.keys(task.preservedLabelState ?? {}).length > 0,
  );
  // Karmada passes on preserved state from the last task in the list only: a later task would hide it.
  if (carrying)
    return blocked(
      `${carrying.producer} moves it from ${carrying.fromCluster} with its preserved state`,
      'spec.gracefulEvictionTasks',
      carrying,
    );
  if (!spec.placement) return blocked('it has no placement: the scheduler cannot place it', 'spec.placement');
  const own = configuration.scheduler['scheduler-name'];
  const schedulerName = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  if (schedulerName !== own)
    return blocked(
      `it is scheduled by "${schedulerName}", whose decisions are unknown`,
      'spec.schedulerName',
      schedulerName,
    );
  const unheard = unseenByScheduler(binding, configuration.rules.scheduling);
  if (unheard) return blocked(unheard.rule, unheard.field, unheard.value);
  if (spec.suspension?.dispatching)
    return blocked(
      'its dispatching is suspended, so no new copy would start',
      'spec.suspension.dispatching',
      true,
    );
  return undefined;
}

/** Whether the binding tolerates a cluster's taints, so that the scheduler may choose it again after the eviction. */
function wouldComeBack({
  binding,
  leave,
  situation: { snapshot },
  now,
}: EvictionQuestion): EvictionRefusal | undefined {
  const tolerations = binding.spec.placement?.clusterTolerations ?? [];
  const heeds = respectsPreferNoExecute(binding.spec, snapshot.rules);
  for (const name of leave) {
    const cluster = snapshot.clusters[snapshot.index.get(name) ?? -1];
    const taints = cluster?.spec?.taints ?? [];
    if (!cluster || taints.length === 0 || untoleratedTaint(taints, tolerations, heeds)) continue;
    if (!mayReturn(binding, leave, cluster, snapshot, now)) continue;
    const tolerated = taints.filter((taint) =>
      tolerations.some((toleration) => toleratesTaint(toleration, taint)),
    );
    const reason = `tolerates ${tolerated.map(formatTaint).join(', ')} on ${name}: after the eviction, the next scheduling could return it`;
    return {
      verdict: 'stays',
      reason,
      evidence: [{ rule: reason, field: 'spec.placement.clusterTolerations', value: tolerations }],
    };
  }
  return undefined;
}

/** The scheduling result for one set of clusters to leave; `dropped`: other clusters that the scheduler would drop. */
function tryEviction(
  { binding, situation, options, now }: EvictionQuestion,
  clusters: string[],
  explain: boolean,
): { check: EvictionCheck; dropped: string[] } {
  const { spec } = binding;
  const evicted = evictFromClusters(
    spec,
    clusters,
    options,
    (name) => situation.others.get(name)?.mark.hold ?? false,
  );
  const trace: ScheduleTrace | undefined = explain ? { attempts: [] } : undefined;
  const outcome = scheduleBinding({
    snapshot: situation.snapshot,
    binding: { ...binding, spec: evicted },
    now,
    ...(trace ? { trace } : {}),
  });
  if (outcome.failure) {
    const refusal = blocked(outcome.failure.message, 'spec.placement', spec.placement);
    const rejections = trace ? rejectionsOf(trace) : [];
    return { check: { ...refusal, evidence: [...refusal.evidence, ...rejections] }, dropped: [] };
  }
  const to = outcome.spec.clusters ?? [];
  const answer = schedulerAnswer(binding, clusters, to, situation.clusters);
  const refusal = refusalOf(answer);
  if (refusal) return { check: refusal, dropped: [] };
  // The scheduler drops a cluster without a task: its copy would stop before the replacement is ready.
  const dropped = answer.remaining.map(({ name }) => name).filter((name) => !answer.placed.has(name));
  const strategy = strategyOf(spec.placement);
  const byCapacity = strategy === 'Aggregated' || strategy === 'DynamicWeight';
  const check: EvictionCheck = {
    verdict: 'evict',
    spec: evicted,
    clusters,
    to,
    certainty: answer.gaining.length > 0 && byCapacity ? 'estimate' : 'certain',
    evidence: [{ rule: `the scheduler would place it on ${namesOf(to)}`, field: 'spec.clusters', value: to }],
  };
  return { check, dropped };
}

function rejectionsOf({ attempts }: ScheduleTrace): Evidence[] {
  return attempts.flatMap(({ clusters }) =>
    clusters.flatMap(({ name, filters }) => {
      const refusing = filters.find(({ reason }) => reason !== undefined);
      if (!refusing) return [];
      return {
        rule: `not ${name}: ${refusing.evidence?.[0]?.rule ?? refusing.reason}`,
        object: { kind: 'Cluster', name },
        ...(refusing.evidence?.[0]?.field ? { field: refusing.evidence[0].field } : {}),
      };
    }),
  );
}

/** Why a binding is not evicted. */
interface EvictionRefusal {
  verdict: 'stays' | 'blocked';
  reason: string;
  evidence: Evidence[];
}

/** The refusal of an eviction without a full replacement. */
export function blocked(reason: string, field?: string, value?: unknown): EvictionRefusal {
  return {
    verdict: 'blocked',
    reason,
    evidence: [{ rule: reason, ...(field ? { field } : {}), ...(value === undefined ? {} : { value }) }],
  };
}

/** How the scheduler would place a binding after an eviction. */
interface SchedulerAnswer {
  binding: ResourceBinding;
  /** names of the clusters that it leaves */
  leave: readonly string[];
  /** the placement by the scheduler, and the same as replicas by cluster */
  to: readonly TargetCluster[];
  placed: ReadonlyMap<string, number>;
  /** previous replicas by cluster */
  had: ReadonlyMap<string, number>;
  /** the targets that would gain replicas */
  gaining: readonly TargetCluster[];
  /** its replicas on clusters that it does not leave */
  remaining: readonly TargetCluster[];
  /** all clusters by name */
  clusters: ClustersByName;
}

/** The scheduling result; `to` is where it would place the binding. */
export function schedulerAnswer(
  binding: ResourceBinding,
  leave: readonly string[],
  to: readonly TargetCluster[],
  clusters: ClustersByName,
): SchedulerAnswer {
  const before = binding.spec.clusters ?? [];
  const had = replicasBy(before);
  return {
    binding,
    leave,
    to,
    placed: replicasBy(to),
    had,
    gaining: to.filter(({ name, replicas = 0 }) => replicas > (had.get(name) ?? -1)),
    remaining: before.filter(({ name }) => !leave.includes(name)),
    clusters,
  };
}

/** Why not to evict with this result; the first refusal wins. */
export function refusalOf(answer: SchedulerAnswer): EvictionRefusal | undefined {
  for (const check of checks) {
    const refusal = check(answer);
    if (refusal) return refusal;
  }
  return undefined;
}

type AnswerCheck = (answer: SchedulerAnswer) => EvictionRefusal | undefined;

const placedNowhere: AnswerCheck = ({ binding: { spec }, to }) => {
  if (to.length > 0) return undefined;
  return (spec.replicas ?? 0) === 0
    ? blocked('it has 0 replicas: no copy would remain', 'spec.replicas', 0)
    : blocked('no cluster fits it', 'spec.clusters');
};

const putBack: AnswerCheck = ({ leave, to }) => {
  const again = to.find(({ name }) => leave.includes(name));
  return again && blocked(`the scheduler would return it to ${again.name}`, 'spec.placement');
};

const fewerReplicas: AnswerCheck = ({ binding: { spec }, had, placed }) => {
  const [before, after] = [sum(had), sum(placed)];
  if (!dividesReplicas(spec) || after >= before) return undefined;
  return blocked(`only ${after} of ${before} replicas would be placed`, 'spec.replicas', spec.replicas);
};

const runsAgain: AnswerCheck = ({ binding, leave, gaining }) => {
  const ended = gaining.length > 0 ? leave.find((name) => hasFinished(binding, name)) : undefined;
  if (ended === undefined) return undefined;
  const reason = `it has completed on ${ended}: on another cluster it would run again`;
  return { verdict: 'stays', reason, evidence: [{ rule: reason, field: 'status.aggregatedStatus' }] };
};

const ontoUnready: AnswerCheck = ({ gaining, clusters }) => {
  const notReady = gaining.find(({ name }) => isStale(clusters.get(name)));
  return notReady && blocked(`it would move to ${notReady.name}, which is not Ready`, 'spec.clusters');
};

const leftOnUnready: AnswerCheck = ({ to, clusters }) =>
  to.every(({ name }) => isStale(clusters.get(name)))
    ? blocked(`it would remain only on ${namesOf(to)}, not Ready`, 'spec.clusters', to)
    : undefined;

const dispatchingSuspended: AnswerCheck = ({ binding: { spec }, gaining }) => {
  const suspended = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const held = gaining.find(({ name }) => suspended.includes(name));
  if (!held) return undefined;
  const reason = `it would move to ${held.name}, where its dispatching is suspended`;
  return blocked(reason, 'spec.suspension.dispatchingOnClusters', suspended);
};

const takenAtOnce: AnswerCheck = ({ binding: { spec }, remaining, placed, to }) => {
  if (!dividesReplicas(spec)) return undefined;
  const shrunk = remaining.find(({ name, replicas = 0 }) => placed.has(name) && placed.get(name)! < replicas);
  if (!shrunk) return undefined;
  const taken = (shrunk.replicas ?? 0) - placed.get(shrunk.name)!;
  const some = taken === 1 ? 'a replica' : `${taken} replicas`;
  const reason = `the scheduler would take ${some} from ${shrunk.name} at once, before others are ready`;
  return blocked(reason, 'spec.clusters', to);
};

const checks: readonly AnswerCheck[] = [
  placedNowhere,
  putBack,
  fewerReplicas,
  runsAgain,
  ontoUnready,
  leftOnUnready,
  dispatchingSuspended,
  takenAtOnce,
];

/** "east-1, west-1" */
function namesOf(targets: readonly TargetCluster[]): string {
  return targets.map(({ name }) => name).join(', ');
}

function replicasBy(targets: readonly TargetCluster[]): ReadonlyMap<string, number> {
  return new Map(targets.map(({ name, replicas }) => [name, replicas ?? 0]));
}

function sum(replicas: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const one of replicas.values()) total += one;
  return total;
}
