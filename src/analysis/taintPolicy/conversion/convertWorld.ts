import { type ClusterTaintPolicy, policyTypes } from '../../../karmada/api/policy.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import type { World } from '../../../karmada/world.ts';
import { changed, changeTree } from '../../../kubernetes/dataChange.ts';
import { decode } from '../../../kubernetes/schema/decode.ts';
import { convertPolicy } from './convertPolicy.ts';
import type { ConversionCode } from './findings.ts';
import { isWhollyOf, type KeptSpec, otherForm } from './forms.ts';
import { sharedTaints } from './sharedTaints.ts';

/** A policy that was converted. */
export interface ConvertedInWorld {
  policy: string;
  /** what it does differently in its new form; somebody would have to accept that */
  differs: ConversionCode[];
}

/**
 * A world with its ClusterTaintPolicies in the form that a version has. Those that have no such form stay as they are,
 * and so does everything if the version does not know the kind.
 *
 * @param keptOf what an earlier conversion kept of a policy
 */
export function convertWorld<W extends World>(
  world: W,
  { api }: Rules,
  keptOf: (policy: ClusterTaintPolicy) => KeptSpec | undefined,
): { world: W; converted: ConvertedInWorld[] } {
  const to = api.taintPolicyForm === 'windows' ? 'proposed' : 'shipped';
  const others = world.taintPolicies.filter(({ spec }) => isWhollyOf(spec, otherForm(to)));
  if (!api.clusterTaintPolicy || others.length === 0) return { world, converted: [] };
  const named = others.map((policy) => ({ policy, name: policy.metadata.name, spec: policy.spec }));
  const sharedOf = sharedTaints(named);
  const type = policyTypes(api).ClusterTaintPolicy;
  const made = new Map<ClusterTaintPolicy, ClusterTaintPolicy>();
  const converted: ConvertedInWorld[] = [];
  for (const one of named) {
    const { changes, findings } = convertPolicy(one.spec, to, keptOf(one.policy));
    const decoded = decode(type, changed(one.policy, changeTree(changes)));
    if ('error' in decoded || findings.some(({ weight }) => weight === 'impossible')) continue;
    made.set(one.policy, decoded.value);
    const stops = [...findings, ...sharedOf(one)].filter(({ weight }) => weight === 'stops');
    converted.push({ policy: one.name, differs: [...new Set(stops.map(({ code }) => code))] });
  }
  const taintPolicies = world.taintPolicies.map((policy) => made.get(policy) ?? policy);
  return { world: { ...world, taintPolicies }, converted };
}
