import type { DrainUnderWay } from '../../../analysis/drain/drainsUnderWay.ts';
import type { EvictionTaskExplanation } from '../../../analysis/explanation/tasks/evictionTask.ts';
import { snapshotKey } from '../../../karmada/objects/identities.ts';
import type { WorkloadSummary } from '../../../analysis/explanation/workloadNow.ts';
import type { Target, ActionName } from '../../../views/dashboard/actions/action.ts';
import type { Choice } from '../../../views/dashboard/answered.ts';
import type { Place } from '../../../views/dashboard/place.ts';
import { listedOn, itemChosen, sectionChosen } from '../items.ts';
import { pageShown, type DashboardState, type DashboardView } from '../state.ts';

/** The selected item, or the page's object, if there are actions for it; undefined on pages that show another time. */
export function targetOn(state: DashboardState, view: DashboardView): Target | undefined {
  const listed = listedOn(state, view);
  const item = listed && itemChosen(listed, state);
  const chosen = sectionChosen(state, view)?.view;
  const place: Place = chosen ? { view: chosen } : pageShown(state).place;
  switch (place.view) {
    case 'clusters':
      return item === undefined ? undefined : { type: 'cluster', name: listed!.list.key(item) };
    case 'drains':
      return item === undefined ? undefined : { type: 'drain', clusters: (item as DrainUnderWay).clusters };
    case 'workloads':
      return item === undefined ? undefined : { type: 'workload', key: (item as WorkloadSummary).key };
    case 'evictions': {
      if (item === undefined) return undefined;
      const { binding, fromCluster } = item as EvictionTaskExplanation;
      return { type: 'workload', key: snapshotKey(binding), from: fromCluster };
    }
    case 'policies':
      return item === undefined ? undefined : taintPolicyBehind(item as Choice);
    case 'eviction':
      return { type: 'workload', key: place.key };
    case 'workload':
    case 'evidence':
      return place.at === undefined && (place.ifFails ?? []).length === 0
        ? { type: 'workload', key: place.key }
        : undefined;
    case 'choose':
      return place.of;
    default:
      return undefined;
  }
}

/** Propagation policies are in the same list. */
function taintPolicyBehind({ opens }: Choice): Target | undefined {
  return opens?.view === 'object' && opens.object.kind === 'ClusterTaintPolicy'
    ? { type: 'policy', name: opens.object.name }
    : undefined;
}

export const ACTION_KEYS: Readonly<Record<string, { name: ActionName; does: string }>> = {
  D: { name: 'drain', does: 'drains a cluster, in the list of clusters' },
  B: { name: 'take-back', does: 'cancels a drain, in the lists of clusters and drains' },
  C: { name: 'cordon', does: 'cordons a cluster, in the list of clusters' },
  U: { name: 'uncordon', does: 'uncordons a cluster, in the list of clusters' },
  H: { name: 'hold', does: 'holds an eviction, of a workload that is being evicted' },
  R: { name: 'release', does: 'releases an eviction, of a workload that is being evicted' },
  X: { name: 'cancel', does: 'cancels an eviction, of a workload that is being evicted' },
};
