import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceSelector } from '../api/policy.ts';
import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';

/** How specifically a selector matches a template: by kind only, by labels, by name. */
export type SelectorPriority = 'kind' | 'labels' | 'name';

const order: SelectorPriority[] = ['kind', 'labels', 'name'];

/** Positive if `a` is more specific than `b`; a selector that does not match is the least specific. */
export function compareSelectorPriority(
  a: SelectorPriority | undefined,
  b: SelectorPriority | undefined,
): number {
  return (a ? order.indexOf(a) : -1) - (b ? order.indexOf(b) : -1);
}

/**
 * Whether a policy's selector selects a resource template, and how specifically. With a name, labels are ignored; a
 * label selector that Kubernetes refuses selects nothing. Mirrors Karmada's ResourceSelectorPriority.
 */
function selectorPriority(
  template: KubernetesObject,
  selector: ResourceSelector,
): SelectorPriority | undefined {
  const { metadata } = template;
  if (template.apiVersion !== selector.apiVersion || template.kind !== selector.kind) return undefined;
  if (selector.namespace && selector.namespace !== metadata.namespace) return undefined;
  if (selector.name) return selector.name === metadata.name ? 'name' : undefined;
  if (!selector.labelSelector) return 'kind';
  return compileLabelSelector(selector.labelSelector)?.(metadata.labels) ? 'labels' : undefined;
}

/** The most specific matching selector, the first among equals. */
export function highestPrioritySelector(
  template: KubernetesObject,
  selectors: readonly ResourceSelector[] | undefined,
): { index: number; priority: SelectorPriority } | undefined {
  let closest: { index: number; priority: SelectorPriority } | undefined;
  (selectors ?? []).forEach((selector, index) => {
    const priority = selectorPriority(template, selector);
    if (priority && compareSelectorPriority(priority, closest?.priority) > 0) closest = { index, priority };
  });
  return closest;
}
