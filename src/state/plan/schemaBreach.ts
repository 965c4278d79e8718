import type { ErrorObject, ValidateFunction } from 'ajv';
import { show, typeProblem, type FieldProblem } from '../schema/check.ts';

/**
 * The first violation of a documented schema (docs/schema); undefined if there is none. The path has the form of
 * messages: "workloads[0].from[1].name", "" for the document itself.
 */
export function schemaViolation(validate: ValidateFunction, value: unknown): FieldProblem | undefined {
  return validate(value) ? undefined : problemOf(validate.errors![0]!);
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
      return { path, message: typeProblem(data, TYPES[String(parameter['type'])] ?? 'another type').message };
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
        message: `${show(data)} is not ${withArticle(String(parentSchema?.['title'] ?? 'text of this form'))}`,
      };
    default:
      return { path, message: `${show(data)} ${String(message)}` };
  }
}

/** "a quantity such as 500m", "an RFC 3339 time". */
function withArticle(what: string): string {
  return what.startsWith('RFC') ? `an ${what}` : `a ${what}`;
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
