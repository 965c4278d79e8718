import { Ajv } from 'ajv';

/** In the bundle only what schemas are compiled to is left (scripts/compiledSchema.mjs): to compile one takes a tenth of a second. */
export const planAjv = () =>
  new Ajv({
    strict: false,
    validateSchema: false,
    meta: false,
    verbose: true,
    code: { source: true, esm: true },
  });
