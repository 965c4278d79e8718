import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import { replacementReady } from '../../karmada/status/replacementReady.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { type EvictionTaskExplanation, explainEvictionTasks } from '../explanation/tasks/evictionTask.ts';
import type { TaskToChange } from './actionOutcome.ts';
import { afterNextScheduling, type NextScheduling } from '../../karmada/scheduling/nextScheduling.ts';
import { readyIn } from '../../karmada/status/copyReadiness.ts';
import { purgesDirectly } from '../../karmada/eviction/evictionTasks.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';

/** How Karmada judges a cluster's task after a write of the spec, once the scheduler has processed it. */
interface Judgement {
  attempt: NextScheduling;
  /** undefined if the spec has no task for the cluster */
  task: EvictionTaskExplanation | undefined;
}

/**
 * Applies the rules of the scheduler and graceful eviction controller to the binding with another spec. An unchanged
 * spec wakes no scheduler. A new task first gets its creationTimestamp, and is judged right after.
 */
export function judgeTask({ binding, task, context }: TaskToChange, spec: ResourceBindingSpec): Judgement {
  const attempt = spec === binding.spec ? { binding } : afterNextScheduling(binding, spec, context);
  const { fromCluster } = task;
  const now = explain(attempt.binding, fromCluster, context);
  if (now?.verdict !== 'new') return { attempt, task: now };
  const tasks = attempt.binding.spec.gracefulEvictionTasks?.map((one) =>
    one.fromCluster === fromCluster ? { ...one, creationTimestamp: rfc3339(context.now) } : one,
  );
  const stamped = { ...attempt.binding, spec: { ...attempt.binding.spec, gracefulEvictionTasks: tasks } };
  const then = explain(stamped, fromCluster, context)!;
  const seen = then.evidence.filter(({ field }) => !field?.endsWith('.creationTimestamp'));
  return { attempt, task: { ...then, evidence: [...now.evidence, ...seen] } };
}

/** The explanation of the task at present. */
export function explainTask({ binding, task, context }: TaskToChange): EvictionTaskExplanation {
  return explain(binding, task.fromCluster, context)!;
}

function explain(
  binding: ResourceBinding,
  fromCluster: string,
  context: TaskToChange['context'],
): EvictionTaskExplanation | undefined {
  const world = { clusters: [...context.clusters.values()], works: [...(context.works?.values() ?? [])] };
  return explainEvictionTasks(world, [binding], {
    now: context.now,
    configuration: context.configuration,
    snapshot: context.snapshot,
    ...(context.timeoutAssumed ? { timeoutAssumed: context.timeoutAssumed } : {}),
  }).find((task) => task.fromCluster === fromCluster);
}

/** Why the replacement is not ready, in words; undefined if it is. */
export function notReady({ binding, context }: TaskToChange): string | undefined {
  const { works, clusters, hooks, configuration } = context;
  if (!works) return 'unknown whether another copy is ready: its Works cannot be read';
  const { ready, waitingFor } = replacementReady(
    binding,
    works,
    clusters,
    hooks,
    configuration.rules.scheduling,
  );
  if (ready) return undefined;
  return waitingFor === undefined
    ? 'no other copy is known to be ready'
    : `no other copy is known to be ready: ${waitingFor}`;
}

/**
 * Explains that ending the task would delete the copy on its cluster.
 *
 * @param when the task would end
 * @param missing why there is no known replacement
 */
export function lossText({ task, context }: TaskToChange, when: string, missing: string): string {
  const { fromCluster: from } = task;
  return isStale(context.clusters.get(from))
    ? `Karmada would end the task ${when}, and delete the copy on ${from} once ${from} is Ready again (${missing})`
    : `Karmada would delete the copy on ${from} ${when} (${missing})`;
}

/**
 * Whether there is a copy on fromCluster. One is assumed if the Works cannot be read, or the cluster has reported a
 * copy.
 */
export function oldCopyExists({ binding, task, context }: TaskToChange): boolean {
  const { works, configuration } = context;
  if (works) {
    const work = works.get(task.fromCluster);
    return work !== undefined && !work.metadata.deletionTimestamp;
  }
  if (!purgesDirectly(task.purgeMode, configuration.rules)) return true;
  return reported({ binding, task })?.health !== undefined;
}

/** Whether there is a copy that the task keeps: with purgeMode Directly it is deleted in any case. */
export function oldCopyIsKept(question: TaskToChange): boolean {
  const { task, context } = question;
  return !purgesDirectly(task.purgeMode, context.configuration.rules) && oldCopyExists(question);
}

/**
 * Whether ending the task would delete a serving copy: it exists, only the task keeps it, and its cluster does not
 * report it as down. An unreachable cluster may still run it, and an Unhealthy copy may serve partially.
 */
export function oldCopyServes(question: TaskToChange): boolean {
  const { binding, task, context } = question;
  if (!oldCopyIsKept(question)) return false;
  if (targetClusters(binding.spec).some(({ name }) => name === task.fromCluster)) return false;
  if (isStale(context.clusters.get(task.fromCluster))) return true;
  const item = reported(question);
  return item?.health !== 'Unhealthy' || readyIn(binding.spec.resource, item.status) !== 0;
}

function reported({ binding, task }: Pick<TaskToChange, 'binding' | 'task'>) {
  return binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === task.fromCluster);
}

/** A placement in words: "member1×3, member2"; "no cluster" if it is empty. */
export function placementWords(clusters: TargetCluster[]): string {
  const texts = clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name));
  return texts.join(', ') || 'no cluster';
}
