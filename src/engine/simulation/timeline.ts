import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import type { ScheduleOutcome } from '../scheduling/scheduleBinding.ts';
import type { ScheduleTrace } from '../scheduling/trace.ts';
import type { Evidence } from '../evidence.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';

/** One change that a controller, or the world outside, makes during a simulation. */
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
  | 'EvictionWaits'
  | 'EvictionBlocked'
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
  | 'ObjectDeleted';

export interface ClusterOutcome {
  name: string;
  before: ClusterLoad;
  after: ClusterLoad;
}

export interface ClusterLoad {
  workloads: number;
  replicas: number;
  /** taints as key=value:effect */
  taints: string[];
  ready: string;
}

/** A simulation: what happens, and what it comes to. Times are epoch milliseconds. */
export interface Simulation {
  start: number;
  end: number;
  /** nothing more would happen after the end */
  atRest: boolean;
  events: TimelineEvent[];
  workloads: WorkloadOutcome[];
  clusters: ClusterOutcome[];
  /** the scheduling attempts of the binding that was asked for */
  attempts?: TracedAttempt[];
  /** and how many of its replicas are ready at which time, the start first */
  readiness?: ReadinessChange[];
}

/** From this time (epoch milliseconds) on so many replicas are ready, on clusters that can be reached. */
export interface ReadinessChange {
  time: number;
  ready: number;
}

/** A look of the scheduler at a binding, with all that it saw. */
export interface TracedAttempt {
  /** epoch milliseconds */
  time: number;
  /** as the scheduler found it */
  binding: ResourceBinding;
  /** the clusters as the scheduler saw them */
  snapshot: ClusterSnapshot;
  outcome: ScheduleOutcome;
  trace: ScheduleTrace;
}
