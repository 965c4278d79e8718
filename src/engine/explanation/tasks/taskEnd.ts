import type { GracefulEvictionTask } from '../../../karmada/api/work.ts';
import { timesOut, type EvictionRule } from '../../eviction/evictionRule.ts';
import { purgesDirectly } from '../../eviction/purgeMode.ts';
import { isStale } from '../../objects/clusterReadiness.ts';
import { dividesReplicas, leavingClusters, targetClusters } from '../../objects/placement.ts';
import { waitsForOldWork, type TaskFacts } from './taskFacts.ts';

/**
 * What replaces the old copy once the task ends, by the judge's outcome of the workload:
 * - `moved`: as many replicas, or copies, as the binding asks for
 * - `partly-moved`: fewer
 * - `restarted`: a new copy, since the scheduler then chooses the old cluster again
 * - `returned`: nothing has to: the result has the cluster again, whose copy stays
 * - `kept`: nothing either: the task does not time out, and nothing in sight ends it
 * - `lost`: nothing
 * - `flaps`: a copy that is evicted again, and so on
 */
export type EvictionOutcome = 'moved' | 'partly-moved' | 'restarted' | 'returned' | 'kept' | 'lost' | 'flaps';

/** What is there once a task is over. */
export interface TaskEnd {
  kind: EvictionOutcome;
  /** names of the clusters that have the workload then, without fromCluster */
  clusters: string[];
  /** replicas of a Divided workload that are missing then */
  missing: number;
}

/** What the judge's outcome of the workload means for the copy of one task. */
export function endOf(task: GracefulEvictionTask, { binding, end, clock }: TaskFacts): TaskEnd {
  const { fromCluster } = task;
  const { spec } = end.binding;
  const targets = targetClusters(spec).map(({ name }) => name);
  const clusters = targets.filter((name) => name !== fromCluster);
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  const missing = dividesReplicas(spec) ? Math.max(0, (spec.replicas ?? 0) - assigned) : 0;
  if (end.judgement.outcome === 'flaps') return { kind: 'flaps', clusters, missing };
  const { rules } = clock;
  // A copy that is not purged yet stays if the cluster comes back while the task is there.
  const returns =
    targetClusters(binding.spec).some(({ name }) => name === fromCluster) ||
    (rules.scheduling.evictedClusters === 'asTainted' && !purgesDirectly(task.purgeMode, rules));
  if (targets.includes(fromCluster)) return { kind: returns ? 'returned' : 'restarted', clusters, missing };
  if (end.keepsTask(fromCluster) && !timesOut(task, rules)) return { kind: 'kept', clusters, missing };
  // A dependent is where its parents are.
  if (targets.length > 0 && (spec.clusters ?? []).length === 0) return { kind: 'moved', clusters, missing };
  switch (end.judgement.outcome) {
    case 'lost':
      return { kind: 'lost', clusters, missing };
    case 'blocked':
    case 'partly-moves':
      return { kind: targets.length > 0 ? 'partly-moved' : 'lost', clusters, missing };
    default:
      return { kind: 'moved', clusters, missing };
  }
}

/** What the end of a task comes to, in a sentence. */
export function consequence(
  task: GracefulEvictionTask,
  rule: EvictionRule,
  end: TaskEnd,
  facts: TaskFacts,
): string {
  const { fromCluster } = task;
  const { kind, missing, clusters } = end;
  if (rule === 'suppressed') return heldText(task, clusters, facts);
  const elsewhere = clusters.join(', ');
  const left = leavingClusters(facts.binding.spec).map(({ name }) => name);
  const back = clusters.filter((name) => left.includes(name));
  const carrying = clusters.filter((name) => !left.includes(name));
  const old = facts.works.get(fromCluster);
  if (kind !== 'flaps' && waitsForOldWork(task, facts) && old && clusters.length > 0)
    return [
      `${elsewhere} ${clusters.length === 1 ? 'gets its copy' : 'get their copies'} only then${task.preservedLabelState ? ', without the preserved state' : ''}`,
      ...(kind === 'restarted' ? anew([fromCluster]) : []),
    ].join('; ');
  if (kind === 'returned') return `${fromCluster} keeps its copy: the result has it again`;
  if (kind === 'kept')
    return [`as long as that does not happen, the copy on ${fromCluster} stays`, ...carryOn(carrying)].join(
      '; ',
    );
  const gone = goneText(task, facts);
  switch (kind) {
    case 'flaps':
      return `${gone}; ${facts.end.judgement.reason ?? 'it never comes to rest'}`;
    case 'lost':
      return clusters.length > 0
        ? `${gone}; what replaces it on ${elsewhere} does not get ready`
        : `${gone}; nothing replaces it`;
    case 'restarted':
      return [gone, ...anew([fromCluster, ...back]), ...carryOn(carrying)].join('; ');
    case 'partly-moved':
      return missing > 0
        ? `${[gone, ...anew(back), ...carryOn(carrying)].join('; ')} with ${missing} ${missing === 1 ? 'replica' : 'replicas'} fewer than wanted`
        : `${gone}; it is not replaced, ${[...carryOn(carrying), ...anew(back)].join('; ')}`;
    case 'moved':
      return [gone, ...carryOn(carrying), ...anew(back)].join('; ');
  }
}

function carryOn(clusters: readonly string[]): string[] {
  return clusters.length === 0
    ? []
    : [`${clusters.join(', ')} ${clusters.length === 1 ? 'carries on' : 'carry on'}`];
}

/** Of clusters that evictions take it from, and that the scheduler chooses again. */
function anew(clusters: readonly string[]): string[] {
  return clusters.length === 0
    ? []
    : [`the scheduler then puts it on ${clusters.join(', ')} again, where it starts anew`];
}

/** What stays as long as a task is held: its copy, what replaces it, and the copies that other held tasks keep. */
function heldText(
  { fromCluster, purgeMode }: GracefulEvictionTask,
  replacements: readonly string[],
  { binding, works, unreadWorks, clock: { rules } }: TaskFacts,
): string {
  if (purgesDirectly(purgeMode, rules)) {
    const goes = works.has(fromCluster) || unreadWorks !== undefined;
    const old = goes ? 'goes at once, held or not' : 'is gone already';
    return [`the copy on ${fromCluster} ${old}`, ...carryOn(replacements)].join('; ');
  }
  const kept = (binding.spec.gracefulEvictionTasks ?? []).filter(
    (task) => task.suppressDeletion === true && !purgesDirectly(task.purgeMode, rules),
  );
  const [, ...others] = new Set([fromCluster, ...replacements, ...kept.map((task) => task.fromCluster)]);
  if (others.length === 0) return `the copy on ${fromCluster} stays and is the only one`;
  return others.length === 1
    ? `both copies stay, on ${fromCluster} and ${others[0]}`
    : `all copies stay, on ${[fromCluster, ...others].join(', ')}`;
}

/** What becomes of the old copy: it is deleted even if it is back and ready by then. */
function goneText({ fromCluster, purgeMode }: GracefulEvictionTask, facts: TaskFacts): string {
  const { works, clusters, clock, end } = facts;
  if (purgesDirectly(purgeMode, clock.rules) && !works.get(fromCluster))
    return `the copy on ${fromCluster} is gone already`;
  const readyAgain = end.sureness.deletedReady?.find(({ cluster }) => cluster === fromCluster);
  if (readyAgain)
    return `the copy on ${fromCluster} is deleted, ${readyAgain.replicas} ready ${readyAgain.replicas === 1 ? 'replica' : 'replicas'} with it`;
  const later = isStale(clusters.get(fromCluster)) ? ` once ${fromCluster} is Ready again` : '';
  return `the copy on ${fromCluster} is deleted${later}`;
}
