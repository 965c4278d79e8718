import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { list } from '../../kubernetes/schema/schema.ts';
import { labelKeyErrors } from '../../kubernetes/validation/labels.ts';
import type { ClusterAffinityTerm } from '../api/policy.ts';
import type { Admission } from './admission.ts';
import { clusterAffinityErrors } from './clusterAffinity.ts';
import { overflowAffinityErrors } from './overflowAffinities.ts';

/** Each affinity group needs a unique name that is a valid label key, and valid selectors. */
export function clusterAffinitiesErrors(
  affinities: ClusterAffinityTerm[] | undefined,
  field: string,
  { rules, types }: Admission,
): FieldError[] {
  const names = new Set<string>();
  return (affinities ?? []).flatMap((affinity, index) => {
    const { affinityName: name = '' } = affinity;
    const errors = labelKeyErrors(name, rules.labelKeyWords).map((error) =>
      invalid(`${field}[${index}]`, name, error),
    );
    if (names.has(name)) {
      const value = typed(list(types.policy.ClusterAffinityTerm), affinities);
      errors.push(invalid(field, value, 'each affinity term in a policy must have a unique name'));
    }
    names.add(name);
    return [
      ...errors,
      ...clusterAffinityErrors(affinity, `${field}[${index}]`),
      ...overflowAffinityErrors(affinity, `${field}[${index}]`, rules),
    ];
  });
}
