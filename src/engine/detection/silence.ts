import type { Condition } from '../../karmada/api/meta.ts';
import { silentReadiness, type Readiness } from './readiness.ts';

/** --cluster-monitor-grace-period and --cluster-startup-grace-period, milliseconds. */
export interface GracePeriods {
  monitor: number;
  startup: number;
}

/**
 * One look of the cluster controller at a Pull cluster: the condition that it publishes because nothing has
 * been heard of the cluster for longer than the grace period, undefined while it waits or when Unknown is
 * published already. Push clusters are not judged by silence at all.
 *
 * @param heardAt when a renewed Lease or a changed Ready condition was last seen, epoch milliseconds; for a
 * cluster without a Ready condition and without a Lease the creation of the Cluster
 */
export function silence(
  published: Condition | undefined,
  heardAt: number,
  now: number,
  grace: GracePeriods,
): Readiness | undefined {
  if (now <= heardAt + (published ? grace.monitor : grace.startup)) return undefined;
  if (published?.status === 'Unknown') return undefined;
  return silentReadiness[published ? 'known' : 'never known'];
}
