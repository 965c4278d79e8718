import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isDrainTask } from '../../../../karmada/eviction/drainTask.ts';
import { isOverdue, presentEvictionRule } from '../../../../karmada/eviction/evictionAssessment.ts';
import {
  countedTasks,
  evictionClock,
  evictionDeadline,
  isTimedByFlag,
} from '../../../../karmada/eviction/evictionRule.ts';
import { replacementOf } from '../../../../karmada/eviction/replacement.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { workloadOf } from '../../../../karmada/objects/identities.ts';
import { instant, rfc3339 } from '../../../../kubernetes/time.ts';
import { inBinding, firstNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { investigateComponent, startController } from '../remedies.ts';
import type { Diagnosed, NextStep, StateCheck } from '../stateCheck.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';

/** The tasks of all bindings, each with the rule that applies to it now. */
function tasksNow(seen: Examined) {
  const clock = evictionClock(seen.now, seen.configuration);
  const isAssumed = seen.unverified.has('graceful-eviction-timeout');
  return seen.bindings.flatMap((binding) => {
    const tasks = binding.spec.gracefulEvictionTasks ?? [];
    if (tasks.length === 0 || binding.metadata.deletionTimestamp) return [];
    const replaced = replacementOf(binding, clock.rules);
    return countedTasks(tasks, clock.rules).map((counted) => ({
      binding,
      task: counted,
      rule: presentEvictionRule(binding, counted, replaced, clock),
      deadline: deadlineText(evictionDeadline(counted, clock), isAssumed && isTimedByFlag(counted)),
      overdue: isOverdue(counted, clock),
    }));
  });
}

/** "2026-09-01T09:40:37Z", "… (estimate)" if it depends on an unverified flag; undefined: no deadline. */
function deadlineText(deadline: number | undefined, isAssumed: boolean): string | undefined {
  return deadline === undefined ? undefined : `${rfc3339(deadline)}${isAssumed ? ' (estimate)' : ''}`;
}

type TaskNow = ReturnType<typeof tasksNow>[number];

/** A finding for each binding that has such tasks. */
function taskFindings(
  seen: Examined,
  is: (one: TaskNow) => boolean,
  message: (workload: string, clusters: string, one: TaskNow) => string,
  field: string,
  remedy: (one: TaskNow) => Diagnosed['remedy'],
): Diagnosed[] {
  return [...groupedBy(tasksNow(seen).filter(is), (one) => one.binding)].flatMap(([binding, tasks]) =>
    jointFinding(
      [binding],
      (workload) => message(workload, firstNames(tasks.map((one) => one.task.fromCluster)), tasks[0]),
      tasks.map((one) =>
        inBinding(binding, `the rule of the graceful eviction controller: ${one.rule}`, field, one.task),
      ),
      remedy(tasks[0]),
    ),
  );
}

const cancel = ({ binding, task: { fromCluster } }: TaskNow): NextStep => ({
  action: 'cancel-eviction',
  workload: workloadOf(binding),
  cluster: fromCluster,
});

export const taskUnscheduled: StateCheck = {
  id: 'task-of-unscheduled-binding',
  severity: 'error',
  theme: 'stuck',
  title: 'eviction tasks of an unscheduled binding are never reconciled',
  help: 'This version skips bindings whose current spec has no scheduling result: their tasks neither end nor time out. Fixed in v1.11.8, v1.12.5, v1.13.1 and v1.14.0. Make the workload schedulable, cancel the eviction, or upgrade; an upgrade ends the tasks, and deletes the old copies.',
  needs: ['ResourceBinding', 'Configuration'],
  versions: 'before v1.11.8, v1.12.5, v1.13.1 and v1.14.0',
  symptoms: ['gracefulEvictionTasks stay for days', 'Scheduled=False with NoClusterFit'],
  issues: [5803, 5782, 6227],
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule }) => rule === 'unscheduled',
      (workload, clusters, { binding: { metadata, status } }) =>
        `${workload}: the eviction from ${clusters} is stuck: ${seen.karmadaVersion} reconciles no task of a binding whose spec is not scheduled (generation ${metadata.generation ?? 0}, scheduled ${status?.schedulerObservedGeneration ?? 0})`,
      'spec.gracefulEvictionTasks',
      (one) => ({
        text: 'make the workload schedulable, cancel the eviction, or upgrade (which then deletes the old copy)',
        withoutNext: 'make the workload schedulable, or upgrade (which deletes the old copy)',
        next: cancel(one),
      }),
    ),
};

export const taskOverdue: StateCheck = {
  id: 'eviction-overdue',
  severity: 'error',
  theme: 'stuck',
  title: 'an eviction task is overdue',
  help: 'The graceful eviction controller ends a task at its deadline. If a task is overdue by minutes, karmada-controller-manager does not run or cannot write.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['graceful-eviction-timeout'],
  symptoms: [
    'gracefulEvictionTasks older than graceful-eviction-timeout',
    'gracefulEvictionTasks without creationTimestamp',
  ],
  issues: [3747, 4951, 3467],
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, overdue, binding }) =>
        (rule === 'timeout' && overdue) || (rule === 'new' && isUnseen(binding, seen)),
      (workload, clusters, { rule, deadline, binding }) =>
        rule === 'new'
          ? `${workload}: the eviction from ${clusters} has no creationTimestamp, although the workload was placed again at ${binding.status?.lastScheduledTime}: is karmada-controller-manager running?`
          : `${workload}: the eviction from ${clusters} has been overdue since ${deadline ?? 'an unknown time'}: is karmada-controller-manager running?`,
      'spec.gracefulEvictionTasks',
      () => investigateComponent('controllerManager', seen),
    ),
};

/**
 * Milliseconds within which the graceful eviction controller sets the creationTimestamp of a scheduled binding's task.
 */
const DATED_BY_NOW = 300_000;

/** Whether the graceful eviction controller has not reconciled a binding since its evicted copies were rescheduled. */
function isUnseen({ metadata, status }: ResourceBinding, { now }: Examined): boolean {
  return (
    status?.lastScheduledTime != null &&
    status.schedulerObservedGeneration === metadata.generation &&
    conditionOf(status.conditions, 'Scheduled')?.status === 'True' &&
    now - instant(status.lastScheduledTime) > DATED_BY_NOW
  );
}

export const taskUnattended: StateCheck = {
  id: 'eviction-unattended',
  severity: 'error',
  theme: 'stuck',
  title: 'no controller ends eviction tasks',
  help: 'The controller gracefulEviction is not started, or the gate GracefulEviction is off: tasks stay forever, and with them the old copies.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['controllers'],
  symptoms: ['gracefulEvictionTasks without creationTimestamp'],
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule }) => rule === 'unattended',
      (workload, clusters) =>
        `${workload}: nothing ends the eviction from ${clusters}: the controller gracefulEviction is not started`,
      'spec.gracefulEvictionTasks',
      () => startController('gracefulEviction', seen),
    ),
};

export const taskStuck: StateCheck = {
  id: 'eviction-without-target',
  severity: 'error',
  theme: 'stuck',
  title: 'an eviction has no cluster to move to',
  help: 'No cluster fits: at its deadline the task ends, and the old copy is deleted without a replacement. Free capacity or widen the placement before that, or hold the eviction.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['Scheduled=False, NoClusterFit', 'FailedScheduling'],
  issues: [7455, 5150, 5904],
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, binding }) =>
        rule === 'waiting' &&
        !isAttached(binding.spec) &&
        (binding.spec.clusters?.length ?? 0) === 0 &&
        conditionOf(binding.status?.conditions, 'Scheduled')?.status === 'False',
      (workload, clusters, { deadline, binding }) =>
        `${workload} has no cluster to move to (${conditionOf(binding.status?.conditions, 'Scheduled')?.reason ?? 'unscheduled'}${onlySelected(binding, seen)}): ${deadline === undefined ? 'the old copy stays' : `without one by ${deadline}, its copy on ${clusters} is deleted`}`,
      'spec.gracefulEvictionTasks',
      ({ binding, task: { fromCluster } }) => ({
        text: 'widen its placement, free capacity, or hold the eviction',
        withoutNext: 'widen its placement or free capacity',
        next: { action: 'hold-eviction', workload: workloadOf(binding), cluster: fromCluster },
        simulate: { workload: workloadOf(binding), failing: [] },
      }),
    ),
};

/** ", as its placement selects member1 alone", if all clusters that it selects are evicting it or are down. */
function onlySelected({ spec }: ResourceBinding, seen: Examined): string {
  const left = new Set(spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
  const selected = [...seen.clusters()].filter(([name]) => seen.selects(spec.placement, name));
  const isOver = selected.every(([name, cluster]) => left.has(name) || !isReady(cluster));
  if (!isOver || selected.length === 0 || selected.length === seen.clusters().size) return '';
  return `, as its placement selects ${firstNames(selected.map(([name]) => name))} alone`;
}

export const taskHeld: StateCheck = {
  id: 'eviction-held',
  severity: 'note',
  theme: 'stuck',
  title: 'an eviction is held',
  help: 'suppressDeletion is true: the old copy stays until an operator releases the task. Release or cancel it once the reason no longer applies.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['a copy runs on two clusters'],
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, task: held }) => rule === 'suppressed' && !isDrainTask(held),
      (workload, clusters) =>
        `${workload}: the eviction from ${clusters} is held until an operator releases it`,
      'spec.gracefulEvictionTasks[].suppressDeletion',
      ({ binding }) => ({
        text: 'release or cancel it',
        next: { action: 'inspect-eviction', workload: workloadOf(binding) },
      }),
    ),
};
