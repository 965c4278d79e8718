import type { Feed } from '../../../analysis/overview/feed.ts';
import { workloadName } from '../../words/names.ts';
import type { Action } from './action.ts';

/** What actions are about: what is chosen in a dashboard, or what its page shows. */
export type Target =
  | { type: 'cluster'; name: string }
  /** a drain under way of these clusters */
  | { type: 'drain'; clusters: readonly string[] }
  /** a workload by the key of its binding; all its evictions, or the one from a cluster */
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

/** What can be done to a target, as far as the feed knows; each reads again before it does anything. */
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
