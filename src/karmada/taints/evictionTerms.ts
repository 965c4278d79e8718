import type { Toleration } from '../api/meta.ts';
import { type ClusterFailoverBehavior, CLUSTER_TOLERATION_SECONDS } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import type { Evidence } from '../evidence.ts';
import type { AppliedPlacement } from '../objects/appliedPlacement.ts';
import { preferNoExecuteTaints } from './evictingTaints.ts';
import {
  noExecuteDecision,
  noExecuteTaints,
  type NoExecuteDecision,
  undatedEvidence,
} from './noExecuteDecision.ts';
import { formatDuration, instant } from '../../kubernetes/time.ts';

/** The fields of a binding that decide whether, when and how taints evict it. Plain JSON. */
export interface EvictionTerms {
  /** from the applied placement; absent: unknown, without a readable one */
  tolerations?: readonly Toleration[];
  /** spec.failover.cluster */
  failover?: ClusterFailoverBehavior;
}

const NO_TOLERATIONS: readonly Toleration[] = [];

/** The current terms of a binding. */
export function termsOf({ spec }: Pick<ResourceBinding, 'spec'>, applied: AppliedPlacement): EvictionTerms {
  const placement = 'error' in applied ? undefined : applied.placement;
  const failover = spec.failover?.cluster;
  return {
    ...(placement && { tolerations: placement.clusterTolerations ?? NO_TOLERATIONS }),
    ...(failover && { failover }),
  };
}

/** Whether two terms are equal. */
export function sameTerms(a: EvictionTerms, b: EvictionTerms): boolean {
  return deepEqual(a.tolerations, b.tolerations) && deepEqual(a.failover, b.failover);
}

/**
 * The effect of a cluster's taints on a binding with these terms: NoExecute by its tolerations, PreferNoExecute by its
 * failover.cluster; the earlier eviction decides. Undefined if that depends on unknown tolerations.
 *
 * @param taints `evictingTaints` of the cluster
 * @param now epoch milliseconds
 * @param evidence if given, collects the deciding facts
 */
export function taintDecision(
  taints: readonly Taint[],
  { tolerations, failover }: EvictionTerms,
  now: number,
  evidence?: Evidence[],
): NoExecuteDecision | undefined {
  const soft = preferNoExecuteTaints(taints);
  if (soft.length === taints.length) return activeMigrationDecision(soft, failover, now, evidence);
  if (!tolerations) return undefined;
  if (soft.length === 0) return noExecuteDecision(taints, tolerations, now, evidence);
  const why: Evidence[][] = [[], []];
  const hard = noExecuteDecision(noExecuteTaints(taints), tolerations, now, evidence && why[0]);
  const active = activeMigrationDecision(soft, failover, now, evidence && why[1]);
  const [hardIn, activeIn] = [timeLeft(hard), timeLeft(active)];
  if (hardIn <= activeIn) evidence?.push(...why[0]!);
  if (activeIn <= hardIn) evidence?.push(...why[1]!);
  return hardIn <= activeIn ? hard : active;
}

/**
 * Why a binding stays on a cluster although it tolerates none of its taints: PreferNoExecute taints move only bindings
 * whose policy enables it. Undefined if tolerations are the reason.
 */
export function stayText(taints: readonly Taint[], { failover }: EvictionTerms): string | undefined {
  const [first] = preferNoExecuteTaints(taints);
  if (!first || noExecuteTaints(taints).length > 0) return undefined;
  return failover
    ? `the toleration never expires for the taint ${formatTaint(first)}: it has no timeAdded`
    : `the taint ${formatTaint(first)} moves only workloads whose policy sets failover.cluster`;
}

/** Milliseconds until the eviction that a decision implies. */
function timeLeft(decision: NoExecuteDecision): number {
  if (decision.kind === 'evict') return 0;
  return decision.kind === 'wait' ? decision.milliseconds : Infinity;
}

/**
 * Whether a binding leaves a cluster with these PreferNoExecute taints now, later or not at all: only if its policy
 * sets failover.cluster, once its tolerationSeconds (300 if absent) have passed since the timeAdded of one of the
 * taints; it is evicted at exactly that instant. clusterTolerations are ignored. A taint without timeAdded starts no
 * timer. Design optimize-cluster-failover, "Application-level cluster failover strategy design".
 *
 * @param failover spec.failover.cluster
 * @param now epoch milliseconds
 * @param evidence if given, collects the deciding facts
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
      rule: `without failover.cluster, the taint ${formatTaint(taints[0]!)} evicts nothing`,
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
