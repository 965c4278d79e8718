import type { ConditionStatus } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';

/**
 * For how long (milliseconds) a member may have turned before its Ready condition says so: until probes have agreed for the
 * threshold, or nothing has been heard of it for the grace period.
 *
 * @param status what the condition says
 * @param place from 0, the shortest time, to 1, the longest
 */
export function unnoticed(
  status: ConditionStatus,
  place: number,
  { controllerManager }: Configuration,
): number {
  switch (status) {
    case 'True':
      return place * controllerManager['cluster-success-threshold'];
    case 'False':
      return (
        controllerManager['cluster-failure-threshold'] +
        place * controllerManager['cluster-status-update-frequency']
      );
    case 'Unknown':
      return (
        controllerManager['cluster-monitor-grace-period'] +
        place * controllerManager['cluster-monitor-period']
      );
  }
}
