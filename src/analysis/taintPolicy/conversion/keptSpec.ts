import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import { newestApiRules, policyTypes } from '../../../karmada/api/policy.ts';
import { isObject } from '../../../kubernetes/json.ts';
import { decode } from '../../../kubernetes/schema/decode.ts';
import { policyForms, type PolicyForm } from './forms.ts';

/** The annotation of a converted policy; its value is a KeptSpec as JSON. */
export const CONVERTED_ANNOTATION = 'karmada-failover/converted';

/** What a conversion keeps of the policy as it was, so that the way back leads there again. */
export interface KeptSpec {
  /** the form that the policy had */
  from: PolicyForm;
  /** fields of that form that the other one cannot hold */
  spec: ClusterTaintPolicySpec;
}

/** Reads what an annotation keeps; undefined if it is not what a conversion writes. */
export function keptSpec(data: unknown): KeptSpec | undefined {
  if (!isObject(data)) return undefined;
  const { from, spec } = data;
  const form = policyForms.find((one) => one === from);
  if (!form || !isObject(spec)) return undefined;
  const decoded = decode(policyTypes(newestApiRules).ClusterTaintPolicy, { spec });
  if ('error' in decoded) return undefined;
  return { from: form, spec: decoded.value.spec };
}
