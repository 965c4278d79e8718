import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceSelector } from '../api/policy.ts';
import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';

/** How closely a selector describes a template: only by kind, by labels, by name. */
export type Closeness = 'kind' | 'labels' | 'name';

const order: Closeness[] = ['kind', 'labels', 'name'];

/** Positive if `a` is closer than `b`; a selector that does not match is the least close. */
export function compareCloseness(a: Closeness | undefined, b: Closeness | undefined): number {
  return (a ? order.indexOf(a) : -1) - (b ? order.indexOf(b) : -1);
}

/**
 * Whether a policy's selector selects a resource template, and how closely. With a name, labels are ignored; a label
 * selector that Kubernetes refuses selects nothing. Mirrors Karmada's ResourceSelectorPriority.
 */
function selectorCloseness(template: KubernetesObject, selector: ResourceSelector): Closeness | undefined {
  const { metadata } = template;
  if (template.apiVersion !== selector.apiVersion || template.kind !== selector.kind) return undefined;
  if (selector.namespace && selector.namespace !== metadata.namespace) return undefined;
  if (selector.name) return selector.name === metadata.name ? 'name' : undefined;
  if (!selector.labelSelector) return 'kind';
  return compileLabelSelector(selector.labelSelector)?.(metadata.labels) ? 'labels' : undefined;
}

/** The selector that describes the template most closely, the first among equals. */
export function closestSelector(
  template: KubernetesObject,
  selectors: readonly ResourceSelector[] | undefined,
): { index: number; closeness: Closeness } | undefined {
  let closest: { index: number; closeness: Closeness } | undefined;
  (selectors ?? []).forEach((selector, index) => {
    const closeness = selectorCloseness(template, selector);
    if (closeness && compareCloseness(closeness, closest?.closeness) > 0) closest = { index, closeness };
  });
  return closest;
}
