import { invalid, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { PropagationSpec, ResourceSelector } from '../api/policy.ts';
import type { Admission } from './admission.ts';

/** A PropagationPolicy only selects resources of its own namespace; a ClusterPropagationPolicy has no namespace. */
export function selectorNamespaceErrors(
  selectors: ResourceSelector[] | undefined,
  policyNamespace: string,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (policyNamespace === '' || !rules.selectorNamespace) return [];
  return (selectors ?? []).flatMap(({ namespace = '' }, index) =>
    namespace === policyNamespace
      ? []
      : [
          invalid(
            `${field}[${index}].namespace`,
            namespace,
            'namespace of resource selector must be the same as the namespace of the policy',
          ),
        ],
  );
}

/** A policy that preempts others must name the resources. */
export function preemptionErrors(
  { preemption, resourceSelectors }: PropagationSpec,
  rules: Admission['rules'],
): FieldError[] {
  if (preemption !== 'Always') return [];
  return (resourceSelectors ?? []).flatMap(({ name }, index) =>
    name
      ? []
      : [
          invalid(
            `spec.resourceSelectors[${index}].name`,
            '',
            `name ${rules.cannot} be empty if preemption is Always, the empty name may cause unexpected resources preemption`,
          ),
        ],
  );
}
