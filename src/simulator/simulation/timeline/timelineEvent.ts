import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence, NamedTaint } from '../../../karmada/evidence.ts';
import type { View } from '../../../karmada/controllers/view.ts';

/** One change by a controller, or by the scenario, during a simulation. */
export interface TimelineEvent {
  /** epoch milliseconds */
  time: number;
  /** who: "scheduler", "taint-manager", … or "scenario" */
  controller: string;
  type: TimelineEventType;
  object: ObjectIdentity;
  cluster?: string;
  reason?: string;
  message?: string;
  /** the taint that is added, removed or renewed */
  taint?: NamedTaint;
  /** the binding's placement after the change, if that is one of spec.clusters or its tasks */
  clusters?: TargetCluster[];
  evicting?: string[];
  evidence: Evidence[];
}

export type TimelineEventType =
  | 'ClusterFailed'
  | 'ClusterRecovered'
  | 'ConditionChanged'
  | 'TaintAdded'
  | 'TaintRemoved'
  /** a taint was removed and added in one write: with a new timeAdded, or another value */
  | 'TaintRenewed'
  /** the Cluster API refuses what ClusterTaintPolicies want for a cluster: none of them does anything there */
  | 'TaintClusterFailed'
  | 'EvictionWaits'
  | 'EvictionBlocked'
  /** bindings of a faulty cluster enter the eviction queue */
  | 'EvictionsQueued'
  /** its turn came, and there is nowhere to go: it stays as long as the cluster is faulty */
  | 'EvictionAbandoned'
  /** it leaves the eviction queue, as its cluster has recovered */
  | 'EvictionDropped'
  /** the eviction queue goes faster, slower, or stops */
  | 'EvictionPaceChanged'
  | 'Evicted'
  | 'Scheduled'
  | 'ScheduleFailed'
  | 'TaskStamped'
  | 'TaskReleased'
  | 'TaskEnded'
  | 'WorkCreated'
  | 'WorkUpdated'
  | 'WorkDeleted'
  | 'WorkRemoved'
  | 'WaitsForDirectPurge'
  | 'HealthChanged'
  | 'DependenciesFollowed'
  | 'BindingFollowed'
  | 'PolicyWaits'
  | 'RescheduleTriggered'
  | 'ObjectApplied'
  /** the process of a component */
  | 'Restarted'
  | 'Stopped'
  | 'Started'
  | 'ObjectDeleted'
  // only Karmada's own Events report these, so no simulation has them
  /** the taints that a cluster then had */
  | 'TaintsWritten'
  | 'TaintsFailed'
  | 'EvictionFailed'
  | 'WorksWritten'
  | 'WorksFailed';

/** An event without what all events of a step have in common. */
export type EventDraft = Omit<TimelineEvent, 'time' | 'controller' | 'evidence'> & { evidence?: Evidence[] };

/** What events take from a world besides the change itself. */
export type EventView = Pick<View, 'worksOf' | 'bindingOf'>;
