/** The scheduler's rules for one binding and one decision, as others use them. */
export { createClusterSnapshot, type ClusterSnapshot } from './clusterSnapshot.ts';
export { schedulerOptions, type SchedulerOptions } from './schedulerOptions.ts';
export { schedule, type ScheduleResult } from './schedule.ts';
export { scheduleBinding, type ScheduleOutcome } from './scheduleBinding.ts';
