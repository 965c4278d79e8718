import type { GracefulEvictionTask, ResourceBinding } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { countedForRetry, countedTasks } from './countedTasks.ts';
import {
  endsTask,
  evictionDeadline,
  evictionRule,
  type EvictionClock,
  type EvictionRule,
} from './evictionRule.ts';
import { evictionEvidence } from './evictionEvidence.ts';
import { isScheduled, replacementOf, type Replacement } from './replacement.ts';

/** One pass over the tasks of a binding. */
export interface EvictionAssessment {
  /** the tasks that stay, new ones with a creationTimestamp; the binding's own list if nothing changes */
  keptTasks: GracefulEvictionTask[];
  /** the clusters of the tasks that end, in the order of the tasks */
  evictedClusters: string[];
  /** whether the binding has to be written */
  changed: boolean;
  /**
   * Milliseconds until the first timeout among the tasks that stay, 0 if none has one. The controller comes back then
   * if it is positive. At that very instant nothing has timed out: with an exact clock, look a moment later.
   */
  nextRetry: number;
  /** the rule for each task of the binding, in order */
  rules: EvictionRule[];
}

/**
 * Whether a change of a binding makes the graceful eviction controllers look at its tasks. In versions that skip
 * bindings whose present spec has not been scheduled, tasks of a binding without a feasible cluster never get a
 * creationTimestamp.
 */
export function wakesEvictionController(binding: ResourceBinding, { eviction }: Rules): boolean {
  if (!binding.spec.gracefulEvictionTasks?.length) return false;
  return eviction.taskAssessment === 'allBindings' || isScheduled(binding);
}

/**
 * `evictionRule` for what is asked of a task outside a look of the controllers. A version that skips bindings whose present spec has
 * not been scheduled does not look at their tasks any more, unless an earlier look has left a timer, which ends the task at its deadline.
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

/** Milliseconds after its deadline by which a controller that runs has ended a task. */
const PROMPT = 60_000;

/** Whether the controllers should have ended a task at its deadline, and have not. */
export function isOverdue(task: GracefulEvictionTask, clock: EvictionClock): boolean {
  const deadline = evictionDeadline(task, clock);
  return deadline !== undefined && clock.now - deadline > PROMPT;
}

/** When (epoch milliseconds) timers fire that earlier looks may have left for tasks that the version does not look at any more. */
export function pendingTimers(binding: ResourceBinding, clock: EvictionClock): number[] {
  if (binding.metadata.deletionTimestamp || wakesEvictionController(binding, clock.rules)) return [];
  return countedTasks(binding.spec.gracefulEvictionTasks ?? [], clock.rules).flatMap((task) => {
    const deadline = evictionDeadline(task, clock);
    return deadline !== undefined && clock.now <= deadline ? [deadline] : [];
  });
}

/**
 * Assesses the graceful eviction tasks of a binding (graceful eviction controllers). One pass never both sets a task's
 * creationTimestamp and ends it. Tasks of a binding that is being deleted stay as they are.
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

/** The evidence of an assessment: for the tasks that end or, if none does, for all. */
export function assessmentEvidence(
  binding: ResourceBinding,
  { rules }: EvictionAssessment,
  clock: EvictionClock,
): Evidence[] {
  const ends = rules.some(endsTask);
  return rules.flatMap((rule, index) =>
    !ends || endsTask(rule) ? evictionEvidence(binding, index, rule, clock) : [],
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
