/**
 * Gates and flags of Karmada's components. They decide more outcomes than anything else and mostly live in
 * another cluster than the Karmada API server, so every value carries where it is known from.
 */

/** How Karmada's components were started. Durations are milliseconds, rates per second. */
export interface Configuration {
  featureGates: FeatureGates;
  controllerManager: ControllerManagerFlags;
  agent: AgentFlags;
  scheduler: SchedulerFlags;
  webhook: WebhookFlags;
}

export interface FeatureGates {
  Failover: boolean;
  GracefulEviction: boolean;
  StatefulFailoverInjection: boolean;
  CustomizedClusterResourceModeling: boolean;
  MultiplePodTemplatesScheduling: boolean;
  PriorityBasedScheduling: boolean;
  WorkloadAffinity: boolean;
  SchedulingOvercommitProtection: boolean;
  FederatedQuotaEnforcement: boolean;
  PropagationPolicyPreemption: boolean;
  ResourceQuotaEstimate: boolean;
}

export interface ControllerManagerFlags {
  'enable-taint-manager': boolean;
  'enable-no-execute-taint-eviction': boolean;
  'no-execute-taint-eviction-purge-mode': 'Gracefully' | 'Directly';
  /** evictions per second and worker */
  'resource-eviction-rate': number;
  /** milliseconds, as are the durations below */
  'graceful-eviction-timeout': number;
  'cluster-status-update-frequency': number;
  'cluster-failure-threshold': number;
  'cluster-success-threshold': number;
  'cluster-monitor-period': number;
  'cluster-monitor-grace-period': number;
  'cluster-startup-grace-period': number;
}

export interface AgentFlags {
  'cluster-status-update-frequency': number;
  'cluster-failure-threshold': number;
  'cluster-success-threshold': number;
  'cluster-lease-duration': number;
  'cluster-lease-renew-interval-fraction': number;
}

export interface SchedulerFlags {
  'scheduler-name': string;
  'enable-empty-workload-propagation': boolean;
  'enable-scheduler-estimator': boolean;
}

export interface WebhookFlags {
  'allow-no-execute-taint-policy': boolean;
}
