import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { DeclaredHooks } from '../status/healthInterpreter.ts';

export interface ReplacementReadiness {
  ready: boolean;
  /** scheduling: the scheduler has not placed it anew; starting: placed, not all seen ready */
  phase: 'scheduling' | 'starting' | 'ready';
  /** what is missing, in words */
  waitingFor?: string;
  /** nothing in sight makes it ready: no cluster fits, a Work is suspended, … */
  stuck?: boolean;
  evidence: Evidence[];
}

/**
 * Whether what replaces an evicted copy has been seen ready: scheduled after the eviction, dispatched with the replicas
 * that are assigned now, applied, and as many reported ready by a cluster that is Ready itself. Goes by the Works;
 * the binding's aggregatedStatus may be older than the scale-up.
 *
 * @param works the binding's Works by cluster
 */
export function replacementReady(
  _binding: ResourceBinding,
  _works: ReadonlyMap<string, Work>,
  _clusters: ReadonlyMap<string, Cluster>,
  _hooks: DeclaredHooks,
): ReplacementReadiness {
  throw new Error('not built yet');
}
