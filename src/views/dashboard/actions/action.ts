import type { Feed } from '../../../analysis/overview/feed.ts';
import { workloadName } from '../../words/names.ts';

/** An action of a dashboard on a control plane; each corresponds to one command. */
export type Action =
  | { name: 'drain' | 'cordon' | 'uncordon'; cluster: string }
  /** cancels a drain of these clusters */
  | { name: 'take-back'; clusters: readonly string[] }
  /** `workload` is NAMESPACE/KIND/NAME, or KIND/NAME without a namespace */
  | { name: EvictionActionOffered; workload: string; from: string }
  | { name: 'apply-policies'; file: string }
  | { name: 'delete-policy'; policy: string };

export type ActionName = Action['name'];

/** The actions on an eviction in progress. */
export type EvictionActionOffered = 'hold' | 'release' | 'cancel';

/** "drain frankfurt", "hold shop/deployment/cart on frankfurt" */
export function actionTitle(action: Action): string {
  switch (action.name) {
    case 'drain':
    case 'cordon':
    case 'uncordon':
      return `${action.name} ${action.cluster}`;
    case 'take-back':
      return `cancel the drain of ${action.clusters.join(', ')}`;
    case 'hold':
    case 'release':
    case 'cancel':
      return `${action.name} the eviction of ${action.workload} from ${action.from}`;
    case 'apply-policies':
      return `apply the taint policies of ${action.file}`;
    case 'delete-policy':
      return `delete the taint policy ${action.policy}`;
  }
}

/** "drain", "hold, from frankfurt": an action in a list of those for one object. */
export function shortTitle(action: Action): string {
  switch (action.name) {
    case 'take-back':
      return 'cancel the drain';
    case 'hold':
    case 'release':
    case 'cancel':
      return `${action.name}, from ${action.from}`;
    case 'delete-policy':
      return 'delete';
    case 'apply-policies':
      return 'apply';
    default:
      return action.name;
  }
}

/** The purpose of an action, in one line of a list. */
export const ACTION_DESCRIPTIONS: Readonly<Record<ActionName, string>> = {
  drain: 'cordon it and evict its workloads; each old copy stays until its replacement is ready',
  'take-back': 'uncordon it, and restore workloads that still have a copy there',
  cordon: 'no new workloads are scheduled to it',
  uncordon: 'workloads can be scheduled to it again',
  hold: 'keep the old copy until it is released',
  release: 'end the hold: Karmada deletes the old copy when the task ends',
  cancel: 'restore the workload on its old cluster',
  'apply-policies': 'write the ClusterTaintPolicies of a file',
  'delete-policy': 'delete it; its taints may remain',
};

/** The target of actions: the selected item of a dashboard, or the object of its page. */
export type Target =
  | { type: 'cluster'; name: string }
  /** a drain in progress of these clusters */
  | { type: 'drain'; clusters: readonly string[] }
  /** a workload by its binding's key; all its evictions, or the one from a cluster */
  | { type: 'workload'; key: string; from?: string }
  | { type: 'policy'; name: string };

/** The name of a target: "frankfurt", "shop/cart-deployment". */
export function targetName(target: Target): string {
  switch (target.type) {
    case 'drain':
      return `the drain of ${target.clusters.join(', ')}`;
    case 'workload':
      return target.key.replace(/^\//, '');
    default:
      return target.name;
  }
}

/** The possible actions on a target, judging by the feed; each action reads the state again first. */
export function actionsOn(target: Target, feed: Feed): Action[] {
  switch (target.type) {
    case 'cluster': {
      const { name } = target;
      const drained = feed.overview?.drains.find(({ clusters }) => clusters.includes(name));
      return [
        { name: 'drain', cluster: name },
        { name: 'take-back', clusters: drained?.clusters ?? [name] },
        { name: 'cordon', cluster: name },
        { name: 'uncordon', cluster: name },
      ];
    }
    case 'drain':
      return [{ name: 'take-back', clusters: target.clusters }];
    case 'workload': {
      const found = feed.workloads.find(({ key }) => key === target.key);
      if (!found) return [];
      const workload = workloadName(found.workload);
      const from = target.from === undefined ? found.evicting : [target.from];
      return from.flatMap((cluster): Action[] =>
        (['hold', 'release', 'cancel'] as const).map((name) => ({ name, workload, from: cluster })),
      );
    }
    case 'policy':
      return [{ name: 'delete-policy', policy: target.name }];
  }
}
