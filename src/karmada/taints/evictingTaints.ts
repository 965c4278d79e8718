import type { Cluster } from '../api/cluster.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import { noExecuteTaints } from './noExecuteDecision.ts';

/**
 * The taints of a cluster that may evict, in order: NoExecute and, in the design optimize-cluster-failover,
 * PreferNoExecute.
 */
export function evictingTaints(
  taints: readonly Taint[] | null | undefined,
  { taints: { activeMigration } }: Pick<Rules, 'taints'>,
): Taint[] {
  return activeMigration ? (taints ?? []).filter(marksFaulty) : noExecuteTaints(taints);
}

/** The effects of these taints, in words: "NoExecute or PreferNoExecute". */
export function evictingEffects({ taints: { activeMigration } }: Pick<Rules, 'taints'>): string {
  return activeMigration ? 'NoExecute or PreferNoExecute' : 'NoExecute';
}

/** The PreferNoExecute taints of a cluster, in order. */
export function preferNoExecuteTaints(taints: readonly Taint[]): Taint[] {
  return taints.filter(({ effect }) => effect === 'PreferNoExecute');
}

/** Whether a cluster counts as faulty in the design: it has a NoExecute or PreferNoExecute taint. */
export function isFaulty({ spec }: Cluster): boolean {
  return spec?.taints?.some(marksFaulty) ?? false;
}

/** Whether a taint makes a cluster faulty in the design. */
export function marksFaulty({ effect }: Taint): boolean {
  return effect === 'NoExecute' || effect === 'PreferNoExecute';
}
