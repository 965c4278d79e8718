import type { GracefulEvictionTask, ResourceBinding } from '../../../karmada/api/work.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { timesOut, type EvictionRule } from '../../../karmada/eviction/evictionRule.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { dividesReplicas, targetClusters } from '../../../karmada/objects/placement.ts';
import { nameList } from '../nameList.ts';
import { type BindingEnd, type TaskFacts, waitsForOldWork } from './taskFacts.ts';

/** The most clusters that a sentence names: there may be thousands of tasks, each with its sentence. */
const MOST_NAMED = 100;

/**
 * What replaces the old copy once the task ends, by the judge's outcome of the workload:
 * - `moved`: as many replicas, or copies, as the binding asks for
 * - `partly-moved`: fewer
 * - `restarted`: a new copy, since the scheduler then chooses the old cluster again
 * - `returned`: nothing has to: the result has the cluster again, whose copy stays
 * - `kept`: nothing either: the task does not time out, and nothing in sight ends it, or its controller is not started
 * - `lost`: nothing
 * - `flaps`: a copy that is evicted again, and so on
 */
export type EvictionOutcome = 'moved' | 'partly-moved' | 'restarted' | 'returned' | 'kept' | 'lost' | 'flaps';

/** What is there once a task is over. */
export interface TaskEnd {
  kind: EvictionOutcome;
  /** names of the clusters that have the workload then, without fromCluster */
  clusters: readonly string[];
  /** replicas of a Divided workload that are missing then */
  missing: number;
}

/** What the end of a binding is for all of its tasks. */
export function endOfAll(
  binding: ResourceBinding,
  { binding: { spec } }: BindingEnd,
  rules: Rules,
): Pick<TaskFacts, 'placedInTheEnd' | 'besideHeld'> {
  const targets = targetClusters(spec).map(({ name }) => name);
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  const held = (binding.spec.gracefulEvictionTasks ?? []).filter(
    (task) => task.suppressDeletion === true && !purgesDirectly(task.purgeMode, rules),
  );
  return {
    placedInTheEnd: {
      targets,
      targeted: new Set(targets),
      targetedNow: new Set(targetClusters(binding.spec).map(({ name }) => name)),
      missing: dividesReplicas(spec) ? Math.max(0, (spec.replicas ?? 0) - assigned) : 0,
    },
    besideHeld: new Set([...targets, ...held.map(({ fromCluster }) => fromCluster)]),
  };
}

/** What the judge's outcome of the workload means for the copy of one task. */
export function endOf(
  task: GracefulEvictionTask,
  rule: EvictionRule,
  { end, clock, placedInTheEnd }: TaskFacts,
): TaskEnd {
  const { fromCluster } = task;
  const { spec } = end.binding;
  const { targets, targeted, targetedNow, missing } = placedInTheEnd;
  const clusters = targeted.has(fromCluster) ? targets.filter((name) => name !== fromCluster) : targets;
  if (end.judgement.outcome === 'flaps') return { kind: 'flaps', clusters, missing };
  const { rules } = clock;
  // A copy that is not purged yet stays if the cluster comes back while the task is there.
  const returns =
    targetedNow.has(fromCluster) ||
    (rules.scheduling.evictedClusters === 'asTainted' && !purgesDirectly(task.purgeMode, rules));
  if (targeted.has(fromCluster)) return { kind: returns ? 'returned' : 'restarted', clusters, missing };
  const endless = rule === 'unscheduled' || !timesOut(task, rules);
  if (rule === 'unattended' || (end.keepsTask(fromCluster) && endless))
    return { kind: 'kept', clusters, missing };
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

/** What the end of a task leads to, in a sentence. */
export function consequence(
  task: GracefulEvictionTask,
  rule: EvictionRule,
  end: TaskEnd,
  facts: TaskFacts,
): string {
  const { fromCluster } = task;
  const { kind, missing, clusters } = end;
  if (rule === 'suppressed') return heldText(task, clusters, facts);
  const elsewhere = nameList(clusters, MOST_NAMED);
  const back = clusters.filter((name) => facts.leaving.has(name));
  const carrying = clusters.filter((name) => !facts.leaving.has(name));
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
        ? `${gone}; its replacement on ${elsewhere} does not become ready`
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
    : [`${nameList(clusters, MOST_NAMED)} ${clusters.length === 1 ? 'carries on' : 'carry on'}`];
}

/** Only those clusters that evictions take it from and that the scheduler chooses again. */
function anew(clusters: readonly string[]): string[] {
  return clusters.length === 0
    ? []
    : [`the scheduler then puts it on ${nameList(clusters, MOST_NAMED)} again, where it starts anew`];
}

/** What stays as long as a task is held: its copy, the replacement, and the copies that other held tasks keep. */
function heldText(
  { fromCluster, purgeMode }: GracefulEvictionTask,
  replacements: readonly string[],
  { besideHeld, works, unreadWorks, clock: { rules } }: TaskFacts,
): string {
  if (purgesDirectly(purgeMode, rules)) {
    const goes = works.has(fromCluster) || unreadWorks !== undefined;
    const old = goes ? 'goes at once, held or not' : 'is gone already';
    return [`the copy on ${fromCluster} ${old}`, ...carryOn(replacements)].join('; ');
  }
  const others = besideHeld.size - (besideHeld.has(fromCluster) ? 1 : 0);
  if (others === 0) return `the copy on ${fromCluster} stays and is the only one`;
  const named = [fromCluster];
  for (const name of besideHeld) {
    if (named.length > MOST_NAMED) break;
    if (name !== fromCluster) named.push(name);
  }
  if (others === 1) return `both copies stay, on ${named.join(' and ')}`;
  const more = others + 1 - named.length;
  return `all copies stay, on ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
