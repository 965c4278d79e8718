import { readyIn } from '../../karmada/status/copyReadiness.ts';
import { purgesDirectly } from '../../karmada/eviction/purgeMode.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import type { TaskInQuestion } from './actionOutcome.ts';

/**
 * Whether there is a copy on fromCluster. If the Works cannot be read, or the cluster has reported a copy, one is
 * assumed.
 */
export function oldCopyExists({ binding, task, context }: TaskInQuestion): boolean {
  const { works, configuration } = context;
  if (works) {
    const work = works.get(task.fromCluster);
    return work !== undefined && !work.metadata.deletionTimestamp;
  }
  if (!purgesDirectly(task.purgeMode, configuration.rules)) return true;
  return reported({ binding, task })?.health !== undefined;
}

/** Whether there is a copy that stays as long as the task: a directly purged one goes in any case. */
export function oldCopyIsKept(question: TaskInQuestion): boolean {
  const { task, context } = question;
  return !purgesDirectly(task.purgeMode, context.configuration.rules) && oldCopyExists(question);
}

/**
 * Whether ending the task would delete a serving copy: it exists, only the task keeps it, and its cluster does not
 * report it broken. A silent cluster may well go on running it, and an Unhealthy copy may serve in part.
 */
export function oldCopyServes(question: TaskInQuestion): boolean {
  const { binding, task, context } = question;
  if (!oldCopyIsKept(question)) return false;
  if (targetClusters(binding.spec).some(({ name }) => name === task.fromCluster)) return false;
  if (isStale(context.clusters.get(task.fromCluster))) return true;
  const item = reported(question);
  return item?.health !== 'Unhealthy' || readyIn(binding.spec.resource, item.status) !== 0;
}

function reported({ binding, task }: Pick<TaskInQuestion, 'binding' | 'task'>) {
  return binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === task.fromCluster);
}
