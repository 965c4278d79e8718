import { formatDuration, rfc3339 } from '../../kubernetes/time.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../api/work.ts';
import { releasesText } from '../dialects/history.ts';
import type { Rules } from '../dialects/rules.ts';
import { eviction } from '../dialects/switches/eviction.ts';
import type { Evidence } from '../evidence.ts';
import {
  type EvictionClock,
  type EvictionRule,
  countedForRetry,
  countedTasks,
  endsTask,
  evictionDeadline,
  evictionRule,
  graceOf,
  timesOut,
} from './evictionRule.ts';
import { type Replacement, isScheduled, replacementOf, unhealthyTargets } from './replacement.ts';
import { zip } from '../../kubernetes/nonEmpty.ts';

/** The result of one pass over the tasks of a binding. */
interface EvictionAssessment {
  /** the tasks that stay, new ones with a creationTimestamp; the binding's own list if nothing changes */
  keptTasks: GracefulEvictionTask[];
  /** the clusters of the tasks that end, in the order of the tasks */
  evictedClusters: string[];
  /** whether the binding must be written */
  changed: boolean;
  /**
   * Milliseconds until the first timeout of the remaining tasks, when the controller reconciles again; 0 if none has
   * one. At exactly that instant nothing has timed out yet: with an exact clock, reconcile a moment later.
   */
  nextRetry: number;
  /** the rule for each task of the binding, in order */
  rules: EvictionRule[];
}

/**
 * Whether a change of a binding makes the graceful eviction controllers reconcile it. In versions that skip
 * bindings whose current spec has not been scheduled, tasks of a binding without a feasible cluster never get a
 * creationTimestamp.
 */
export function wakesEvictionController(binding: ResourceBinding, { eviction }: Rules): boolean {
  if (!binding.spec.gracefulEvictionTasks?.length) return false;
  return eviction.taskAssessment === 'allBindings' || isScheduled(binding);
}

/**
 * `evictionRule` for queries outside a reconcile. A version that skips bindings whose current spec has
 * not been scheduled ignores their tasks, unless a timer from an earlier reconcile ends the task at its deadline.
 */
export function presentEvictionRule(
  binding: ResourceBinding,
  task: GracefulEvictionTask,
  replaced: Replacement,
  clock: EvictionClock,
): EvictionRule {
  const rule = evictionRule(task, replaced, clock);
  if (rule === 'unattended' || rule === 'suppressed' || wakesEvictionController(binding, clock.rules))
    return rule;
  const timed = evictionDeadline(task, clock) !== undefined && rule !== 'timeout';
  return timed ? 'waiting' : 'unscheduled';
}

/** A running controller ends a task within this many milliseconds after its deadline. */
const PROMPT = 60_000;

/** Whether the controllers should have ended a task at its deadline but have not. */
export function isOverdue(task: GracefulEvictionTask, clock: EvictionClock): boolean {
  const deadline = evictionDeadline(task, clock);
  return deadline !== undefined && clock.now - deadline > PROMPT;
}

/**
 * When (epoch milliseconds) timers fire that earlier reconciles may have left for tasks that the version now ignores.
 */
export function pendingTimers(binding: ResourceBinding, clock: EvictionClock): number[] {
  if (binding.metadata.deletionTimestamp || wakesEvictionController(binding, clock.rules)) return [];
  return countedTasks(binding.spec.gracefulEvictionTasks ?? [], clock.rules).flatMap((task) => {
    const deadline = evictionDeadline(task, clock);
    return deadline !== undefined && clock.now <= deadline ? [deadline] : [];
  });
}

/**
 * Assesses the graceful eviction tasks of a binding (graceful eviction controllers). One pass never both sets a task's
 * creationTimestamp and ends it. Tasks of a binding that is being deleted do not change.
 */
export function assessEvictionTasks(binding: ResourceBinding, clock: EvictionClock): EvictionAssessment {
  const tasks = binding.spec.gracefulEvictionTasks ?? [];
  if (binding.metadata.deletionTimestamp || tasks.length === 0)
    return { keptTasks: tasks, evictedClusters: [], changed: false, nextRetry: 0, rules: [] };
  const replaced = replacementOf(binding, clock.rules);
  const counted = countedTasks(tasks, clock.rules);
  const rules: EvictionRule[] = [];
  const keptTasks: GracefulEvictionTask[] = [];
  const evictedClusters: string[] = [];
  let changed = false;
  for (const [index, task] of tasks.entries()) {
    const rule = evictionRule(counted[index]!, replaced, clock);
    rules.push(rule);
    if (endsTask(rule)) evictedClusters.push(task.fromCluster);
    else keptTasks.push(rule === 'new' ? { ...task, creationTimestamp: rfc3339(clock.now) } : task);
    changed ||= rule === 'new' || endsTask(rule);
  }
  return {
    keptTasks: changed ? keptTasks : tasks,
    evictedClusters,
    changed,
    nextRetry: nextRetry(keptTasks, clock),
    rules,
  };
}

/** The evidence of an assessment: for the tasks that end or, if none ends, for all. */
export function assessmentEvidence(
  binding: ResourceBinding,
  { rules }: EvictionAssessment,
  clock: EvictionClock,
): Evidence[] {
  const ends = rules.some(endsTask);
  const tasks = countedTasks(binding.spec.gracefulEvictionTasks ?? [], clock.rules);
  return zip(tasks, rules).flatMap(([task, rule], index) =>
    !ends || endsTask(rule) ? evictionEvidence(task, index, rule, binding, clock) : [],
  );
}

function nextRetry(kept: GracefulEvictionTask[], clock: EvictionClock): number {
  let first: number | undefined;
  for (const task of countedForRetry(kept, clock.rules)) {
    const deadline = evictionDeadline(task, clock);
    if (deadline !== undefined && (first === undefined || deadline < first)) first = deadline;
  }
  return first === undefined ? 0 : first - clock.now;
}

/** The evidence for the rule that applies to the counted task at `index`. */
export function evictionEvidence(
  task: GracefulEvictionTask,
  index: number,
  rule: EvictionRule,
  binding: ResourceBinding,
  clock: EvictionClock,
): Evidence[] {
  const field = (name: keyof GracefulEvictionTask) => `spec.gracefulEvictionTasks[${index}].${name}`;
  switch (rule) {
    case 'unattended':
      return [
        {
          rule: 'karmada-controller-manager does not start the graceful eviction controller (controllers): the task never ends',
        },
      ];
    case 'unscheduled':
      return [{ rule: unscheduledText }, ...scheduledEvidence(binding)];
    case 'new':
      return [
        {
          rule: `the graceful eviction controller has not seen the task yet${timesOut(task, clock.rules) ? '; its grace period starts then' : ''}`,
          field: field('creationTimestamp'),
        },
      ];
    case 'suppressed':
      return [
        {
          rule: 'the old copy stays until suppressDeletion is set to false or the task is removed',
          field: field('suppressDeletion'),
          value: true,
        },
      ];
    case 'released':
      return [{ rule: 'the old copy has been released', field: field('suppressDeletion'), value: false }];
    case 'timeout':
      return [timeEvidence(task, field, clock, 'ended at')];
    case 'healthy':
      return [...scheduledEvidence(binding), ...healthEvidence(binding, clock.rules)];
    case 'returned':
      return [returnedEvidence(task)];
    case 'waiting':
      return [
        timesOut(task, clock.rules) ? timeEvidence(task, field, clock, 'runs until') : timeless,
        ...checkedEvidence(binding, clock),
      ];
  }
}

/** Why each enabled check fails; empty if one of them passes. */
function checkedEvidence(binding: ResourceBinding, { plugins, rules }: EvictionClock): Evidence[] {
  if (!plugins.includes('ResourceHealth')) return [unchecked];
  return [...scheduledEvidence(binding), ...(isScheduled(binding) ? healthEvidence(binding, rules) : [])];
}

const { values } = eviction.taskAssessment;
const unscheduledText = `this version checks tasks only while the current spec is scheduled: until then they do not end (fixed ${releasesText(values, (value) => value === 'allBindings')})`;

const timeless: Evidence = { rule: 'tasks do not time out: the old copy stays until it is replaced' };
const unchecked: Evidence = {
  rule: 'evict-plugins omits ResourceHealth: a healthy replacement does not end the task',
};

function returnedEvidence({ fromCluster }: GracefulEvictionTask): Evidence {
  return { rule: `the result has ${fromCluster} again`, field: 'spec.clusters', value: fromCluster };
}

function timeEvidence(
  task: GracefulEvictionTask,
  field: (name: keyof GracefulEvictionTask) => string,
  clock: EvictionClock,
  state: string,
): Evidence {
  const own = task.gracePeriodSeconds != null;
  const length = formatDuration(graceOf(task, clock));
  const deadline = evictionDeadline(task, clock);
  const at = deadline === undefined ? 'an unknown time' : rfc3339(deadline);
  return {
    rule: `the time limit of ${length} ${state} ${at} (${own ? 'gracePeriodSeconds' : 'graceful-eviction-timeout'})`,
    field: own ? field('gracePeriodSeconds') : field('creationTimestamp'),
    value: own ? task.gracePeriodSeconds : task.creationTimestamp,
  };
}

function scheduledEvidence(binding: ResourceBinding): Evidence[] {
  const { metadata, status } = binding;
  return [
    {
      rule: isScheduled(binding)
        ? 'the current spec has been scheduled'
        : `the current spec (generation ${metadata.generation ?? 0}) has not been scheduled`,
      field: 'status.schedulerObservedGeneration',
      value: status?.schedulerObservedGeneration ?? 0,
    },
  ];
}

function healthEvidence(binding: ResourceBinding, { eviction }: Rules): Evidence[] {
  const field = 'status.aggregatedStatus';
  const unhealthy = unhealthyTargets(binding);
  if (unhealthy.length > 0)
    return unhealthy.map(({ cluster, health }) => ({
      rule: `${cluster} ${health === undefined ? 'has reported nothing' : `reports ${health}`}`,
      field,
      ...(health && { value: health }),
    }));
  const clusters = (binding.spec.clusters ?? []).map(({ name }) => name);
  const ofNone =
    eviction.emptyResult === 'healthy'
      ? 'the result names no cluster, so none is unhealthy'
      : 'the result names no cluster, so nothing replaces the old copy';
  const rule = clusters.length > 0 ? 'every cluster of the result reports Healthy' : ofNone;
  return [{ rule, field: 'spec.clusters', value: clusters }];
}
