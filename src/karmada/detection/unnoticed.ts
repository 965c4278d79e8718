import type { ConditionStatus } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';

/**
 * Milliseconds from a member's failure or return until its Ready condition says so: until probes have agreed for the
 * threshold, which ends with a probe, or the member has been silent for the grace period.
 *
 * @param status what the condition says
 * @param isPull whether its agent probes it; an agent that starts again publishes at once what it finds
 * @param place from 0, the shortest time, to 1, the longest
 * @param before what the condition said before: False on a Pull member means that its agent has been running
 */
export function unnoticed(
  status: ConditionStatus,
  isPull: boolean,
  place: number,
  { controllerManager, agent }: Configuration,
  before?: ConditionStatus,
): number {
  const probing = isPull ? agent : controllerManager;
  const period = probing['cluster-status-update-frequency'];
  const probed = (threshold: number) => (place + Math.ceil(threshold / period)) * period;
  switch (status) {
    case 'True':
      return isPull && before !== 'False' ? 0 : probed(probing['cluster-success-threshold']);
    case 'False':
      return probed(probing['cluster-failure-threshold']);
    case 'Unknown': {
      // The grace period begins with the last renewal of the Lease, which is older than the end of the agent.
      const renewal = agent['cluster-lease-duration'] * agent['cluster-lease-renew-interval-fraction'];
      const late = place * (controllerManager['cluster-monitor-period'] + renewal);
      return controllerManager['cluster-monitor-grace-period'] - renewal + late;
    }
  }
}
