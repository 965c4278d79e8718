import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { evictorOf } from '../../karmada/controllers/registry.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import type { Change, ChangeOf } from '../../karmada/controllers/write.ts';
import { taskSettings } from '../../karmada/eviction/evictionTasks.ts';
import { controllerOf, taintsWriter } from './taintWriters.ts';

/**
 * The controller that writes what has changed, by fields that it alone writes; "" if several controllers may have
 * written it, or a person.
 */
export function whoWrote(change: Change, rules: Rules): string {
  if (change.kind === 'Binding') return ofBinding(change.before, change.after);
  if (change.kind === 'Work') return ofWork(change);
  if (change.kind !== 'Cluster') return '';
  const { before, after } = change;
  if (!before || !after) return '';
  return before.spec === after.spec ? 'cluster-status' : whoTainted(before, after, rules);
}

/** The binding controller writes what is wanted and deletes what is not; the execution controller the rest. */
function ofWork({ before, after }: ChangeOf<'Work'>): ControllerName {
  if (!before || !after || before.spec !== after.spec) return 'binding-controller';
  const isDeletion = !before.metadata.deletionTimestamp && Boolean(after.metadata.deletionTimestamp);
  return isDeletion ? 'binding-controller' : 'execution-controller';
}

/** Who has changed the taints, by managedFields of right after it; "" if nobody owns the list, as of an empty one. */
function whoTainted(before: Cluster, after: Cluster, rules: Rules): string {
  const [had = [], has = []] = [before.spec?.taints, after.spec?.taints];
  const writer = taintsWriter(after);
  const changed = [...has, ...had].find(
    (taint) => !(had.some((one) => deepEqual(one, taint)) && has.some((one) => deepEqual(one, taint))),
  );
  return writer && changed ? controllerOf(writer.manager, changed, rules) : '';
}

function ofBinding(
  before: ResourceBinding | undefined,
  after: ResourceBinding | undefined,
): ControllerName | '' {
  if (!before) return 'detector';
  if (!after) return '';
  if (before.spec === after.spec) {
    const scheduled = ({ status }: ResourceBinding) => conditionOf(status?.conditions, 'Scheduled');
    return deepEqual(scheduled(before), scheduled(after)) ? 'binding-status' : 'scheduler';
  }
  const [had = [], has = []] = [before.spec.gracefulEvictionTasks, after.spec.gracefulEvictionTasks];
  const fresh = has.find(({ fromCluster }) => !had.some((task) => task.fromCluster === fromCluster));
  if (fresh) return evictorOf(fresh) ?? '';
  const isEdited = has.some((task) => {
    const old = had.find(({ fromCluster }) => fromCluster === task.fromCluster);
    return old && !deepEqual(taskSettings(old), taskSettings(task));
  });
  if (isEdited) return '';
  // it writes tasks alone: whoever also places the workload takes an eviction back
  if (!deepEqual(had, has))
    return deepEqual(before.spec.clusters, after.spec.clusters) ? 'graceful-eviction' : '';
  if (!deepEqual(before.spec.clusters, after.spec.clusters)) return 'scheduler';
  if (!deepEqual(before.spec.requiredBy, after.spec.requiredBy)) return 'dependencies-distributor';
  return deepEqual(before.spec.rescheduleTriggeredAt, after.spec.rescheduleTriggeredAt)
    ? 'detector'
    : 'workload-rebalancer';
}
