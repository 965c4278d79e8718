import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../karmada/api/names.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { SeenChange } from './history.ts';

/** Whether a change is an eviction by the taint manager. */
export function isEvictionByTaint({ before, after }: Pick<SeenChange, 'before' | 'after'>): boolean {
  if (after?.kind.endsWith('ResourceBinding') !== true) return false;
  const tasks = tasksOf(after);
  return tasks.length > tasksOf(before).length && hasTaskOfTaintManager(after);
}

/** Whether the taint manager has evicted a binding, and its task is still there. */
export function hasTaskOfTaintManager(binding: KubernetesObject | ResourceBinding): boolean {
  return tasksOf(binding).some(({ producer }) => producer === EVICTION_PRODUCER_TAINT_MANAGER);
}

function tasksOf(object: KubernetesObject | ResourceBinding | undefined) {
  return (object as ResourceBinding | undefined)?.spec?.gracefulEvictionTasks ?? [];
}
