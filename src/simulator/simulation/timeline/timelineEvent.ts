import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence, NamedTaint } from '../../../karmada/evidence.ts';
import type { View } from '../../../karmada/controllers/view.ts';

export interface TimelineEvent {
  /** epoch milliseconds */
  time: number;
  /** the actor: "scheduler", "taint-manager", … or "scenario" */
  controller: string;
  type: TimelineEventType;
  object: ObjectIdentity;
  cluster?: string;
  reason?: string;
  message?: string;
  /** the taint that is added, removed or renewed */
  taint?: NamedTaint;
  /** the binding's placement after the change, if spec.clusters or its tasks changed */
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
  /** one write removed and added a taint: with a new timeAdded, or another value */
  | 'TaintRenewed'
  /**
   * the Cluster API refuses the taints that ClusterTaintPolicies set for a cluster: none of the policies takes effect
   * there
   */
  | 'TaintClusterFailed'
  | 'EvictionWaits'
  | 'EvictionBlocked'
  /** bindings on a failed cluster enter the eviction queue */
  | 'EvictionsQueued'
  /** its turn came without a possible replacement: it stays as long as the cluster has failed */
  | 'EvictionAbandoned'
  /** it leaves the eviction queue, as its cluster has recovered */
  | 'EvictionDropped'
  /** the eviction queue speeds up, slows down or stops */
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
  /** a component's process */
  | 'Restarted'
  | 'Stopped'
  | 'Started'
  | 'ObjectDeleted'
  // Only Karmada's own Events report these, never a simulation.
  /** the taints of the cluster at that time */
  | 'TaintsWritten'
  | 'TaintsFailed'
  | 'EvictionFailed'
  | 'WorksWritten'
  | 'WorksFailed';

/** An event without the fields common to all events of a step. */
export type EventDraft = Omit<TimelineEvent, 'time' | 'controller' | 'evidence'> & { evidence?: Evidence[] };

/** The data that events need besides the change itself. */
export type EventView = Pick<View, 'worksOf' | 'bindingOf'>;
