import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_UNREACHABLE,
  TAINT_CLUSTER_UNSCHEDULABLE,
} from '../../karmada/names.ts';
import { conditionsMatch } from '../taints/matchConditions.ts';
import { explains, isKarmadas } from '../taints/taintSources.ts';

/**
 * Who put a taint on a cluster. Karmada does not note it; it follows from who would:
 * - `cluster-controller`: the NoSchedule taints of Karmada's own rules, in versions up to v1.13 also the NoExecute ones of clusters
 *   that have failed or are being deleted
 * - `policy`: a ClusterTaintPolicy for this cluster lists it
 * - `cordon`: karmadactl cordon, so a person
 * - `person`: nobody else would
 */
export type TaintOwner = 'cluster-controller' | 'policy' | 'cordon' | 'person';

export interface TaintOrigin {
  owner: TaintOwner;
  /** the ClusterTaintPolicies that list the taint for this cluster */
  policies?: string[];
  /** what does not fit the plain case */
  note?: string;
}

/** Who is in charge of a taint of a cluster, by its key and by the ClusterTaintPolicies there are. */
export function taintOrigin(
  taint: Taint,
  cluster: Cluster,
  policies: ClusterTaintPolicy[],
  rules: Pick<Rules, 'scheduling' | 'taints'>,
): TaintOrigin {
  if (isKarmadas(taint, rules)) return { owner: 'cluster-controller' };
  const listing = policies.filter((policy) => explains(policy, cluster, taint, rules));
  if (listing.length > 0) {
    const names = listing.map(({ metadata }) => metadata.name);
    const conditions = cluster.status?.conditions ?? [];
    const holds = listing.some(({ spec }) => conditionsMatch(conditions, spec.addOnConditions));
    if (holds) return { owner: 'policy', policies: names };
    return { owner: 'policy', policies: names, note: 'its addOnConditions do not hold any more' };
  }
  if (taint.key === TAINT_CLUSTER_UNSCHEDULABLE && taint.effect === 'NoSchedule') return { owner: 'cordon' };
  if (taint.key === TAINT_CLUSTER_NOT_READY || taint.key === TAINT_CLUSTER_UNREACHABLE)
    return { owner: 'person', note: 'or a ClusterTaintPolicy that has been changed or deleted since' };
  return { owner: 'person' };
}
