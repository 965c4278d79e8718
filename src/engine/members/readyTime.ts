import { latencies } from '../latencies.ts';
import type { MemberAssumptions } from '../scenario.ts';

/**
 * When replicas that were applied in a member at `applied` are counted as ready there (both epoch milliseconds):
 * replicas need time to start, and the member's workload controllers to report it.
 */
export function readyTime(applied: number, { workloadReadyAfter }: MemberAssumptions): number {
  return applied + workloadReadyAfter + latencies.readinessReport;
}

/**
 * When the Works of a binding that was scheduled at `scheduled` (epoch milliseconds) are applied in a reachable member.
 */
export function appliedTime(scheduled: number): number {
  return scheduled + latencies.reactions['binding-controller'] + latencies.reactions['execution-controller'];
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
