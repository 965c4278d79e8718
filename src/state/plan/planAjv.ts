import { Ajv } from 'ajv';

/** The bundle has only the compiled schemas (scripts/compiledSchema.mjs): compiling one takes a tenth of a second. */
export const planAjv = () =>
  new Ajv({
    strict: false,
    validateSchema: false,
    meta: false,
    verbose: true,
    code: { source: true, esm: true },
  });
