import type { CurrentPace, DrainedWorkload } from './decide/drainStep.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';

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
  /** somebody else changed the object first; it was read again and decided anew */
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
