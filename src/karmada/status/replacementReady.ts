import { conditionOf } from '../objects/conditions.ts';
import { dividesReplicas, isWorkload } from '../objects/placement.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec, Work } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import { isScheduled } from '../eviction/replacement.ts';
import { isStale } from '../objects/clusterReadiness.ts';
import { isDrainTask, placementBefore } from '../eviction/drainTask.ts';
import type { SchedulingRules } from '../scheduling/schedulerOptions.ts';
import type { DeclaredHooks } from '../controllers/view.ts';
import { unseenByScheduler } from '../scheduling/wakeUp.ts';
import { copyReadiness, type CopyReadiness } from './copyReadiness.ts';
import { retainsReplicas } from './healthInterpreter.ts';

interface ReplacementReadiness {
  ready: boolean;
  /** scheduling: the scheduler has not placed it again; starting: placed, but not yet reported ready everywhere */
  phase: 'scheduling' | 'starting' | 'ready';
  /** the missing step, in words */
  waitingFor?: string;
  evidence: Evidence[];
}

/**
 * Whether the replacement of an evicted copy is reported ready: scheduled after the eviction, dispatched with the
 * currently assigned replicas, applied, and all of them reported ready by a Ready cluster. Based on the Works, since
 * the binding's aggregatedStatus may be older than the scale-up. A cluster that is not Ready does not matter if the
 * workload has no more replicas there than before the eviction.
 *
 * @param works the binding's Works by cluster
 */
export function replacementReady(
  binding: ResourceBinding,
  works: ReadonlyMap<string, Work>,
  clusters: Pick<ReadonlyMap<string, Cluster>, 'get'>,
  hooks: DeclaredHooks,
  rules: SchedulingRules,
): ReplacementReadiness {
  const unplaced = placementMissing(binding, works, hooks, rules);
  if (unplaced) return { ready: false, phase: 'scheduling', waitingFor: unplaced.rule, evidence: [unplaced] };
  const { clusters: targets = [], replicas: wanted = 0 } = binding.spec;
  const someReady = targets.some(
    ({ name, replicas = 0 }) => !isStale(clusters.get(name)) && (replicas > 0 || wanted === 0),
  );
  const before = placementsBefore(binding);
  const seen = targets.map((target): CopyReadiness => {
    const cluster = clusters.get(target.name);
    const gained =
      before.length === 0 || before.some((had) => (target.replicas ?? 0) > (had?.get(target.name) ?? -1));
    return someReady && isStale(cluster) && !gained
      ? { ready: true, evidence: { rule: `${target.name}: not Ready, but no part of the replacement` } }
      : copyReadiness(binding, target, works.get(target.name), cluster, hooks);
  });
  const evidence = seen.map((copy) => copy.evidence);
  const missing = seen.filter(({ ready }) => !ready).map((copy) => copy.evidence.rule);
  return missing.length === 0
    ? { ready: true, phase: 'ready', evidence }
    : { ready: false, phase: 'starting', waitingFor: missing.join('; '), evidence };
}

/** The placement before each ongoing eviction; undefined if unknown. */
function placementsBefore({ spec }: ResourceBinding): (ReadonlyMap<string, number> | undefined)[] {
  return (spec.gracefulEvictionTasks ?? []).filter(isDrainTask).map((task) => {
    const before = placementBefore(task);
    return before && new Map(before.map(({ name, replicas }) => [name, replicas ?? 0]));
  });
}

/** Why the binding's result is not a replacement. */
function placementMissing(
  binding: ResourceBinding,
  works: ReadonlyMap<string, Work>,
  hooks: DeclaredHooks,
  rules: SchedulingRules,
): Evidence | undefined {
  const { spec, status, metadata } = binding;
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  if (scheduled && scheduled.status !== 'True')
    return {
      rule: `not scheduled: ${scheduled.message || scheduled.reason || scheduled.status}`,
      field: 'status.conditions[type=Scheduled]',
      value: scheduled,
    };
  if (!isScheduled(binding))
    return (
      unseenByScheduler(binding, rules) ?? {
        rule: 'the scheduler has not processed it since the eviction',
        field: 'status.schedulerObservedGeneration',
        value: { observed: status?.schedulerObservedGeneration, generation: metadata.generation },
      }
    );
  const clusters = spec.clusters ?? [];
  if (clusters.length === 0 && !isScaledToNone(spec, works, hooks))
    return { rule: 'it is not placed on any cluster', field: 'spec.clusters', value: [] };
  const wanted = spec.replicas ?? 0;
  const placed = clusters.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
  if (dividesReplicas(spec) && placed < wanted)
    return {
      rule: `${placed} of ${wanted} replicas are placed`,
      field: 'spec.clusters',
      value: clusters,
    };
  return undefined;
}

/**
 * Whether no replicas are requested, so that nothing needs a replacement. A member's autoscaler may still want some.
 */
function isScaledToNone(
  spec: ResourceBindingSpec,
  works: ReadonlyMap<string, Work>,
  hooks: DeclaredHooks,
): boolean {
  if (!isWorkload(spec) || (spec.replicas ?? 0) > 0 || (spec.components ?? []).length > 0) return false;
  return ![...works.values()].some((work) => retainsReplicas(work.spec?.workload?.manifests?.[0], hooks));
}
