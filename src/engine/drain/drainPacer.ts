import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { DrainWrite } from './drainStep.ts';

/**
 * What a running drain remembers between two looks. None of it has to survive a restart: the newest
 * creationTimestamp among our tasks counts as the last eviction then, and what is under way shows in the tasks.
 */
export interface DrainPacer {
  /** epoch milliseconds of the newest eviction that this process has written */
  lastEvictionAt?: number;
  /** bindings that this run has evicted or found evicted, by `objectKey`; kept until the end to report them gone */
  readonly evicted: Map<string, EvictedBinding>;
}

export interface EvictedBinding {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  uid?: string;
  /** what it had on the drained clusters */
  from: TargetCluster[];
  /** how often this run has evicted it */
  evictions: number;
}

export function createDrainPacer(): DrainPacer {
  return { evicted: new Map() };
}

/** Notes a write that the API server has taken. To be called after each, with the time of the server's answer. */
export function noteWritten(_pacer: DrainPacer, _write: DrainWrite, _now: number): void {
  throw new Error('not built yet');
}
