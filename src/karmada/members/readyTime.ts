import { karmada } from '../controllers/karmada.ts';
import { latencies } from '../latencies.ts';
import type { ObjectIdentity } from '../api/meta.ts';
import { objectKey } from '../objects/identities.ts';
import type { MemberAssumptions } from './memberAssumptions.ts';
import { memberOf } from '../../kubernetes/json.ts';

/**
 * When replicas that were applied in a member at `applied` are counted as ready there (both epoch milliseconds):
 * replicas take time to start, and the member's workload controllers take time to report it.
 */
export function readyTime(
  applied: number,
  members: MemberAssumptions,
  cluster: string,
  workload: ObjectIdentity,
): number {
  const own = observedTime(members, cluster, workload);
  return applied + (own ?? members.workloadReadyAfter) + latencies.readinessReport;
}

/** Whether the time until new replicas of a workload are ready in a cluster is a guess. */
export function isGuessed(members: MemberAssumptions, cluster: string, workload: ObjectIdentity): boolean {
  return members.guessed === true && observedTime(members, cluster, workload) === undefined;
}

function observedTime({ readyAfter }: MemberAssumptions, cluster: string, workload: ObjectIdentity) {
  return (
    readyAfter &&
    (memberOf(readyAfter, copyKey(workload, cluster)) ?? memberOf(readyAfter, objectKey(workload)))
  );
}

/** "Deployment/shop/cart member1": a unique text for a workload's copy on a cluster. */
export function copyKey(workload: ObjectIdentity, cluster: string): string {
  return `${objectKey(workload)} ${cluster}`;
}

/**
 * When the Works of a binding that was scheduled at `scheduled` (epoch milliseconds) are applied in a reachable member.
 */
export function appliedTime(scheduled: number): number {
  return scheduled + karmada['binding-controller'].reaction + karmada['execution-controller'].reaction;
}

/** Whether new replicas of a workload never become ready in a cluster. */
export function isNeverReady(
  { neverReady }: MemberAssumptions,
  cluster: string,
  workload: { kind: string; namespace?: string; name: string },
): boolean {
  return neverReady.some(
    (entry) =>
      entry.cluster === cluster &&
      entry.kind === workload.kind &&
      (entry.namespace ?? '') === (workload.namespace ?? '') &&
      entry.name === workload.name,
  );
}
