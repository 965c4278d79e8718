import { versionSwitch } from '../history.ts';

/** Selection of clusters, division of replicas, and triggers of scheduling. */
export const scheduling = {
  deletingClusters: versionSwitch({
    decides:
      'whether a Cluster that is being deleted is a candidate like any other, or is skipped and its workloads are rescheduled',
    values: [{ value: 'candidates' }, { since: ['v1.14.0'], value: 'skipped' }],
  }),
  apiEnablementExemption: versionSwitch({
    decides:
      'whether the APIEnablement filter lets a cluster pass because the workload is scheduled to it already: never, while its CompleteAPIEnablements condition is not True, or always',
    values: [
      { value: 'never' },
      { since: ['v1.10.8', 'v1.11.4', 'v1.12.0'], value: 'whileListIncomplete' },
      { since: ['v1.15.0'], value: 'always' },
    ],
  }),
  zoneIn: versionSwitch({
    decides:
      'what operator In on the field zone asks of a cluster with several zones: that all of them are listed, or any',
    values: [{ value: 'allZones' }, { since: ['v1.18.0'], value: 'anyZone' }],
  }),
  overflowAffinities: versionSwitch({
    decides:
      'whether overflowAffinities of an affinity group exist, and take the replicas that exceed the capacity of the group',
    values: [{ value: false }, { since: ['v1.18.0'], value: true }],
  }),
  clusterOrder: versionSwitch({
    decides: 'how feasible clusters of the same score are ordered: by name, or by capacity and then by name',
    values: [{ value: 'byName' }, { since: ['v1.10.3', 'v1.11.0'], value: 'byRoom' }],
  }),
  regionScore: versionSwitch({
    decides:
      'how a region constraint compares regions: by the highest score of their clusters, or by the capacity of their clusters for the workload; early releases with the latter crash if no cluster of a region has capacity for a Duplicated workload',
    values: [
      { value: 'highestClusterScore' },
      { since: ['v1.12.0'], value: 'roomOrCrash' },
      { since: ['v1.14.10', 'v1.15.6', 'v1.16.3', 'v1.17.0'], value: 'room' },
    ],
  }),
  workloadTest: versionSwitch({
    decides:
      'which objects count as workloads (they get replicas and are not rescheduled every time): those with replicas, or also those with replica requirements or components',
    values: [{ value: 'replicas' }, { since: ['v1.16.0'], value: 'replicasRequirementsOrComponents' }],
  }),
  division: versionSwitch({
    decides:
      'how replicas are divided by weight: shares are rounded down, and the remainder goes one by one to the greatest weights, at random among equals; or by Webster’s method, with ties decided by name and UID',
    values: [{ value: 'roundedDown' }, { since: ['v1.16.0'], value: 'webster' }],
  }),
  scaleDownBasis: versionSwitch({
    decides:
      'among which clusters fewer replicas are divided by dynamic weight and Aggregated: all of the previous result, selected or not, or those selected again',
    values: [{ value: 'previousResult' }, { since: ['v1.17.0'], value: 'selectedClusters' }],
  }),
  capacityError: versionSwitch({
    decides:
      'the reason of the Scheduled condition when dynamic weight or Aggregated finds too little capacity: SchedulerError, or Unschedulable',
    values: [
      { value: 'SchedulerError' },
      { since: ['v1.15.8', 'v1.16.5', 'v1.17.2', 'v1.18.0'], value: 'Unschedulable' },
    ],
  }),
  modelEstimate: versionSwitch({
    decides:
      'how resource models limit the replicas of a cluster: nodes from the grade below the first one whose minimum exceeds the request; nodes from the first grade whose minimum covers it; or each replica placed on the first node with capacity',
    values: [
      { value: 'fromGradeBelow' },
      { since: ['v1.10.6', 'v1.11.2', 'v1.12.0'], value: 'fromCoveringGrade' },
      { since: ['v1.18.0'], value: 'firstFit' },
    ],
  }),
  componentSets: versionSwitch({
    decides:
      'from how many components on a workload is scheduled as whole sets, if it is spread over exactly one cluster and MultiplePodTemplatesScheduling is on',
    values: [
      { value: Number.POSITIVE_INFINITY },
      { since: ['v1.16.0'], value: 2 },
      { since: ['v1.18.0'], value: 1 },
    ],
  }),
  componentSetsNeeded: versionSwitch({
    decides:
      'for how many sets of components the chosen cluster must have capacity: as many as spec.replicas, or one',
    values: [{ value: 'replicas' }, { since: ['v1.16.6', 'v1.17.3', 'v1.18.0'], value: 'one' }],
  }),
  componentEstimate: versionSwitch({
    decides:
      'how resource models limit sets of components: the most demanding component first, without the pod limit of nodes; in the given order, unless nothing is requested; or always in the given order',
    values: [
      { value: 'mostDemandingFirst' },
      { since: ['v1.17.0'], value: 'inOrderIfRequesting' },
      { since: ['v1.18.0'], value: 'inOrder' },
    ],
  }),
  componentReschedule: versionSwitch({
    decides:
      'from how many components on a workload that has lost all its clusters is scheduled again, if MultiplePodTemplatesScheduling is on',
    values: [
      { value: Number.POSITIVE_INFINITY },
      { since: ['v1.16.2', 'v1.17.0'], value: 2 },
      { since: ['v1.18.0'], value: 1 },
    ],
  }),
  componentsInResult: versionSwitch({
    decides:
      'whether spec.clusters has the replicas of each component for workloads that are scheduled as whole sets',
    values: [{ value: false }, { since: ['v1.19.0'], value: true }],
  }),
  affinityOnRebalance: versionSwitch({
    decides:
      'with which affinity group the scheduler begins when a WorkloadRebalancer asks for a fresh start: the observed one, or the first',
    values: [{ value: 'observed' }, { since: ['v1.19.0'], value: 'first' }],
  }),
  suspension: versionSwitch({
    decides:
      'whether spec.suspension.scheduling keeps a binding from the scheduler: not at all, as long as no cluster changes, or entirely',
    values: [
      { value: 'unknown' },
      { since: ['v1.13.0'], value: 'untilClusterChanges' },
      { since: ['v1.13.3', 'v1.14.0'], value: 'respected' },
    ],
  }),
  evictionHistory: versionSwitch<boolean>({
    decides:
      'whether a filter rejects the clusters in spec.activeEvictionHistory for blockPredecessorSeconds',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  evictedClusters: versionSwitch({
    decides:
      'what excludes a cluster with an eviction task of the binding from the next result: the task itself (filter ClusterEviction); or only the taints of the cluster, which tolerations with tolerationSeconds no longer tolerate there',
    values: [{ value: 'filtered' }],
    designs: { 'optimize-cluster-failover': 'asTainted' },
  }),
  preferNoExecute: versionSwitch<boolean>({
    decides:
      'whether a taint PreferNoExecute rejects new placements of workloads whose policy sets failover.cluster',
    values: [{ value: false }],
    designs: { 'optimize-cluster-failover': true },
  }),
  priorityQueue: versionSwitch({
    decides:
      'which failed attempts wait for five minutes with PriorityBasedScheduling, instead of a short back-off: all except those that lack capacity, or only those',
    values: [{ value: 'othersWait' }, { since: ['v1.13.3', 'v1.14.0'], value: 'unschedulableWait' }],
  }),
  evictedComponents: versionSwitch({
    decides: 'whether a workload of several components is scheduled again when its cluster fails',
    values: [
      { value: 'scheduled' },
      { since: ['v1.15.0'], value: 'notScheduled' },
      { since: ['v1.16.2', 'v1.17.0'], value: 'scheduled' },
    ],
  }),
};
