import { validate } from './deletionPlanValidator.ts';
import type { FieldProblem } from '../schema/check.ts';
import { schemaBreach } from './schemaBreach.ts';

/** The first violation of the documented schema in a plan to delete policies. */
export function deletionPlanBreach(value: unknown): FieldProblem | undefined {
  return schemaBreach(validate, value);
}
