import type { ConditionStatus } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';

/**
 * Milliseconds from a member's failure or return until its Ready condition shows it: until probes have agreed for the
 * threshold, or the member has been silent for the grace period.
 *
 * @param status the status of the condition afterwards
 * @param isPull whether its agent probes it; a restarted agent publishes its first probe at once
 * @param place from 0, the shortest time, to 1, the longest
 * @param before the status before: False on a Pull member means that its agent has been running
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
      // The grace period begins with the last renewal of the Lease, before the agent stopped.
      const renewal = agent['cluster-lease-duration'] * agent['cluster-lease-renew-interval-fraction'];
      const late = place * (controllerManager['cluster-monitor-period'] + renewal);
      return controllerManager['cluster-monitor-grace-period'] - renewal + late;
    }
  }
}
