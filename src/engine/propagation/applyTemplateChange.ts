import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { claimOf } from '../objects/claim.ts';
import {
  createDetector,
  identity,
  keyOf,
  policyKey,
  type PropagationChange,
  type PropagationInput,
} from './detector.ts';
import { isLazy } from '../objects/policies.ts';
import { changedByKarmada, specificationChanged } from './templateChange.ts';

/** A resource template is created (no `before`), changed, or deleted (no `after`). */
export interface TemplateChange {
  before?: KubernetesObject;
  after?: KubernetesObject;
}

/**
 * What Karmada's detector does when a resource template is created, changed or deleted: a policy takes it, its
 * binding is made or follows (replicas, labels to group by), or goes with it. `templates` may hold the
 * template as it was, as it is, or not at all.
 */
export function applyTemplateChange(
  input: PropagationInput & { change: TemplateChange },
): PropagationChange[] {
  const { before, after } = input.change;
  const changed = after ?? before;
  if (!changed) return [];
  const key = keyOf(changed);
  const others = Array.from(input.templates).filter((template) => keyOf(template) !== key);
  const detector = createDetector({ ...input, templates: after ? [...others, after] : others });
  if (!after) {
    const binding = detector.bindingOf(changed);
    if (binding)
      detector.removeBinding(binding, [
        { rule: 'the binding is removed with the resource that owns it', object: identity(changed) },
      ]);
    return detector.changes;
  }
  if (before && !specificationChanged(before, after)) return [];
  const claim = claimOf(after.metadata);
  const policy = claim && detector.policies.get(policyKey(claim.kind, claim.namespace, claim.name));
  const byKarmada = !!before && !!policy && isLazy(policy) && changedByKarmada(before, after);
  detector.reconcile(key, byKarmada);
  return detector.changes;
}
