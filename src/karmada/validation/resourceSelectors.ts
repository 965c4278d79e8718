import { invalid, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { PropagationSpec, ResourceSelector } from '../api/policy.ts';
import type { Admission } from './admission.ts';

/** A policy of a namespace selects resources of that namespace; cluster-scoped policies have none. */
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

/** A policy that takes resources away from others must name them. */
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
