import {
  type ClusterTaintPolicy,
  policyTypes,
  type ClusterAffinity,
  type ClusterTaintPolicySpec,
  type PolicyTaint,
} from '../../../karmada/api/policy.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import type { World } from '../../../karmada/world.ts';
import { applyDataChange, changeTree } from '../../../kubernetes/dataChange.ts';
import { decode } from '../../../kubernetes/schema/decode.ts';
import { convertPolicy } from './convertPolicy.ts';
import type { ConversionCode, ConversionFinding } from './findings.ts';
import { isWhollyOf, type KeptSpec, otherForm, shippedEffect } from './forms.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';

export interface ConvertedInWorld {
  policy: string;
  /** differences in its new form, which a user would have to accept */
  differs: ConversionCode[];
}

/**
 * A world with its ClusterTaintPolicies in the form of a version. Policies that cannot be converted stay unchanged, as
 * does everything if the version lacks the kind.
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
    const decoded = decode(type, applyDataChange(one.policy, changeTree(changes)));
    if ('error' in decoded || findings.some(({ weight }) => weight === 'impossible')) continue;
    made.set(one.policy, decoded.value);
    const stops = [...findings, ...sharedOf(one)].filter(({ weight }) => weight === 'stops');
    converted.push({ policy: one.name, differs: [...new Set(stops.map(({ code }) => code))] });
  }
  const taintPolicies = world.taintPolicies.map((policy) => made.get(policy) ?? policy);
  return { world: { ...world, taintPolicies }, converted };
}

interface NamedSpec {
  name: string;
  spec: ClusterTaintPolicySpec;
}

/**
 * Taints that several of the policies list, all of one form. Of shipped policies the newest decides; in the proposed
 * form a taint stays while the conditions of any of them match. Policies with the same conditions always agree.
 */
export function sharedTaints(policies: readonly NamedSpec[]): (policy: NamedSpec) => ConversionFinding[] {
  const listing = new Map<string, NamedSpec[]>();
  for (const policy of policies)
    for (const id of new Set(taintsOf(policy).map(({ taint }) => identity(taint))))
      listing.set(id, [...(listing.get(id) ?? []), policy]);
  return (policy) =>
    taintsOf(policy).flatMap(({ taint, field }) => {
      const other = listing
        .get(identity(taint))!
        .find((one) => one !== policy && mayShareClusters(one, policy) && !agree(one, policy));
      if (!other) return [];
      return [{ code: 'shared-taint', taint, policy: other.name, weight: 'stops', field } as const];
    });
}

/** The taint on Clusters with the shipped form. */
function identity({ key, effect }: PolicyTaint): string {
  return `${key}:${shippedEffect(effect)}`;
}

function taintsOf({ spec: { taints, taintsToAdd } }: NamedSpec): { taint: PolicyTaint; field: string }[] {
  const [list, name] = taints ? [taints, 'taints'] : [taintsToAdd ?? [], 'taintsToAdd'];
  return list.map((taint, at) => ({ taint, field: `spec.${name}[${at}]` }));
}

/** Decides without clusters, so only lists of names can rule it out. */
function mayShareClusters(a: NamedSpec, b: NamedSpec): boolean {
  const [one, other] = [namesOf(a), namesOf(b)];
  return !one || !other || one.some((name) => other.includes(name));
}

function namesOf({ spec }: NamedSpec): readonly string[] | undefined {
  const affinity: ClusterAffinity | undefined = spec.targetClusters ?? spec.targetCluster;
  return affinity?.clusterNames?.length ? affinity.clusterNames : undefined;
}

function agree({ spec: a }: NamedSpec, { spec: b }: NamedSpec): boolean {
  const conditions = ({ addOnConditions, removeOnConditions, matchConditions }: ClusterTaintPolicySpec) => [
    addOnConditions ?? [],
    removeOnConditions ?? [],
    matchConditions ?? [],
  ];
  return deepEqual(conditions(a), conditions(b));
}
