import { validate } from './planValidator.ts';
import type { FieldProblem } from '../schema/check.ts';
import { schemaBreach } from './schemaBreach.ts';

/** The first violation of the documented schema in the plan of a drain. */
export function planBreach(value: unknown): FieldProblem | undefined {
  return schemaBreach(validate, value);
}
