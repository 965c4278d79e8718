import common from '../../../docs/schema/common.schema.json' with { type: 'json' };
import change from '../../../docs/schema/taint-policy-change.schema.json' with { type: 'json' };
import shared from '../../../docs/schema/taint-policy.schema.json' with { type: 'json' };
import { planAjv } from './planAjv.ts';

export const ajv = planAjv();

/** Whether a value matches the schema of a TaintPolicyChange (docs/schema); `errors` has the first violation. */
export const validate = ajv.addSchema([common, shared]).compile(change);
