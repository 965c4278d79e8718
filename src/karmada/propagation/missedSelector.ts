import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceSelector } from '../api/policy.ts';

/** How selectors miss an object of a kind that they name. */
interface MissedSelector {
  /** the only difference; "name": the object has another name than the selector */
  by: 'namespace' | 'apiVersion' | 'labels' | 'name';
  /** the selector's value */
  wanted: string;
  index: number;
}

const CLOSEST: readonly MissedSelector['by'][] = ['apiVersion', 'namespace', 'labels', 'name'];

/**
 * Why selectors do not select an object of a kind that they name: the closest difference. Undefined if they select it,
 * or name no such kind.
 *
 * @param scope the namespace of the policy; absent: all
 */
export function missedSelector(
  { apiVersion, kind, metadata: { namespace, name, labels } }: KubernetesObject,
  selectors: readonly ResourceSelector[] = [],
  scope?: string,
): MissedSelector | undefined {
  const missed = selectors.flatMap((selector, index): MissedSelector[] => {
    const { namespace: own = '', name: named, labelSelector } = selector;
    if (selector.kind !== kind) return [];
    if (named && named !== name) {
      const isThere = (!scope || scope === namespace) && (!own || own === namespace);
      return isThere ? [{ by: 'name', wanted: named, index }] : [];
    }
    const wrong = [scope, own].find((one) => one && one !== namespace);
    // Without a name, a selector for another namespace does not mean this object.
    if (wrong) return named ? [{ by: 'namespace', wanted: wrong, index }] : [];
    if (selector.apiVersion !== apiVersion) return [{ by: 'apiVersion', wanted: selector.apiVersion, index }];
    if (named || !labelSelector || compileLabelSelector(labelSelector)?.(labels)) return [];
    return [{ by: 'labels', wanted: JSON.stringify(labelSelector), index }];
  });
  return missed.toSorted((a, b) => CLOSEST.indexOf(a.by) - CLOSEST.indexOf(b.by))[0];
}
