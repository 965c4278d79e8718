import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { labelKeyErrors } from '../../kubernetes/validation/labels.ts';
import type { Placement } from '../api/policy.ts';
import type { Admission } from './admission.ts';
import * as schema from '../api/policy.ts';

/** groupByLabelKey must be a valid label key, and differ between affinity and anti-affinity. */
export function workloadAffinityErrors(
  workloadAffinity: Placement['workloadAffinity'],
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!workloadAffinity) return [];
  const errors: FieldError[] = [];
  const { affinity, antiAffinity } = workloadAffinity;
  for (const [name, term] of Object.entries({ affinity, antiAffinity })) {
    if (!term) continue;
    const key = term.groupByLabelKey ?? '';
    for (const error of labelKeyErrors(key, rules.labelKeyWords))
      errors.push(invalid(`${field}.${name}.groupByLabelKey`, key, error));
  }
  if (affinity && antiAffinity && (affinity.groupByLabelKey ?? '') === (antiAffinity.groupByLabelKey ?? ''))
    errors.push(
      invalid(
        field,
        typed(schema.WorkloadAffinity, workloadAffinity),
        'affinity and antiAffinity must not use the same groupByLabelKey',
      ),
    );
  return errors;
}
