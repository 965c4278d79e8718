import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { SpreadConstraint } from '../../../karmada/api/policy.ts';

/**
 * The reason for which the SpreadConstraint filter rejects a cluster: it lacks a property by which a
 * constraint spreads, the first such constraint counts.
 */
export function spreadConstraintFilter(
  constraints: readonly SpreadConstraint[] | undefined,
  cluster: Cluster,
): string | undefined {
  for (const { spreadByField } of constraints ?? []) {
    if (spreadByField === 'provider' && !cluster.spec?.provider)
      return 'cluster(s) did not have provider property';
    if (spreadByField === 'region' && !cluster.spec?.region) return 'cluster(s) did not have region property';
    if (spreadByField === 'zone' && !cluster.spec?.zones?.length)
      return 'cluster(s) did not have zones property';
  }
  return undefined;
}
