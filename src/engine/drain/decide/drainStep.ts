import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../evidence.ts';

/**
 * Where a workload is on its way. queued: not yet evicted; scheduling: evicted, not yet placed anew; starting:
 * placed, replacement not yet seen ready (old copy held); ready: replacement ready, to be released; leaving:
 * released, Karmada has still to end the task and remove the old copy; gone: nothing of it is left on the
 * drained clusters; stays: not to leave, because it tolerates being there; skipped: not evicted, for the reason given,
 * and tried again when that may have changed; stuck:
 * held, and the replacement is not ready although the time is over after which Karmada would give up; it is still
 * released when that comes later.
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
  evidence: Evidence[];
}

/** normal and slow are evictions per second; paused waits for clusters to be healthy, or for the scheduler to answer. */
export interface CurrentPace {
  mode: 'normal' | 'slow' | 'paused';
  /** evictions per second, 0 when paused */
  rate: number;
  faulty: string[];
  clusters: number;
  /** what decides: the health of the clusters, or a scheduler that does not answer */
  cause: 'clusters' | 'scheduler';
  reason: string;
}

/** A write that is due now. The executor patches what differs between before and after, with the version of before. */
export type DrainWrite =
  /** taint: the NoExecute taint of a drain by taint, after all cordons */
  | { type: 'cordon' | 'taint'; cluster: Cluster; after: Cluster }
  /** hold-dependent, before the eviction of what needs it; release-dependent, once that has left */
  | {
      type: 'evict' | 'release' | 'hold-dependent' | 'release-dependent';
      binding: ResourceBinding;
      after: ResourceBindingSpec;
      clusters: string[];
    };

/** What a drain does now, and what it knows of each workload. */
export interface DrainStep {
  /** in order; at most one eviction */
  writes: DrainWrite[];
  workloads: DrainedWorkload[];
  pace: CurrentPace;
  /** epoch milliseconds at which to look again even if nothing changes; absent: on changes alone */
  lookAgainAt?: number;
  /** nothing is left to do or to wait for; what stays, is skipped or stuck is the result then */
  finished: boolean;
  /** set where the drain must not go on: a drained cluster was uncordoned or deleted by somebody, … */
  stopped?: string;
}
