import type { ClusterFailoverBehavior } from '../api/policy.ts';
import { CLUSTER_TOLERATION_SECONDS } from '../api/policy.ts';
import { formatDuration, instant } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import type { Evidence } from '../evidence.ts';
import { undatedEvidence, type NoExecuteDecision } from './noExecuteDecision.ts';

/**
 * Whether a binding leaves a cluster with these PreferNoExecute taints now, later or not at all: only if its policy
 * sets failover.cluster, once its tolerationSeconds (300 if absent) have passed since the timeAdded of one of the
 * taints; that very instant evicts. clusterTolerations play no part. A taint without timeAdded starts no clock.
 * Design optimize-cluster-failover, "Application-level cluster failover strategy design".
 *
 * @param failover spec.failover.cluster
 * @param now epoch milliseconds
 * @param evidence if given, gets what decided
 */
export function activeMigrationDecision(
  taints: readonly Taint[],
  failover: ClusterFailoverBehavior | undefined,
  now: number,
  evidence?: Evidence[],
): NoExecuteDecision {
  if (taints.length === 0) return { kind: 'stay' };
  if (!failover) {
    evidence?.push({
      rule: `without failover.cluster the taint ${formatTaint(taints[0]!)} moves nothing`,
      field: FIELD,
      value: null,
    });
    return { kind: 'stay' };
  }
  const seconds = failover.tolerationSeconds ?? CLUSTER_TOLERATION_SECONDS;
  let first: { taint: Taint; left: number } | undefined;
  for (const taint of taints) {
    if (!taint.timeAdded) continue;
    const left = instant(taint.timeAdded) + seconds * 1000 - now;
    if (!first || left < first.left) first = { taint, left };
  }
  const undated = taints.find(({ timeAdded }) => !timeAdded);
  if (first) evidence?.push(endingEvidence(first.taint, seconds, first.left));
  if (undated && (first?.left ?? Infinity) > 0) evidence?.push(undatedEvidence(undated));
  if (!first) return { kind: 'stay' };
  return first.left <= 0
    ? { kind: 'evict', after: 'toleration' }
    : { kind: 'wait', milliseconds: first.left };
}

const FIELD = 'spec.failover.cluster';

function endingEvidence(taint: Taint, seconds: number, left: number): Evidence {
  const length = formatDuration(seconds * 1000);
  const ends = left <= 0 ? 'is over' : 'ends later';
  return {
    rule: `tolerationSeconds of failover.cluster, ${length} for the taint ${formatTaint(taint)}, ${ends}`,
    field: `${FIELD}.tolerationSeconds`,
    value: { tolerationSeconds: seconds, timeAdded: taint.timeAdded },
  };
}
