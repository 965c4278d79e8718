import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';

/**
 * A phase of a workload. For its copy on one cluster, exactly one of:
 * - `starting`: it is placed there, and not all of it is ready
 * - `ready`: all of it is ready
 * - `unhealthy`: it exists and reports that it is unhealthy, or will never be ready
 * - `unreachable`: its member is unreachable, and no eviction is decided yet
 * - `tolerating`: the taints of its cluster would evict it, and it tolerates them for a time or forever
 * - `queued`: it waits for its turn to be evicted
 * - `evicting`: an eviction task keeps it until it is replaced
 * - `leaving`: it is no longer placed there, and not deleted yet
 * - `unmanaged`: it was left there, and Karmada no longer manages it For the whole workload, in addition:
 * - `scheduling`: the scheduler finds no cluster for part of it
 * - `gap`: fewer replicas are ready than desired
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

/** A period in which a workload, or its copy on a cluster, keeps the same phase, numbers and certainty. */
export interface Span {
  /** kind, namespace and name of the resource template */
  workload: ObjectIdentity;
  /** the cluster of the copy; absent: the span is about the whole workload */
  cluster?: string;
  phase: Phase;
  /** epoch milliseconds */
  from: number;
  /** epoch milliseconds; absent: it lasts beyond the end */
  to?: number;
  /** for a copy: its replicas there, or at its eviction; for a gap: the number missing */
  replicas?: number;
  /** for a copy: the ready and reachable replicas */
  ready?: number;
  certainty: Certainty;
  /** why it began; empty: before the start */
  evidence: readonly Evidence[];
}

/** The phases during which a workload is placed on the cluster. */
export const PLACED_PHASES: ReadonlySet<Phase> = new Set<Phase>([
  'starting',
  'ready',
  'unhealthy',
  'unreachable',
  'tolerating',
  'queued',
]);
