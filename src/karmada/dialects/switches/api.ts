import { versionSwitch } from '../history.ts';

/** An API field introduced by a release; before it, the API server and the webhooks drop the field. */
function field(fields: string, release: string) {
  return versionSwitch<boolean>({
    decides: `whether the API has ${fields}`,
    values: [{ value: false }, { since: [release], value: true }],
  });
}

/** The valid purge modes; undefined if the CRD accepts any string. */
type PurgeModes = readonly string[] | undefined;

/** "either": a type with the fields of both forms, for objects of any version. */
export type TaintPolicyForm = 'conditionLists' | 'windows' | 'either';

const OLD_NAMES = ['Immediately', 'Graciously', 'Never'];

/** Purge modes that v1.15 renamed, each before its new name. */
export const renamedPurgeModes = [
  ['Immediately', 'Directly'],
  ['Graciously', 'Gracefully'],
] as const;

/** The fields and enumerations of the API types. */
export const api = {
  suspension: field('spec.suspension of policies and bindings', 'v1.11.0'),
  schedulingSuspension: field('spec.suspension.scheduling of bindings', 'v1.13.0'),
  fieldOverrider: versionSwitch<boolean>({
    decides: 'whether overrides have fieldOverrider',
    values: [{ value: false }, { since: ['v1.12.0'], value: true }],
  }),
  preserveResourcesOnDeletion: field('spec.preserveResourcesOnDeletion of policies and bindings', 'v1.12.0'),
  statePreservation: field('spec.failover.application.statePreservation', 'v1.12.0'),
  taskState: field('purgeMode, preservedLabelState and clustersBeforeFailover of eviction tasks', 'v1.12.0'),
  schedulePriority: field('spec.schedulePriority of policies and bindings', 'v1.13.0'),
  clusterTaintPolicy: field('the kind ClusterTaintPolicy', 'v1.14.0'),
  taintPolicyForm: versionSwitch<TaintPolicyForm>({
    decides:
      'the fields of ClusterTaintPolicies, and thus their rule: lists of conditions that add and remove taints, or time windows in which conditions must match',
    values: [{ value: 'conditionLists' }],
    designs: { 'optimize-cluster-failover': 'windows' },
  }),
  clusterFailover: field('spec.failover.cluster', 'v1.15.0'),
  clusterFailoverToleration: versionSwitch<boolean>({
    decides: 'whether the API has spec.failover.cluster.tolerationSeconds',
    values: [{ value: false }],
    designs: { 'optimize-cluster-failover': true },
  }),
  components: field('spec.components of bindings', 'v1.15.0'),
  workloadAffinity: field(
    'spec.placement.workloadAffinity, and spec.workloadAffinityGroups of bindings',
    'v1.17.0',
  ),
  overflowAffinities: field('spec.placement.clusterAffinities[].overflowAffinities', 'v1.18.0'),
  targetComponents: field('spec.clusters[].components of bindings', 'v1.19.0'),
  clusterGracePeriod: versionSwitch<boolean>({
    decides: 'whether the API has spec.failover.cluster.gracePeriodSeconds',
    values: [{ value: false }],
    designs: { 'configurable-cluster-failover': true },
  }),
  clusterPurgeModes: versionSwitch<readonly string[]>({
    decides: 'the purge modes that the CRD takes in spec.failover.cluster',
    values: [{ value: ['Directly', 'Gracefully'] }],
    designs: {
      'configurable-cluster-failover': ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'],
    },
  }),
  defaultClusterPurgeMode: versionSwitch({
    decides: 'the purge mode that the CRD gives spec.failover.cluster without one',
    values: [{ value: 'Gracefully' }],
    designs: { 'configurable-cluster-failover': 'Graciously' },
  }),
  applicationPreConditions: versionSwitch<boolean>({
    decides:
      'whether the API has spec.failover.application.preConditions and, for them, settled and creationTimestamp in the aggregatedStatus of bindings',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  evictionHistory: versionSwitch<boolean>({
    decides:
      'whether the API has spec.failover.application.blockPredecessorSeconds and, for it, spec.activeEvictionHistory of bindings',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  applicationTolerationSeconds: versionSwitch<number>({
    decides: 'the seconds that the CRD gives spec.failover.application.decisionConditions.tolerationSeconds',
    values: [{ value: 300 }],
    designs: { 'application-failover': 10 },
  }),
  applicationPurgeModes: versionSwitch<PurgeModes>({
    decides: 'the purge modes that the CRD takes in spec.failover.application',
    values: [
      { value: undefined },
      { since: ['v1.11.0'], value: OLD_NAMES },
      { since: ['v1.15.0'], value: ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'] },
      { since: ['v1.19.0'], value: ['Directly', 'Gracefully', 'Never'] },
    ],
  }),
  defaultPurgeMode: versionSwitch({
    decides: 'the purge mode that the CRD gives spec.failover.application without one',
    values: [{ value: 'Graciously' }, { since: ['v1.15.0'], value: 'Gracefully' }],
    designs: { 'application-failover': 'Graciously' },
  }),
  taskPurgeModes: versionSwitch<PurgeModes>({
    decides: 'the purge modes that the CRD takes in eviction tasks, once they have one',
    values: [
      { value: OLD_NAMES },
      { since: ['v1.15.0'], value: ['Immediately', 'Directly', 'Graciously', 'Gracefully', 'Never'] },
      { since: ['v1.19.0'], value: ['Directly', 'Gracefully', 'Never'] },
    ],
  }),
};
