import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import common from '../../docs/schema/common.schema.json' with { type: 'json' };
import plan from '../../docs/schema/drain-plan.schema.json' with { type: 'json' };
import simulation from '../../docs/schema/simulation.schema.json' with { type: 'json' };
import { show, wrong, type FieldProblem } from './schema/check.ts';

/**
 * Tells where a plan first breaks its documented schema (docs/schema), and how; undefined if it does not. The path is as messages show
 * it: "workloads[0].from[1].name", "" for the plan itself.
 */
export type BreachOf = (value: unknown) => FieldProblem | undefined;

/** Compiles the schema, which takes a tenth of a second. */
export function planBreaches(): BreachOf {
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, verbose: true });
  const validate: ValidateFunction = ajv.addSchema([common, simulation]).compile(plan);
  return (value) => (validate(value) ? undefined : problemOf(validate.errors![0]!));
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

function problemOf({
  instancePath,
  keyword,
  params,
  parentSchema,
  data,
  message,
}: ErrorObject): FieldProblem {
  const path = pathOf(instancePath);
  const inside = (name: string) => (path === '' ? '' : '.') + name;
  const parameter = params as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return { path: path + inside(String(parameter['missingProperty'])), message: 'is missing' };
    case 'additionalProperties':
      return {
        path: path + inside(String(parameter['additionalProperty'])),
        message: 'is not known here; another release may have written it',
      };
    case 'type':
      return { path, message: wrong(data, TYPES[String(parameter['type'])] ?? 'another type').message };
    case 'enum':
      return {
        path,
        message: `${show(data)} is not one of ${(parameter['allowedValues'] as unknown[]).join(', ')}`,
      };
    case 'const':
      return { path, message: `${show(data)} is not ${show(parameter['allowedValue'])}` };
    case 'pattern':
      return {
        path,
        message: `${show(data)} is no ${String(parentSchema?.['title'] ?? 'text of this form')}`,
      };
    default:
      return { path, message: `${show(data)} ${String(message)}` };
  }
}

/** "/workloads/0/from" is workloads[0].from. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, at) =>
      /^\d+$/.test(step)
        ? `[${step}]`
        : /^[\w-]+$/.test(step)
          ? (at === 0 ? '' : '.') + step
          : `[${JSON.stringify(step)}]`,
    )
    .join('');
}
