import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';

/**
 * What happens with a workload for a time.
 *
 * For its copy on one cluster; one of these always holds:
 * - `starting`: it is placed there, and not all that it is to have there is ready
 * - `ready`: all that it is to have there is ready
 * - `unhealthy`: it is there, and says itself that it is not well, or will not get ready
 * - `unreachable`: its member cannot be reached, and nothing is decided
 * - `tolerating`: the taints of its cluster would evict it, and it tolerates them for a time or forever
 * - `queued`: it is to be evicted, and waits for its turn
 * - `evicting`: an eviction task keeps it until it is replaced
 * - `leaving`: it is no longer placed there, and not deleted yet
 * - `unmanaged`: it was left there, and Karmada no longer manages it
 *
 * For the whole workload, in addition:
 * - `scheduling`: the scheduler finds no place for some of it
 * - `gap`: fewer replicas are ready than it is to have
 */
export type CopyPhase =
  | 'starting'
  | 'ready'
  | 'unhealthy'
  | 'unreachable'
  | 'tolerating'
  | 'queued'
  | 'evicting'
  | 'leaving'
  | 'unmanaged';
type WorkloadPhase = 'scheduling' | 'gap';
export type Phase = CopyPhase | WorkloadPhase;

/** A time during which a workload, or its copy on a cluster, stays in one phase with the same numbers and certainty. */
export interface Span {
  /** kind, namespace and name of the resource template */
  workload: ObjectIdentity;
  /** the cluster of the copy; absent: the span is about the whole workload */
  cluster?: string;
  phase: Phase;
  /** epoch milliseconds */
  from: number;
  /** epoch milliseconds; absent: it still continues at the end */
  to?: number;
  /** for a copy: how many it is to have there, or had when it had to leave; for a gap: how many are missing */
  replicas?: number;
  /** for a copy: how many of them are ready and can be reached */
  ready?: number;
  certainty: Certainty;
  /** why it began; empty: it was so at the start */
  evidence: readonly Evidence[];
}

/** The phases during which a workload is placed on the cluster. */
export const PLACED: ReadonlySet<Phase> = new Set<Phase>([
  'starting',
  'ready',
  'unhealthy',
  'unreachable',
  'tolerating',
  'queued',
]);
