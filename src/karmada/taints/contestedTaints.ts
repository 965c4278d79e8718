import type { Condition, Taint } from '../api/meta.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import type { NamedTaint } from '../evidence.ts';
import { getOrAdd } from '../objects/getOrAdd.ts';
import { findTaint, taintIdentity } from '../objects/sameTaint.ts';
import { conditionsMatch } from './matchConditions.ts';
import { createdAt } from './policyOrder.ts';

/** A taint that one policy adds, while another one created in the same second removes it or adds another value. */
export interface ContestedTaint {
  taint: NamedTaint;
  policies: string[];
}

/** A policy's intent for one of its taints. */
interface TaintDemand {
  policy: string;
  verb: 'adds' | 'removes';
  taint: NamedTaint;
}

/**
 * The taints that depend on the order of policies created in the same second, unless a newer policy removes them.
 *
 * @param acting the policies for a cluster, in the order of their creation
 * @param before the taints of the cluster
 */
export function contestedTaints(
  acting: readonly ClusterTaintPolicy[],
  conditions: readonly Condition[],
  before: readonly Taint[],
): ContestedTaint[] {
  if (acting.every((policy, at) => at === 0 || createdAt(policy) !== createdAt(acting[at - 1]!))) return [];
  const contested = new Map<string, ContestedTaint>();
  const bySecond = new Map<number, Map<string, TaintDemand[]>>();
  for (const policy of acting) {
    const ofSecond = getOrAdd(bySecond, createdAt(policy), () => new Map<string, TaintDemand[]>());
    for (const demand of taintDemands(policy, conditions))
      getOrAdd(ofSecond, taintIdentity(demand.taint), () => []).push(demand);
  }
  for (const ofSecond of bySecond.values())
    for (const [id, demands] of ofSecond) {
      const { taint } = demands[0]!;
      const added = demands.filter(({ verb }) => verb === 'adds');
      if (added.length === 0) {
        contested.delete(id);
        continue;
      }
      const values = new Set(added.map((demand) => demand.taint.value ?? ''));
      const isThere = findTaint(before, taint) !== undefined;
      if (added.length < demands.length || (values.size > 1 && !isThere))
        contested.set(id, { taint, policies: demands.map(({ policy }) => policy) });
    }
  return [...contested.values()];
}

/**
 * A policy's intents for its taints under these conditions; none if neither list holds. Removal wins within a policy.
 */
export function taintDemands(
  { metadata: { name: policy }, spec }: ClusterTaintPolicy,
  conditions: readonly Condition[],
): TaintDemand[] {
  const removes = conditionsMatch(conditions, spec.removeOnConditions);
  if (!removes && !conditionsMatch(conditions, spec.addOnConditions)) return [];
  const verb = removes ? 'removes' : 'adds';
  return (spec.taints ?? []).map(({ key, value, effect }) => ({
    policy,
    verb,
    taint: { key, ...(value && { value }), effect },
  }));
}
