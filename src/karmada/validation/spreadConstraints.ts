import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { list } from '../../kubernetes/schema/schema.ts';
import type { SpreadConstraint } from '../api/policy.ts';
import * as schema from '../api/policy.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/**
 * Each constraint must be valid by itself, no field may repeat, and spreadByField needs a constraint for clusters too.
 */
export function spreadConstraintErrors(
  constraints: SpreadConstraint[] | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const all = typed(list(schema.SpreadConstraint), constraints);
  const timesSeen = new Map<string, number>();
  (constraints ?? []).forEach((constraint, index) => {
    appendAll(errors, singleConstraintErrors(constraint, `${field}[${index}]`));
    const { spreadByField } = constraint;
    if (!spreadByField) return;
    const times = (timesSeen.get(spreadByField) ?? 0) + 1;
    timesSeen.set(spreadByField, times);
    if (times === 2)
      errors.push(invalid(field, all, `multiple ${spreadByField} spread constraints are not allowed`));
  });
  if (timesSeen.size > 0 && !timesSeen.has('cluster'))
    errors.push(
      invalid(
        field,
        all,
        'the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
      ),
    );
  return errors;
}

function singleConstraintErrors(constraint: SpreadConstraint, field: string): FieldError[] {
  const { spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 } = constraint;
  const problems = [
    spreadByField && spreadByLabel && 'spreadByLabel should not co-exist with spreadByField',
    minGroups < 0 && 'minGroups lower than 0 is not allowed',
    maxGroups < 0 && 'maxGroups lower than 0 is not allowed',
    maxGroups > 0 && maxGroups < minGroups && 'maxGroups lower than minGroups is not allowed',
  ];
  return problems.flatMap((problem) =>
    problem ? [invalid(field, typed(schema.SpreadConstraint, constraint), problem)] : [],
  );
}
