import { versionSwitch } from '../history.ts';

/** Taints of clusters and the taint manager. */
export const taints = {
  failureTaints: versionSwitch({
    decides:
      'whether Karmada adds NoExecute taints to clusters that are not Ready (with gate Failover, after failover-eviction-timeout), or only a ClusterTaintPolicy or an operator does',
    values: [{ value: 'automatic' }, { since: ['v1.14.0'], value: 'none' }],
  }),
  readinessTaints: versionSwitch({
    decides:
      'whether Karmada always adds NoSchedule taints to clusters that are not Ready, or only a ClusterTaintPolicy or an operator does',
    values: [{ value: 'automatic' }],
    designs: { 'optimize-cluster-failover': 'none' },
  }),
  deletedClusters: versionSwitch({
    decides:
      'whether a Cluster that is being deleted gets the taint cluster.karmada.io/terminating:NoExecute, or only the scheduler moves its workloads',
    values: [{ value: 'terminatingTaint' }, { since: ['v1.14.0'], value: 'untainted' }],
  }),
  clusterRemoval: versionSwitch({
    decides:
      'whether a deleted Cluster stays until no binding names it: only while the taint manager runs; or always; or forever if the taint manager does not run (an index was missing)',
    values: [
      { value: 'waitsWithTaintManager' },
      { since: ['v1.14.0'], value: 'waitsForeverWithoutTaintManager' },
      { since: ['v1.14.1'], value: 'waits' },
    ],
  }),
  clusterTaintPolicies: versionSwitch({
    decides: 'whether there are ClusterTaintPolicies, which taint clusters by their conditions',
    values: [{ value: false }, { since: ['v1.14.0'], value: true }],
  }),
  clusterTaintPolicyPatch: versionSwitch({
    decides:
      'whether the ClusterTaintPolicy controller may overwrite taints that another client has written since its read, or its patch is then refused',
    values: [{ value: 'overwrites' }, { since: ['v1.18.0'], value: 'locked' }],
  }),
  taintManagerStart: versionSwitch({
    decides:
      'what starts the taint manager: only enable-taint-manager, with gate Failover too, or only that gate',
    values: [{ value: 'flag' }, { since: ['v1.14.0'], value: 'flagAndFailoverGate' }],
    designs: { 'optimize-cluster-failover': 'failoverGate' },
  }),
  evictionSwitch: versionSwitch({
    decides: 'whether NoExecute taints evict only with enable-no-execute-taint-eviction',
    values: [{ value: 'none' }, { since: ['v1.14.0'], value: 'flag' }],
    designs: { 'optimize-cluster-failover': 'none' },
  }),
  evictionPurgeMode: versionSwitch({
    decides:
      'the purge mode in the task of a taint eviction: by gate GracefulEviction (no task if it is off, in later releases Graciously or Immediately); by the flag no-execute-taint-eviction-purge-mode with the old names (at first for ResourceBindings only); by the policy, or else by the flag; or else Gracefully',
    values: [
      { value: 'gateOrNoTask' },
      { since: ['v1.12.0'], value: 'gate' },
      { since: ['v1.14.0'], value: 'flagForResourceBindings' },
      { since: ['v1.14.1'], value: 'flagInOldNames' },
      { since: ['v1.15.0'], value: 'policyOrFlag' },
    ],
    designs: { 'optimize-cluster-failover': 'policyOrGracefully' },
  }),
  expiredTolerationPurgeMode: versionSwitch<boolean>({
    decides:
      'whether a task that a toleration has delayed has its purgeMode; in some releases it lacks the mode of the flag, and is graceful',
    values: [
      { value: true },
      { since: ['v1.14.0'], value: false },
      { since: ['v1.14.4', 'v1.15.0'], value: true },
    ],
  }),
  evictionQueue: versionSwitch({
    decides:
      'which bindings of a tainted cluster the taint manager queues: all of them at once; or only those that do not tolerate the taints forever (with tolerationSeconds: after that time)',
    values: [
      { value: 'everyBinding' },
      { since: ['v1.16.8', 'v1.17.5', 'v1.18.2'], value: 'intolerantBindings' },
    ],
  }),
  evictionPace: versionSwitch({
    decides:
      'whether the eviction workers sleep after each binding as resource-eviction-rate says, or one queue has one rate for all, which the share of faulty clusters sets',
    values: [{ value: 'unpaced' }, { since: ['v1.16.0'], value: 'paced' }],
    designs: { 'optimize-cluster-failover': 'byFaultyClusters' },
  }),
  taskByPolicy: versionSwitch<boolean>({
    decides:
      'whether failover.cluster also sets the gracePeriodSeconds of the task that a taint eviction leaves, and mode Never holds the old copy',
    values: [{ value: false }],
    designs: { 'configurable-cluster-failover': true },
  }),
  activeMigration: versionSwitch<boolean>({
    decides:
      'whether a taint PreferNoExecute moves the workloads whose policy sets failover.cluster, after its tolerationSeconds',
    values: [{ value: false }],
    designs: { 'optimize-cluster-failover': true },
  }),
  evictionTerms: versionSwitch({
    decides:
      'which tolerations and failover.cluster decide an eviction: those of the binding when it is processed, or those when the taint manager first reconciled it after the failure',
    values: [{ value: 'atTurn' }],
    designs: { 'optimize-cluster-failover': 'atFailure' },
  }),
  preScheduling: versionSwitch<boolean>({
    decides:
      'whether an eviction is abandoned at its turn if the placement leaves no other cluster to move to',
    values: [{ value: false }],
    designs: { 'optimize-cluster-failover': true },
  }),
};
