import type { Dialect } from './dialect.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Karmada v1.18: what its binaries default to (the app/options of each component and pkg/features at v1.18.2). */
export const v1_18: Dialect = {
  version: 'v1.18',
  defaults: {
    featureGates: {
      Failover: false,
      GracefulEviction: true,
      StatefulFailoverInjection: false,
      CustomizedClusterResourceModeling: true,
      MultiplePodTemplatesScheduling: false,
      PriorityBasedScheduling: false,
      WorkloadAffinity: false,
      SchedulingOvercommitProtection: false,
      FederatedQuotaEnforcement: false,
      PropagationPolicyPreemption: false,
      ResourceQuotaEstimate: false,
    },
    controllerManager: {
      'enable-taint-manager': true,
      'enable-no-execute-taint-eviction': false,
      'no-execute-taint-eviction-purge-mode': 'Gracefully',
      'resource-eviction-rate': 0.5,
      'graceful-eviction-timeout': 10 * MINUTE,
      'cluster-status-update-frequency': 10 * SECOND,
      'cluster-failure-threshold': 30 * SECOND,
      'cluster-success-threshold': 30 * SECOND,
      'cluster-monitor-period': 5 * SECOND,
      'cluster-monitor-grace-period': 40 * SECOND,
      'cluster-startup-grace-period': 60 * SECOND,
    },
    agent: {
      'cluster-status-update-frequency': 10 * SECOND,
      'cluster-failure-threshold': 30 * SECOND,
      'cluster-success-threshold': 30 * SECOND,
      'cluster-lease-duration': 40 * SECOND,
      'cluster-lease-renew-interval-fraction': 0.25,
    },
    scheduler: {
      'scheduler-name': 'default-scheduler',
      'enable-empty-workload-propagation': false,
      'enable-scheduler-estimator': false,
    },
    webhook: { 'allow-no-execute-taint-policy': false },
  },
  featureGates: {
    Failover: { default: false, stage: 'Beta', decidedBy: 'controllerManager' },
    GracefulEviction: { default: true, stage: 'Beta', decidedBy: 'controllerManager' },
    PropagateDeps: { default: true, stage: 'Beta' },
    // the controller manager collects the models, the scheduler counts with them
    CustomizedClusterResourceModeling: { default: true, stage: 'Beta', decidedBy: 'scheduler' },
    PropagationPolicyPreemption: { default: false, stage: 'Alpha' },
    MultiClusterService: { default: false, stage: 'Alpha' },
    ResourceQuotaEstimate: { default: false, stage: 'Alpha' },
    StatefulFailoverInjection: { default: false, stage: 'Alpha', decidedBy: 'controllerManager' },
    PriorityBasedScheduling: { default: false, stage: 'Alpha', decidedBy: 'scheduler' },
    // the webhook refuses what exceeds a quota
    FederatedQuotaEnforcement: { default: false, stage: 'Alpha', decidedBy: 'webhook' },
    LoggingAlphaOptions: { default: false, stage: 'Alpha' },
    LoggingBetaOptions: { default: true, stage: 'Beta' },
    ContextualLogging: { default: true, stage: 'Beta' },
    MultiplePodTemplatesScheduling: { default: false, stage: 'Alpha', decidedBy: 'scheduler' },
    ControllerPriorityQueue: { default: true, stage: 'Beta' },
    WorkloadAffinity: { default: false, stage: 'Alpha', decidedBy: 'scheduler' },
    SchedulingOvercommitProtection: { default: false, stage: 'Alpha', decidedBy: 'scheduler' },
  },
};
