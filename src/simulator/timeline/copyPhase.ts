import type { CopyPhase } from './span.ts';

/** What decides about the phase of a copy on a cluster. */
export interface CopyFacts {
  /** the binding places it there */
  placed: boolean;
  /** a task keeps it there until it is replaced */
  kept: boolean;
  /** its Work or its object is there */
  present: boolean;
  /** its object was left in the member, and no Work manages it */
  unmanaged: boolean;
  /** the member can be reached */
  reachable: boolean;
  /** the replicas that it is to have there; 0 for an object without replicas */
  replicas: number;
  /** those of them that are ready and can be reached */
  ready: number;
  /** it says itself that it is not well, or nothing planned will make it ready */
  unhealthy: boolean;
  /** how it stands to taints that would evict it: it tolerates them, or waits for its turn; absent: there are none */
  taints?: 'tolerates' | 'waits' | undefined;
}

/** The phase of a copy; undefined if there is none. A decision about it takes precedence over its health. */
export function copyPhase(facts: CopyFacts): CopyPhase | undefined {
  const { placed, kept, present, taints } = facts;
  if (!placed) {
    if (kept) return 'evicting';
    if (!present) return undefined;
    return facts.unmanaged ? 'unmanaged' : 'leaving';
  }
  if (taints === 'waits') return 'queued';
  if (taints === 'tolerates') return 'tolerating';
  if (!facts.reachable) return 'unreachable';
  if (facts.unhealthy) return 'unhealthy';
  return !present || facts.ready < facts.replicas ? 'starting' : 'ready';
}
