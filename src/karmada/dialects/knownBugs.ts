import { valueAt, releasesText, type Change, type History, type Switch, type Values } from './history.ts';
import type { Release } from './release.ts';
import { detection } from './switches/detection.ts';
import { eviction } from './switches/eviction.ts';
import { propagation } from './switches/propagation.ts';
import { scheduling } from './switches/scheduling.ts';
import { taints } from './switches/taints.ts';

/** A bug of some releases that affects failover, as reported in Karmada's changelogs. */
interface KnownBug {
  /** the failure, completing "releases … have a bug: " */
  effect: string;
  /** whether a release has the bug */
  values: Values<boolean>;
  /** issues and pull requests of karmada-io/karmada */
  issues: readonly number[];
}

type Releases = Change<boolean>['since'];

/** A bug of all releases before these. */
function before(...mended: Releases): Values<boolean> {
  return [{ value: true }, { since: mended, value: false }];
}

/** A bug that a release introduced. */
function since(first: string, ...mended: Releases): Values<boolean> {
  return [{ value: false }, { since: [first], value: true }, { since: mended, value: false }];
}

/** A bug that a switch already describes. */
function where<T>({ values: [first, ...changes] }: Switch<T>, has: (value: T) => boolean): Values<boolean> {
  return [
    { value: has(first.value) },
    ...changes.map(({ since: releases, value }) => ({ since: releases, value: has(value) })),
  ];
}

/** The bugs by the ids of the checks that detect their effects. */
export const knownBugs = {
  'bug-grace-period-leaks': {
    effect: 'the gracePeriodSeconds of one eviction task also counts for the tasks after it',
    values: where(eviction.gracePeriods, (value) => value !== 'own'),
    issues: [7187, 7184],
  },
  'bug-scheduler-divides-by-zero': {
    effect:
      'the scheduler crashes repeatedly if a region has no capacity for a Duplicated workload with a region constraint',
    values: where(scheduling.regionScore, (value) => value === 'roomOrCrash'),
    issues: [7154, 7234],
  },
  'bug-unjoin-waits-forever': {
    effect: 'a deleted Cluster stays forever while the taint manager is not started',
    values: where(taints.clusterRemoval, (value) => value === 'waitsForeverWithoutTaintManager'),
    issues: [6446, 6448],
  },
  'bug-client-failure-at-once': {
    effect:
      'Ready turns False at once, without cluster-failure-threshold, if the credentials of a Push cluster are missing for a moment',
    values: where(detection.clientFailure, (value) => value === 'atOnce'),
    issues: [7578],
  },
  'bug-taint-policy-drops-taints': {
    effect: 'a ClusterTaintPolicy may drop not-ready:NoSchedule that was set at the same moment',
    values: where(taints.clusterTaintPolicyPatch, (value) => value === 'overwrites'),
    issues: [7302],
  },
  'bug-eviction-tasks-dropped': {
    effect: 'an eviction task gets lost if two controllers write a binding at once: the workload stays',
    values: where(eviction.concurrentWrites, (value) => value === 'mayDropTasks'),
    issues: [7306, 7307],
  },
  'bug-components-not-rescheduled': {
    effect: 'a workload of several components is not scheduled again when its cluster fails',
    values: where(scheduling.evictedComponents, (value) => value === 'notScheduled'),
    issues: [7066, 7130],
  },
  'bug-tolerant-in-eviction-queue': {
    effect: 'workloads that tolerate a taint forever pass through the eviction queue, and delay the others',
    values: since('v1.16.0', 'v1.16.8', 'v1.17.5', 'v1.18.2'),
    issues: [7772, 7773, 7775],
  },
  'bug-suspension-stays': {
    effect: 'the suspension of a binding stays when its policy drops it: Works are not applied',
    values: before('v1.13.7', 'v1.14.4', 'v1.15.0'),
    issues: [6707, 6717],
  },
  'bug-attached-changes-lost': {
    effect: 'changes of dependents do not reach the clusters',
    values: where(propagation.attachedChanges, (value) => value === 'mayBeLost'),
    issues: [6931, 6984],
  },
  'bug-purge-mode-ignored-at-once': {
    effect: 'purge mode Directly is ignored for workloads that tolerate the taint for a time',
    values: where(taints.expiredTolerationPurgeMode, (value) => !value),
    issues: [6690, 6713, 6676],
  },
  'bug-rebalancer-outlives-ttl': {
    effect: 'a finished WorkloadRebalancer is not deleted after ttlSecondsAfterFinished',
    values: before('v1.10.9', 'v1.11.5', 'v1.12.2', 'v1.13.0'),
    issues: [5993, 5994, 5995],
  },
  'bug-dependents-collected': {
    effect: 'the binding of a dependent may be deleted right after it was created',
    values: before('v1.10.11', 'v1.11.6', 'v1.12.3', 'v1.13.0'),
    issues: [6053, 6054, 6055],
  },
  'bug-quota-bypassed': {
    effect: 'a Duplicated workload exceeds its FederatedResourceQuota when it is scaled up',
    values: since('v1.14.0', 'v1.14.1', 'v1.15.0'),
    issues: [6474, 6502],
  },
  'bug-informers-shut-down': {
    effect: 'one resource that cannot be watched in a cluster stops all reports from there',
    values: before('v1.12.10', 'v1.13.7', 'v1.14.4', 'v1.15.0'),
    issues: [6647, 6683, 6684, 6688],
  },
  'bug-informers-keep-old-token': {
    effect: 'the reports of a Push cluster stop when the token that Karmada reaches it with is rotated',
    values: before('v1.16.9', 'v1.17.6', 'v1.18.3', 'v1.19.0'),
    issues: [7663, 7847, 7848, 7849],
  },
  'bug-cron-scales-from-zero': {
    effect: 'a CronFederatedHPA cannot scale a workload whose replicas are not written',
    values: before('v1.15.6', 'v1.16.3', 'v1.17.0'),
    issues: [7212, 7213],
  },
  'bug-purge-mode-of-cluster-scope': {
    effect: 'purge mode Directly is ignored for objects without a namespace',
    values: where(taints.evictionPurgeMode, (value) => value === 'flagForResourceBindings'),
    issues: [6491, 6505],
  },
  'bug-ready-overwritten': {
    effect: 'the agent may write an old Ready condition over a newer one',
    values: before('v1.10.5', 'v1.11.0'),
    issues: [5227, 5401],
  },
  'bug-suspended-is-scheduled': {
    effect: 'a binding whose scheduling is suspended is scheduled as soon as a cluster changes',
    values: where(scheduling.suspension, (value) => value === 'untilClusterChanges'),
    issues: [6356, 6360],
  },
  'bug-failed-attempt-waits': {
    effect: 'a binding whose scheduling fails temporarily waits for five minutes',
    values: since('v1.13.0', 'v1.13.3', 'v1.14.0'),
    issues: [6369, 6374],
  },
  'bug-priority-holds-up': {
    effect: 'a failed binding of a high priority blocks retries of bindings with lower priorities',
    values: since('v1.13.0', 'v1.14.10', 'v1.15.6', 'v1.16.3', 'v1.17.0'),
    issues: [6987, 7231, 7232, 7235],
  },
  'bug-models-overcount': {
    effect: 'resource models count nodes that are too small: clusters get more replicas than fit',
    values: where(scheduling.modelEstimate, (value) => value === 'fromGradeBelow'),
    issues: [5706, 5728, 5729],
  },
  'bug-components-without-room': {
    effect: 'a workload of several components is placed although no cluster has capacity for it',
    values: since('v1.16.0', 'v1.16.6', 'v1.17.3', 'v1.18.0'),
    issues: [7554, 7579, 7580],
  },
  'bug-scale-down-keeps-clusters': {
    effect: 'a workload that is scaled down keeps replicas on clusters that are down or no longer selected',
    values: where(scheduling.scaleDownBasis, (value) => value === 'previousResult'),
    issues: [7110],
  },
  'bug-completions-swapped': {
    effect: 'a Job on several clusters may get the completions of one in another',
    values: before('v1.16.5', 'v1.17.2', 'v1.18.0'),
    issues: [7387, 7397, 7401],
  },
  'bug-flink-error-is-healthy': {
    effect: 'a FlinkDeployment that cannot start counts as healthy: application failover leaves it',
    values: since('v1.13.0', 'v1.18.0'),
    issues: [7476],
  },
  'bug-quota-counts-unplaced': {
    effect: 'a FederatedResourceQuota counts replicas that are placed nowhere',
    values: since('v1.14.0', 'v1.14.1', 'v1.15.0'),
    issues: [6477, 6503],
  },
  'bug-interpreters-late': {
    effect:
      'custom interpreters are not loaded yet when karmada-controller-manager has just started: fields that they retain may be deleted',
    values: before('v1.12.9', 'v1.13.6', 'v1.14.3', 'v1.15.0'),
    issues: [6602, 6612, 6642, 6644, 6645],
  },
  'bug-endpoints-deleted': {
    effect: 'EndpointSlices of a MultiClusterService may be deleted when karmada-controller-manager starts',
    values: before('v1.12.8', 'v1.13.5', 'v1.14.2', 'v1.15.0'),
    issues: [6434, 6583, 6584, 6585],
  },
  'bug-suspended-comes-back': {
    effect:
      'a resource that is deleted in a cluster is recreated there although its dispatching is suspended',
    values: before('v1.12.8', 'v1.13.5', 'v1.14.2', 'v1.15.0'),
    issues: [6525, 6536, 6537, 6538],
  },
} satisfies Record<string, KnownBug>;

export type KnownBugId = keyof typeof knownBugs;

/** Whether a release has a bug. */
export function hasBug(id: KnownBugId, release: Release): boolean {
  const history: History<boolean> = { values: knownBugs[id].values };
  return valueAt(history, release);
}

/** The releases that have a bug, in words. */
export function affectedReleases(id: KnownBugId): string {
  return releasesText(knownBugs[id].values, (has) => has);
}
