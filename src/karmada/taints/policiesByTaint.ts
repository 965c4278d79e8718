import type { Taint } from '../api/meta.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import { getOrAdd } from '../objects/getOrAdd.ts';
import { taintIdentity } from '../objects/sameTaint.ts';
import { listedTaints } from './policyFields.ts';

/** Returns the policies that list a taint, in order. */
export function policiesByTaint(
  policies: readonly ClusterTaintPolicy[],
): (taint: Pick<Taint, 'key' | 'effect'>) => readonly ClusterTaintPolicy[] {
  const listing = new Map<string, ClusterTaintPolicy[]>();
  for (const policy of policies)
    for (const taint of new Set(listedTaints(policy).map(taintIdentity)))
      getOrAdd(listing, taint, () => []).push(policy);
  return (taint) => listing.get(taintIdentity(taint)) ?? [];
}
