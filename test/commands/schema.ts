import { Ajv, type ValidateFunction } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests and scripts run in the project's directory. */
const directory = 'docs/schema';
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
for (const file of readdirSync(directory))
  ajv.addSchema(JSON.parse(readFileSync(join(directory, file), 'utf8')) as object, file);

/** A document's violations of its documented schema, as text; empty if there are none. */
export function breaches(schema: string, document: unknown): string {
  const validate = ajv.getSchema(`${schema}.schema.json`) as ValidateFunction;
  return validate(document) ? '' : ajv.errorsText(validate.errors);
}
