import { dividesReplicas } from '../../objects/placement.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../../karmada/names.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Certainty, Evidence } from '../../evidence.ts';
import { isStale } from '../../objects/clusterReadiness.ts';
import { untoleratedTaint } from '../../scheduling/filters/taintToleration.ts';
import { mayReturn } from '../../scheduling/mayReturn.ts';
import { scheduleBinding } from '../../scheduling/scheduleBinding.ts';
import { strategyOf } from '../../scheduling/strategy.ts';
import type { ScheduleTrace } from '../../scheduling/trace.ts';
import { isDrainTask } from '../../eviction/drainTask.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainSituation } from './drainSituation.ts';
import { evictFromClusters } from '../drainTasks.ts';
import { hasRunToItsEnd } from '../../status/ranToItsEnd.ts';
import { unheardByScheduler } from '../../scheduling/unheardByScheduler.ts';

/**
 * What would come of evicting a binding now. `stays`: it may be on a cordoned cluster and would come back, or has done
 * its work there; `blocked`: nothing would replace in full what it has there.
 */
export type EvictionCheck =
  | {
      verdict: 'evict';
      /** the spec after the eviction, for one write */
      spec: ResourceBindingSpec;
      /** the clusters that it leaves; more than the drained ones where the scheduler would drop others with them */
      clusters: string[];
      /** where the scheduler would put it */
      to: TargetCluster[];
      certainty: Certainty;
      evidence: Evidence[];
    }
  | { verdict: 'stays' | 'blocked'; reason: string; evidence: Evidence[] };

export interface EvictionQuestion {
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
 * The pre-scheduling check of the proposal Optimize Cluster Failover: what the scheduler would make of the binding
 * after the eviction, on the clusters as they are now.
 *
 * @param explain whether a refusal is to carry what each filter holds against each cluster
 */
export function evictionCheck(question: EvictionQuestion, explain = false): EvictionCheck {
  const { binding, leave, configuration, situation } = question;
  const obstacle = obstacleOf(binding, leave, configuration) ?? wouldComeBack(binding, leave, situation);
  if (obstacle) return obstacle;
  let clusters = [...leave];
  for (;;) {
    const { check, dropped } = tryEviction(question, clusters, explain);
    if (dropped.length === 0) return check;
    clusters = [...clusters, ...dropped];
  }
}

type Refusal = Exclude<EvictionCheck, { verdict: 'evict' }>;

const blocked = (reason: string, field?: string, value?: unknown): Refusal => ({
  verdict: 'blocked',
  reason,
  evidence: [{ rule: reason, ...(field ? { field } : {}), ...(value === undefined ? {} : { value }) }],
});

/** What keeps a binding from being scheduled anew, or its new copies from being dispatched. */
function obstacleOf(
  binding: ResourceBinding,
  leave: readonly string[],
  configuration: Configuration,
): Refusal | undefined {
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
  // Karmada hands on the state of the last task in the list alone: a task behind it would lose that.
  if (carrying)
    return blocked(
      `${carrying.producer} moves it from ${carrying.fromCluster} with its state`,
      'spec.gracefulEvictionTasks',
      carrying,
    );
  if (!spec.placement) return blocked('it has no placement to be scheduled by', 'spec.placement');
  const own = configuration.scheduler['scheduler-name'];
  const schedulerName = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  if (schedulerName !== own)
    return blocked(
      `it is scheduled by "${schedulerName}", whose decisions cannot be foreseen`,
      'spec.schedulerName',
      schedulerName,
    );
  const unheard = unheardByScheduler(binding, configuration.rules.scheduling);
  if (unheard) return blocked(unheard.rule, unheard.field, unheard.value);
  if (spec.suspension?.dispatching)
    return blocked(
      'its dispatching is suspended, so no new copy would start',
      'spec.suspension.dispatching',
      true,
    );
  return undefined;
}

/** A cluster that takes the binding in spite of its taints is chosen again once the eviction is over. */
function wouldComeBack(
  binding: ResourceBinding,
  leave: readonly string[],
  { snapshot }: DrainSituation,
): Refusal | undefined {
  const tolerations = binding.spec.placement?.clusterTolerations ?? [];
  for (const name of leave) {
    const cluster = snapshot.clusters[snapshot.index.get(name) ?? -1];
    const taints = cluster?.spec?.taints ?? [];
    if (!cluster || taints.length === 0 || untoleratedTaint(taints, tolerations)) continue;
    if (!mayReturn(binding, leave, cluster, snapshot)) continue;
    const tolerated = taints.filter((taint) =>
      tolerations.some((toleration) => toleratesTaint(toleration, taint)),
    );
    const reason = `tolerates ${tolerated.map(formatTaint).join(', ')} on ${name}: once gone, its next scheduling could bring it back`;
    return {
      verdict: 'stays',
      reason,
      evidence: [{ rule: reason, field: 'spec.placement.clusterTolerations', value: tolerations }],
    };
  }
  return undefined;
}

/** The scheduler's answer to one set of clusters to leave; `dropped` are those that it would drop in addition. */
function tryEviction(
  { binding, situation, options, now }: EvictionQuestion,
  clusters: string[],
  explain: boolean,
): { check: EvictionCheck; dropped: string[] } {
  const { spec, metadata } = binding;
  const { snapshot } = situation;
  const heldByOthers = situation.others.filter(({ mark }) => mark.hold).map(({ cluster }) => cluster);
  const evicted = evictFromClusters(spec, clusters, options, new Set(heldByOthers));
  const trace: ScheduleTrace | undefined = explain ? { attempts: [] } : undefined;
  const outcome = scheduleBinding({
    snapshot,
    binding: {
      ...binding,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
      spec: evicted,
    },
    now,
    ...(trace ? { trace } : {}),
  });
  const final = (check: EvictionCheck) => ({ check, dropped: [] });
  if (outcome.failure)
    return final({
      verdict: 'blocked',
      reason: outcome.failure.message,
      evidence: [
        { rule: outcome.failure.message, field: 'spec.placement', value: spec.placement },
        ...(trace ? rejectionsOf(trace) : []),
      ],
    });
  const to = outcome.spec.clusters ?? [];
  const placed = new Map(to.map(({ name, replicas }) => [name, replicas ?? 0]));
  const had = new Map((spec.clusters ?? []).map(({ name, replicas }) => [name, replicas ?? 0]));
  if (to.length === 0)
    return final(
      (spec.replicas ?? 0) === 0
        ? blocked('it has no replicas to place, so nothing would be left of it', 'spec.replicas', 0)
        : blocked('the scheduler would place it nowhere', 'spec.clusters'),
    );
  const again = to.find(({ name }) => clusters.includes(name));
  if (again) return final(blocked(`the scheduler would put it back on ${again.name}`, 'spec.placement'));
  const divided = dividesReplicas(spec);
  if (divided) {
    const [before, after] = [sum(had), sum(placed)];
    if (after < before)
      return final(
        blocked(`only ${after} of ${before} replicas would find a place`, 'spec.replicas', spec.replicas),
      );
  }
  const gaining = to.filter(({ name, replicas = 0 }) => !had.has(name) || replicas > had.get(name)!);
  const ended = gaining.length > 0 ? clusters.find((name) => hasRunToItsEnd(binding, name)) : undefined;
  if (ended !== undefined) {
    const reason = `it has run to its end on ${ended}: elsewhere it would run again`;
    const evidence = { rule: reason, field: 'status.aggregatedStatus' };
    return final({ verdict: 'stays', reason, evidence: [evidence] });
  }
  const notReady = gaining.find(({ name }) => isStale(situation.clusters.get(name)));
  if (notReady) return final(blocked(`it would go to ${notReady.name}, which is not Ready`, 'spec.clusters'));
  if (to.every(({ name }) => isStale(situation.clusters.get(name))))
    return final(
      blocked(
        `nothing would be left of it but on ${to.map(({ name }) => name).join(', ')}, not Ready`,
        'spec.clusters',
        to,
      ),
    );
  const suspended = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const held = gaining.find(({ name }) => suspended.includes(name));
  if (held)
    return final(
      blocked(
        `it would go to ${held.name}, where its dispatching is suspended`,
        'spec.suspension.dispatchingOnClusters',
        suspended,
      ),
    );
  const remaining = (spec.clusters ?? []).filter(({ name }) => !clusters.includes(name));
  const shrunk = divided
    ? remaining.find(({ name, replicas = 0 }) => placed.has(name) && placed.get(name)! < replicas)
    : undefined;
  if (shrunk)
    return final(
      blocked(
        `the scheduler would take ${(shrunk.replicas ?? 0) - placed.get(shrunk.name)!} replicas from ${shrunk.name} at once, before others are ready`,
        'spec.clusters',
        to,
      ),
    );
  // The scheduler drops a cluster without a task: what runs there would stop before its replacement is ready.
  const dropped = remaining.map(({ name }) => name).filter((name) => !placed.has(name));
  const strategy = strategyOf(spec.placement);
  return {
    check: {
      verdict: 'evict',
      spec: evicted,
      clusters,
      to,
      certainty:
        gaining.length > 0 && (strategy === 'Aggregated' || strategy === 'DynamicWeight')
          ? 'estimate'
          : 'certain',
      evidence: [
        {
          rule: `the scheduler would place it on ${to.map(({ name }) => name).join(', ')}`,
          field: 'spec.clusters',
          value: to,
        },
      ],
    },
    dropped,
  };
}

function rejectionsOf({ attempts }: ScheduleTrace): Evidence[] {
  return attempts.flatMap(({ clusters }) =>
    clusters.flatMap(({ name, filters }) => {
      const refusing = filters.find(({ reason }) => reason !== undefined);
      if (!refusing) return [];
      return [
        {
          rule: `not ${name}: ${refusing.evidence?.[0]?.rule ?? refusing.reason!}`,
          object: { kind: 'Cluster', name },
          ...(refusing.evidence?.[0]?.field ? { field: refusing.evidence[0].field } : {}),
        },
      ];
    }),
  );
}

function sum(replicas: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const one of replicas.values()) total += one;
  return total;
}
