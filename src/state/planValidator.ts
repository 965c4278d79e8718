import { Ajv } from 'ajv';
import common from '../../docs/schema/common.schema.json' with { type: 'json' };
import plan from '../../docs/schema/drain-plan.schema.json' with { type: 'json' };
import simulation from '../../docs/schema/simulation.schema.json' with { type: 'json' };

/** In the bundle only what this compiles the schema to is left (scripts/compiledSchema.mjs): to compile it takes a tenth of a second. */
export const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  meta: false,
  verbose: true,
  code: { source: true, esm: true },
});

/** Whether a value keeps to the documented schema of a plan (docs/schema); `errors` holds the first breach. */
export const validate = ajv.addSchema([common, simulation]).compile(plan);
