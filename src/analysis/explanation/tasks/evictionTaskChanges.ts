import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { instant } from '../../../kubernetes/time.ts';
import { evictionDeadline, type EvictionClock } from '../../../karmada/eviction/evictionRule.ts';
import { targetClusters } from '../../../karmada/objects/placement.ts';
import type { EvictionTaskExplanation } from './evictionTask.ts';
import { smallest } from '../../../kubernetes/longLists.ts';

/**
 * How a task ended: let-go: the workload left the cluster; returned: it is on the cluster again; deleted: the binding
 * was deleted.
 */
type EvictionEnd = 'let-go' | 'returned' | 'deleted';

/** A change of a task since the last explanation. */
export interface EvictionTaskChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** at present or, if it has ended, in its last state */
  task: EvictionTaskExplanation;
  /** set if it has ended */
  ended?: EvictionEnd;
}

/**
 * The differences between two explanations of a binding's tasks. A changed age or wording alone is no change.
 *
 * @param binding its present state; undefined if it has been deleted
 */
export function evictionTaskChanges(
  before: readonly EvictionTaskExplanation[],
  after: readonly EvictionTaskExplanation[],
  binding: ResourceBinding | undefined,
): EvictionTaskChange[] {
  const known = new Map(before.map((task) => [task.fromCluster, task]));
  const changes: EvictionTaskChange[] = [];
  for (const task of after) {
    const old = known.get(task.fromCluster);
    known.delete(task.fromCluster);
    if (!old) changes.push({ type: 'ADDED', task });
    else if (!same(old, task)) changes.push({ type: 'MODIFIED', task });
  }
  for (const task of known.values())
    changes.push({ type: 'DELETED', task, ended: endOf(task.fromCluster, binding) });
  return changes;
}

/**
 * The duration of a task whose end was observed, in milliseconds, if it contradicts the assumed
 * graceful-eviction-timeout: the task ended before its supposed deadline, without a Healthy replacement.
 *
 * @param binding its present state
 * @param now epoch milliseconds
 */
export function timeoutShown(
  { task, ended }: EvictionTaskChange,
  binding: ResourceBinding | undefined,
  now: number,
): number | undefined {
  const { createdAt, deadline, deadlineAssumed, verdict } = task;
  if (ended !== 'let-go' || !deadlineAssumed || createdAt === null || deadline === null) return undefined;
  if (now >= instant(deadline) || verdict === 'ends-now' || verdict === 'held') return undefined;
  const healthy = new Set(
    binding?.status?.aggregatedStatus?.flatMap(({ clusterName, health }) =>
      health === 'Healthy' ? [clusterName] : [],
    ),
  );
  const targets = binding?.spec.clusters ?? [];
  if (targets.length > 0 && targets.every(({ name }) => healthy.has(name))) return undefined;
  return Math.floor((now - instant(createdAt)) / 1000) * 1000;
}

function endOf(cluster: string, binding: ResourceBinding | undefined): EvictionEnd {
  if (!binding) return 'deleted';
  return targetClusters(binding.spec).some(({ name }) => name === cluster) ? 'returned' : 'let-go';
}

function same(a: EvictionTaskExplanation, b: EvictionTaskExplanation): boolean {
  const lasting = (task: EvictionTaskExplanation) => ({ ...task, ageSeconds: null, evidence: [] });
  return deepEqual(lasting(a), lasting(b));
}

/**
 * The next instant, in epoch milliseconds, at which a task of the binding is judged differently without any change:
 * right after a deadline. Undefined without a future deadline.
 */
export function nextVerdictChange(binding: ResourceBinding, clock: EvictionClock): number | undefined {
  const deadlines = (binding.spec.gracefulEvictionTasks ?? []).flatMap((task) => {
    const deadline = evictionDeadline(task, clock);
    return deadline === undefined || deadline < clock.now ? [] : [deadline + 1];
  });
  return deadlines.length === 0 ? undefined : smallest(deadlines);
}
