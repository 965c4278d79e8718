import type { ValidateFunction } from 'ajv';
import { isObject } from '../../kubernetes/json.ts';
import { StateError } from '../errors.ts';
import { stepsOf } from '../../kubernetes/fieldPath.ts';
import { MIB, wholeText } from '../input/wholeFile.ts';
import { jsonOffset } from '../json/jsonPlaces.ts';
import { repeatedNames } from '../json/repeatedNames.ts';
import { parseJsonText } from '../json/jsonProblem.ts';
import { writeSafeFile, type SafeFileOptions } from '../output/safeFile.ts';
import { placeOf, positionIn } from '../position.ts';
import { show, type FieldProblem } from '../schema/check.ts';
import { whyUnreadable } from '../systemProblem.ts';
import { schemaViolation } from './schemaBreach.ts';

interface PlanChecks<Plan> {
  kind: string;
  /** how to create a plan, as part of a sentence */
  advice: string;
  /** whether a document is valid by the kind's schema (docs/schema) */
  validate: ValidateFunction;
  /** an error in a plan that its schema does not catch */
  contradiction(plan: Plan): FieldProblem | undefined;
}

/**
 * Saves the text of a plan atomically; "-" is stdout. Resolves to whether a file was replaced. Rejects with a
 * StateError that names the file.
 */
export async function writePlanFile(
  path: string,
  text: Iterable<string>,
  toStdout: SafeFileOptions['toStdout'],
): Promise<boolean> {
  return writeSafeFile(path, text, { name: `the plan ${path}`, toStdout, holdsState: true });
}

/** The limit of one string: a plan of some ten thousand workloads. */
const LARGEST_PLAN = 500 * MIB;

/** The text of a saved plan. Throws a StateError that names the file. */
export async function readPlanText(path: string): Promise<string> {
  try {
    return await wholeText(path, LARGEST_PLAN);
  } catch (error) {
    throw new StateError(`plan ${path}: ${whyUnreadable(error)}`);
  }
}

/** The document of a saved plan, checked. Throws a StateError that names the file, the line and the field. */
export function checkedPlan<Plan>(
  text: string,
  path: string,
  { kind, advice, validate, contradiction }: PlanChecks<Plan>,
): Plan {
  const wrong = (what: string, offset?: number) => {
    const where = offset === undefined ? path : placeOf(path, positionIn(text, offset));
    return new StateError(`plan ${where}: ${what}; ${advice}`);
  };
  const json = parseJsonText(text);
  if ('problem' in json) throw wrong(`is not JSON: ${json.problem}`, json.offset);
  const [repeated] = repeatedNames(text, 1);
  if (repeated) throw wrong(`${show(repeated.name)} is duplicated in one object`, repeated.offset);
  const document = json.value;
  if (!isObject(document) || document['kind'] !== kind) throw wrong(`is not a ${kind}`);
  const { schemaVersion } = document;
  if (schemaVersion !== 'v1')
    throw wrong(
      `schemaVersion: ${schemaVersion === undefined ? 'is missing' : `${show(schemaVersion)} is not read, only "v1"`}`,
      jsonOffset(text, ['schemaVersion']),
    );
  const plan: unknown = document;
  const problem = schemaViolation(validate, document) ?? contradiction(plan as Plan);
  if (problem) throw wrong(`${problem.path}: ${problem.message}`, jsonOffset(text, stepsOf(problem.path)));
  return plan as Plan;
}
