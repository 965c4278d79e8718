import type { ObjectIdentity } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import { dependenciesOf, isAttached } from './dependents.ts';
import { bindingKey, snapshotKey } from './identities.ts';

/** An index of the dependents of many bindings. */
export interface DependencyIndex {
  /** `takesAlong`: dependents that follow it; `leavesBehind`: objects that it needs and that stay behind */
  of(binding: ResourceBinding): { takesAlong: ObjectIdentity[]; leavesBehind: ObjectIdentity[] };
  /** attached bindings: they have no placement of their own and follow others */
  readonly attached: readonly ResourceBinding[];
}

/**
 * Indexes `spec.requiredBy`. A workload leaves behind a dependency without a binding, and all of them if propagateDeps
 * is off. One with a policy of its own follows as well: its Works follow, whatever its own placement keeps elsewhere.
 */
export function dependencyIndex(bindings: readonly ResourceBinding[]): DependencyIndex {
  const byParent = new Map<string, ResourceBinding[]>();
  const attached: ResourceBinding[] = [];
  for (const binding of bindings) {
    if (isAttached(binding.spec)) attached.push(binding);
    for (const parent of binding.spec.requiredBy ?? []) {
      const key = snapshotKey(parent);
      const dependents = byParent.get(key);
      if (dependents) dependents.push(binding);
      else byParent.set(key, [binding]);
    }
  }
  return {
    attached,
    of(binding) {
      const dependents = byParent.get(bindingKey(binding));
      if (!dependents && !binding.spec.propagateDeps) return { takesAlong: [], leavesBehind: [] };
      const { follow, missing, propagateDeps } = dependenciesOf(binding, dependents ?? []);
      const names = follow.map(({ workload: { kind, namespace, name } }) => ({
        kind,
        ...(namespace ? { namespace } : {}),
        name,
      }));
      return propagateDeps
        ? { takesAlong: names, leavesBehind: missing }
        : { takesAlong: [], leavesBehind: names };
    },
  };
}
