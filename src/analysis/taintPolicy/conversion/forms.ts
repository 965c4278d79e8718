import {
  type ClusterTaintPolicySpec,
  type MatchCondition,
  newestApiRules,
  type PolicyTaint,
  policyTypes,
} from '../../../karmada/api/policy.ts';
import { isObject } from '../../../kubernetes/json.ts';
import { decode } from '../../../kubernetes/schema/decode.ts';

/**
 * The two forms of a ClusterTaintPolicy: the one that Karmada ships, and that of the design optimize-cluster-failover.
 */
export const policyForms = ['shipped', 'proposed'] as const;
export type PolicyForm = (typeof policyForms)[number];

export function otherForm(form: PolicyForm): PolicyForm {
  return form === 'shipped' ? 'proposed' : 'shipped';
}

const FIELDS: Record<PolicyForm, readonly (keyof ClusterTaintPolicySpec)[]> = {
  shipped: ['targetClusters', 'addOnConditions', 'removeOnConditions', 'taints'],
  proposed: ['targetCluster', 'matchConditions', 'taintsToAdd'],
};

/** The form whose fields a spec has. A spec without any is in the proposed form, which alone requires none. */
export function formOf(spec: object): PolicyForm | 'both' {
  const has = (form: PolicyForm) => FIELDS[form].some((field) => Object.hasOwn(spec, field));
  if (!has('shipped')) return 'proposed';
  return has('proposed') ? 'both' : 'shipped';
}

/** Whether a spec has fields of a form, and none of the other one. */
export function isWhollyOf(spec: object, form: PolicyForm): boolean {
  return formOf(spec) === form && FIELDS[form].some((field) => Object.hasOwn(spec, field));
}

/** Represents conditions that always hold, in the shipped form: every cluster reports Ready. */
export const ALWAYS_TRUE_CONDITIONS: readonly MatchCondition[] = [
  { conditionType: 'Ready', operator: 'In', statusValues: ['True', 'False', 'Unknown'] },
];

/** Represents conditions that never hold, in the proposed form. */
export const NEVER_TRUE_CONDITIONS: readonly MatchCondition[] = [
  { conditionType: 'Ready', operator: 'In', statusValues: ['True'] },
  { conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] },
];

/**
 * The effect that replaces one in the shipped form, whose Clusters refuse PreferNoExecute: NoSchedule, which evicts
 * nothing, like PreferNoExecute without failover.cluster.
 */
export function shippedEffect(effect: PolicyTaint['effect']): PolicyTaint['effect'] {
  return effect === 'PreferNoExecute' ? 'NoSchedule' : effect;
}

/** Whether the shipped form cannot hold a taint, because the policy already lists the taint that would replace it. */
export function isLeftOut({ key, effect }: PolicyTaint, all: readonly PolicyTaint[]): boolean {
  const written = shippedEffect(effect);
  return written !== effect && all.some((other) => other.key === key && other.effect === written);
}

/** The annotation of a converted policy; its value is a KeptSpec as JSON. */
export const CONVERTED_ANNOTATION = 'karmada-failover/converted';

/** What a conversion keeps of the original policy, so that converting back restores it. */
export interface KeptSpec {
  /** the original form of the policy */
  from: PolicyForm;
  /** fields of that form that the other one cannot hold */
  spec: ClusterTaintPolicySpec;
}

/** Parses the annotation; undefined if it was not written by a conversion. */
export function keptSpec(data: unknown): KeptSpec | undefined {
  if (!isObject(data)) return undefined;
  const { from, spec } = data;
  const form = policyForms.find((one) => one === from);
  if (!form || !isObject(spec)) return undefined;
  const decoded = decode(policyTypes(newestApiRules).ClusterTaintPolicy, { spec });
  if ('error' in decoded) return undefined;
  return { from: form, spec: decoded.value.spec };
}
