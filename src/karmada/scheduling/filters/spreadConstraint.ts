import type { Cluster } from '../../api/cluster.ts';
import type { SpreadConstraint } from '../../api/policy.ts';
import { keepAccepted, type ClusterColumns } from '../../selection/clusterColumns.ts';
import type { ClusterSet } from '../../selection/clusterSet.ts';

/**
 * The reason for which the SpreadConstraint filter rejects a cluster: it lacks a property that a constraint spreads
 * by. The first such constraint counts.
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

/** The filter over all clusters: keeps in `set` those that have the properties that constraints spread by. */
export function keepSpreadable(
  set: ClusterSet,
  columns: ClusterColumns,
  constraints: readonly SpreadConstraint[] | undefined,
): void {
  for (const { spreadByField } of constraints ?? []) {
    if (spreadByField === 'provider') keepAccepted(set, columns.provider(), isGiven);
    if (spreadByField === 'region') keepAccepted(set, columns.region(), isGiven);
    if (spreadByField === 'zone') keepAccepted(set, columns.zones(), (zones) => zones.length > 0);
  }
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined;
}
