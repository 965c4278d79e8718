import type { Configuration, FeatureGates } from '../configuration/configuration.ts';
import type { Rules } from '../dialects/rules.ts';

export type SchedulingRules = Rules['scheduling'];

/** The inputs that decide scheduling: the version's rules, and how the scheduler was started. */
export interface SchedulerOptions {
  rules: SchedulingRules;
  featureGates: Pick<
    FeatureGates,
    'CustomizedClusterResourceModeling' | 'MultiplePodTemplatesScheduling' | 'WorkloadAffinity'
  >;
  /** --enable-empty-workload-propagation */
  enableEmptyWorkloadPropagation: boolean;
  /** --plugins; absent: all */
  plugins?: string;
}

/** The part of a configuration that scheduling depends on. */
export function schedulerOptions({ rules, featureGates, scheduler }: Configuration): SchedulerOptions {
  return {
    rules: rules.scheduling,
    featureGates,
    enableEmptyWorkloadPropagation: scheduler['enable-empty-workload-propagation'],
    plugins: scheduler.plugins,
  };
}
