import { claimGroups, templateGroups } from '../../../src/karmada/objects/claims.ts';
import { bindingKey, objectKey, referenceTo } from '../../../src/karmada/objects/identities.ts';
import { policyIdentity } from '../../../src/karmada/objects/policies.ts';
import type { PropagationView } from '../../../src/karmada/propagation/propagation.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

export interface Seen {
  policies: PropagationPolicy[];
  bindings: ResourceBinding[];
  /** templates, and all other objects that the detector reads */
  templates: KubernetesObject[];
}

/** The detector's view of a control plane with these objects, found by searching all of them. */
export function seen({ policies, bindings, templates }: Seen): PropagationView {
  return {
    policies: () => policies,
    policy: (kind, namespace, name) =>
      policies.find(
        (one) =>
          objectKey(policyIdentity(one)) === objectKey({ kind, ...(namespace && { namespace }), name }),
      ),
    template: (reference) =>
      templates.find(
        (one) =>
          one.apiVersion === reference.apiVersion && objectKey(referenceTo(one)) === objectKey(reference),
      ),
    templatesIn: (...groups) =>
      templates.filter((one) => templateGroups(one).some((group) => groups.includes(group))),
    binding: (key) => bindings.find((one) => bindingKey(one) === key),
    bindingsIn: (group) =>
      bindings.filter(({ spec, metadata }) => claimGroups(spec.resource, metadata).includes(group)),
    objectsOf: (wanted) => templates.filter(({ kind }) => kind === wanted),
  };
}
