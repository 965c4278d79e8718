import type { ClusterAffinity, ClusterTaintPolicySpec, PolicyTaint } from '../../../karmada/api/policy.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { ConversionFinding } from './findings.ts';
import { shippedEffect } from './forms.ts';

interface NamedSpec {
  name: string;
  spec: ClusterTaintPolicySpec;
}

/**
 * Taints that several of the policies list, all of one form. Of shipped policies the newest has the last word; in the proposed form a
 * taint stays while the conditions of any of them match. Policies with the same conditions always agree.
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

/** The taint as Clusters have it with the shipped form. */
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
