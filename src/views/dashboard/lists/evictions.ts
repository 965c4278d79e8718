import type { EvictionTaskExplanation } from '../../../analysis/explanation/tasks/evictionTask.ts';
import { snapshotKey } from '../../../karmada/objects/identities.ts';
import { byDanger, evictionTasks } from '../../screen/evictionTasks.ts';
import type { List } from '../list.ts';

/** Evictions in flight. */
export const evictionList: List<EvictionTaskExplanation> = {
  ...evictionTasks,
  name: 'evictions',
  none: 'No evictions are in flight.',
  items: ({ overview }, cluster) =>
    byDanger(
      (overview?.evictions ?? []).filter((task) => cluster === undefined || task.fromCluster === cluster),
    ),
  namespace: ({ binding }) => binding.namespace,
  opens: ({ binding }) => ({ view: 'eviction', key: snapshotKey(binding) }),
  object: ({ binding }) => ({
    view: 'object',
    object: binding,
    field: 'spec.gracefulEvictionTasks',
  }),
};
