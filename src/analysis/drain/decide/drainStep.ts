import type { UpdateOf } from '../../../karmada/controllers/write.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import type { EvictionPace } from '../../../karmada/controllers/controller.ts';

/**
 * The progress of a workload. queued: not evicted yet; scheduling: evicted, not rescheduled yet; starting: placed, but
 * the replacement is not ready yet (old copy held); ready: replacement ready, to be released; leaving: released,
 * Karmada still has to end the task and delete the old copy; gone: nothing of it is left on the drained clusters;
 * stays: it tolerates the taints; skipped: not evicted, for the given reason, and retried when that may have changed;
 * stuck: held, and the replacement is not ready although Karmada's timeout is over (or would be, if tasks have none);
 * it is released if the replacement becomes ready later.
 */
export type DrainPhase =
  'queued' | 'scheduling' | 'starting' | 'ready' | 'leaving' | 'gone' | 'stays' | 'skipped' | 'stuck';

export interface DrainedWorkload {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  phase: DrainPhase;
  /** the reason for waiting or skipping, in words */
  waitingFor?: string;
  from: TargetCluster[];
  to: TargetCluster[];
  /**
   * epoch milliseconds at which Karmada ends the last of its tasks, with or without a replacement. For held tasks: when
   * Karmada would end them, after which the workload is stuck. Absent: no timeout ends them, or it is not evicted
   */
  deadline?: number;
  /** the deadline depends on the flag graceful-eviction-timeout, not on a time in the task */
  timedByFlag?: true;
  evidence: Evidence[];
}

/**
 * normal and slow: evictions continue at a rate; paused: none until clusters are healthy, or the scheduler responds.
 */
export interface CurrentPace extends EvictionPace {
  /** what decides: the clusters' health, or a scheduler that does not respond */
  cause: 'clusters' | 'scheduler';
}

/** A write that is due now: the cordon, mark or taint of a cluster, or the spec of a binding. */
export type DrainWrite = UpdateOf<'Cluster'> | UpdateOf<'Binding'>;

/** The next step of a drain, and the state of each workload. */
export interface DrainStep {
  /** in order; at most one eviction */
  writes: DrainWrite[];
  workloads: DrainedWorkload[];
  pace: CurrentPace;
  /** epoch milliseconds of the next round if nothing changes; absent: only on changes */
  requeueAt?: number;
  /** only workloads that stay, are skipped or stuck remain */
  finished: boolean;
  /** set if the drain must stop: a drained cluster was uncordoned or deleted, … */
  stopped?: string;
}

/** The events of an executing drain, in order. Times are epoch milliseconds of the server's clock. */
export type DrainEvent = { time: number } & (
  | { type: 'started'; clusters: string[]; workloads: number; resumed: boolean }
  | { type: 'cordoned' | 'uncordoned'; cluster: string }
  | { type: 'evicted'; workload: ObjectIdentity; binding: ObjectIdentity; from: TargetCluster[] }
  | { type: 'scheduled'; workload: ObjectIdentity; binding: ObjectIdentity; to: TargetCluster[] }
  | { type: 'released'; workload: ObjectIdentity; binding: ObjectIdentity; from: string[] }
  | { type: 'gone'; workload: ObjectIdentity; binding: ObjectIdentity; from: string[] }
  | {
      type: 'stays' | 'skipped' | 'stuck';
      workload: ObjectIdentity;
      binding: ObjectIdentity;
      reason: string;
    }
  | { type: 'cancelled'; workload: ObjectIdentity; binding: ObjectIdentity; to: TargetCluster[] }
  /** another client changed the object first; the drain reads it and decides again */
  | { type: 'conflict'; object: ObjectIdentity }
  | { type: 'pace'; pace: CurrentPace }
  /** the server has not responded since this instant */
  | { type: 'stale'; since: number }
  | { type: 'heard-again' }
  | { type: 'finished'; result: DrainResult }
);

/**
 * done: all old copies to remove are gone; not-finished: timeout, interrupted, not waited for, or workloads are skipped
 * or stuck.
 */
export interface DrainResult {
  outcome: 'done' | 'not-finished' | 'stopped';
  /** why it is not finished, in words */
  reason?: string;
  gone: number;
  workloads: DrainedWorkload[];
  /** seconds since the start */
  seconds: number;
}

/** The current state of a drain, as views need it. */
export interface DrainProgress {
  /** epoch milliseconds */
  now: number;
  startedAt: number;
  clusters: string[];
  pace: CurrentPace;
  workloads: DrainedWorkload[];
  staleSince?: number;
}
