import type { UpdateOf } from '../../../karmada/controllers/write.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';

/**
 * How far a workload is. queued: not yet evicted; scheduling: evicted, not yet rescheduled; starting: placed,
 * replacement not yet seen ready (old copy held); ready: replacement ready, to be released; leaving: released, Karmada
 * has yet to end the task and remove the old copy; gone: nothing of it is left on the drained clusters; stays: it does
 * not leave, because it tolerates the taints; skipped: not evicted, for the given reason, and tried again when that may
 * have changed; stuck: held, and the replacement is not ready although Karmada's timeout is over (or would be, if tasks
 * do not time out); it is released if the replacement becomes ready later.
 */
export type DrainPhase =
  'queued' | 'scheduling' | 'starting' | 'ready' | 'leaving' | 'gone' | 'stays' | 'skipped' | 'stuck';

export interface DrainedWorkload {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  phase: DrainPhase;
  /** what it waits for or why it was skipped, in words */
  waitingFor?: string;
  from: TargetCluster[];
  to: TargetCluster[];
  /**
   * when Karmada ends the last of its tasks, whatever has replaced the old copy; of tasks that the drain holds, when Karmada would, and
   * the workload is stuck from then on (epoch milliseconds); absent: time alone ends them never, or it is not evicted
   */
  deadline?: number;
  /** the deadline is by the flag graceful-eviction-timeout, not by a time of a task */
  timedByFlag?: true;
  evidence: Evidence[];
}

/** normal and slow: evictions continue at a rate; paused: none until clusters are healthy, or the scheduler answers. */
export interface CurrentPace {
  mode: 'normal' | 'slow' | 'paused';
  /** evictions per second, 0 when paused */
  rate: number;
  faulty: string[];
  clusters: number;
  /** what decides: the clusters' health, or a scheduler that does not answer */
  cause: 'clusters' | 'scheduler';
  reason: string;
}

/** A write that is due now: of the cordon, the mark and the taint, or of the spec of a binding. */
export type DrainWrite = UpdateOf<'Cluster'> | UpdateOf<'Binding'>;

/** What a drain does now, and the state of each workload. */
export interface DrainStep {
  /** in order; at most one eviction */
  writes: DrainWrite[];
  workloads: DrainedWorkload[];
  pace: CurrentPace;
  /** epoch milliseconds at which to look again even if nothing changes; absent: on changes alone */
  lookAgainAt?: number;
  /** nothing is left to do or to wait for; workloads that stay, are skipped or stuck are the result */
  finished: boolean;
  /** set if the drain must not continue: somebody has uncordoned or deleted a drained cluster, … */
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
  /** somebody else changed the object first; it was read again and decided again */
  | { type: 'conflict'; object: ObjectIdentity }
  | { type: 'pace'; pace: CurrentPace }
  /** the server has not answered since then */
  | { type: 'stale'; since: number }
  | { type: 'heard-again' }
  | { type: 'finished'; result: DrainResult }
);

/**
 * done: all old copies that were to go are gone; not-finished: timeout, interrupted, not waited for, or workloads
 * skipped or stuck.
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

/** What a view needs to show the present state of a drain. */
export interface DrainProgress {
  /** epoch milliseconds */
  now: number;
  startedAt: number;
  clusters: string[];
  pace: CurrentPace;
  workloads: DrainedWorkload[];
  staleSince?: number;
}
