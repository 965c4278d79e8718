import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject, Taint } from '../../karmada/api/meta.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { ownsSpecField } from '../../kubernetes/ownedFields.ts';
import { instant, SECOND } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import { isKarmadaTaint } from '../../karmada/taints/taintSources.ts';
import type { HistoryEvent, ObservedChange } from './history.ts';
import type { EventStep } from './karmadaEvents.ts';
import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../karmada/api/names.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

/** The name of all of Karmada's controllers in managedFields. */
export const CONTROLLER_MANAGER = 'karmada-controller-manager';

/** Who last changed the taints of a cluster, by managedFields: the list has one owner. */
interface TaintsWriter {
  manager: string;
  /** when this manager last wrote anything but the status; epoch milliseconds, in whole seconds */
  time?: number;
}

/** Undefined if the state lacks managedFields, or if the list is empty: then it has no owner. */
export function taintsWriter({ metadata }: Cluster): TaintsWriter | undefined {
  const entry = metadata.managedFields?.find((one) => ownsSpecField(one, 'taints'));
  if (!entry?.manager) return undefined;
  const time = entry.time ? instant(entry.time) : NaN;
  return { manager: entry.manager, ...(Number.isNaN(time) ? {} : { time }) };
}

/** The controller behind a taint if Karmada's controller manager wrote it; otherwise the manager itself. */
export function controllerOf(manager: string, taint: Pick<Taint, 'key' | 'effect'>, rules: Rules): string {
  if (manager !== CONTROLLER_MANAGER) return manager;
  const writer: ControllerName = isKarmadaTaint(taint, rules)
    ? 'cluster-controller'
    : 'cluster-taint-policy-controller';
  return writer;
}

/**
 * Names who added taints, where an Event of Karmada reports that the cluster got them at that time. Names already known
 * do not change.
 */
export function nameTaintWriters(
  events: readonly HistoryEvent[],
  steps: readonly EventStep[],
): HistoryEvent[] {
  const written = groupedBy(
    steps.filter(({ type }) => type === 'TaintsWritten'),
    ({ object }) => object.name,
  );
  if (written.size === 0) return [...events];
  return events.map((event) => {
    const { type, cluster, taint, time, controller } = event;
    if (controller !== '' || taint === undefined || cluster === undefined) return event;
    const text = formatTaint(taint);
    const has = type !== 'TaintRemoved';
    const reporter = written
      .get(cluster)
      ?.find(
        ({ first, last, taints = [] }) =>
          taints.includes(text) === has && [first, last].some((at) => isSameInstant(at, time)),
      );
    if (!reporter) return event;
    return { ...event, controller: reporter.controller, controllerSource: `Event ${reporter.reason}` };
  });
}

/** Whether two times can be the same instant, one truncated to seconds or reported a little later. */
export function isSameInstant(a: number, b: number): boolean {
  return Math.abs(a - b) < 2 * SECOND;
}

/** Whether a change is an eviction by the taint manager. */
export function isEvictionByTaint({ before, after }: Pick<ObservedChange, 'before' | 'after'>): boolean {
  if (after?.kind.endsWith('ResourceBinding') !== true) return false;
  const tasks = tasksOf(after);
  return tasks.length > tasksOf(before).length && hasTaskOfTaintManager(after);
}

/** Whether the taint manager has evicted a binding, and its task still exists. */
export function hasTaskOfTaintManager(binding: KubernetesObject | ResourceBinding): boolean {
  return tasksOf(binding).some(({ producer }) => producer === EVICTION_PRODUCER_TAINT_MANAGER);
}

function tasksOf(object: KubernetesObject | ResourceBinding | undefined) {
  return (object as ResourceBinding | undefined)?.spec?.gracefulEvictionTasks ?? [];
}
