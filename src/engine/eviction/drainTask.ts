import type { GracefulEvictionTask } from '../../karmada/api/work.ts';

/** Who writes the tasks of a drain, and why, as the tasks say it. */
export const DRAIN_PRODUCER = 'karmada-failover';
export const DRAIN_REASON = 'ClusterDrain';

/** Whether a task is one of a drain's. */
export function isDrainTask({ producer }: GracefulEvictionTask): boolean {
  return producer === DRAIN_PRODUCER;
}
