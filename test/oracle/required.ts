/** Fields that an input must keep: without them the API server would refuse it, or the suite could not ask. */
export const REQUIRED: ReadonlySet<string> = new Set(
  (
    'metadata name namespace spec resource kind apiVersion now mode cluster clusters binding steps input object operation application options ' +
    'key effect operator fromCluster reason producer affinityName conditionType statePreservation rawStatus placement type status clusterName ' +
    'targetCluster groupVersion ranges min max grade gracefulEvictionTimeoutSeconds decisionConditions tolerationSeconds rules jsonPath aliasLabelName ' +
    'creationTimestamp schedulerObservedGeneration weight resourceModels allocatableModelings count ' +
    'minGroups maxGroups spreadByField featureGates MultiplePodTemplatesScheduling StatefulFailoverInjection GracefulEviction Failover'
  ).split(' '),
);
