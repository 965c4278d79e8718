import common from '../../../docs/schema/common.schema.json' with { type: 'json' };
import plan from '../../../docs/schema/drain-plan.schema.json' with { type: 'json' };
import simulation from '../../../docs/schema/simulation.schema.json' with { type: 'json' };
import { planAjv } from './planAjv.ts';

export const ajv = planAjv();

/** Whether a value matches the documented schema of a plan (docs/schema); `errors` has the first violation. */
export const validate = ajv.addSchema([common, simulation]).compile(plan);
