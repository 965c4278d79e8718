/** The scheduler's rules for one binding and one decision, as others use them. */
export { createClusterSnapshot, type ClusterSnapshot, type SchedulerOptions } from './clusterSnapshot.ts';
export { schedule, type ScheduleResult } from './schedule.ts';
export { scheduleBinding, type ScheduleOutcome } from './scheduleBinding.ts';
