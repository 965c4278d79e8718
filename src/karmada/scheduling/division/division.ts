import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../../api/work.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import type { ScheduleError } from '../errors.ts';
import type { RankedClusters } from '../rankClusters.ts';
import type { DivisionTrace } from '../trace.ts';
import type { DivisionTie } from '../../controllers/controller.ts';

/** Replicas to divide among the selected clusters, which are indexes in the snapshot, in ranked order. */
export interface Division {
  readonly snapshot: ClusterSnapshot;
  /** by index: the snapshot's clusters, then deleted clusters that still have replicas */
  readonly names: readonly string[];
  readonly ranked: RankedClusters;
  readonly selected: readonly number[];
  readonly replicas: number;
  readonly spec: ResourceBindingSpec;
  readonly status: ResourceBindingStatus | undefined;
  /** the winners of a tie, if there is one; absent: the first names */
  readonly winners: ReadonlySet<string> | undefined;
  readonly trace: { divisions?: DivisionTrace[] } | undefined;
}

export type Assignment =
  | {
      clusters: TargetCluster[];
      /** a random tie */
      tie?: DivisionTie;
      /** Karmada lists some of the clusters in any order */
      unordered?: true;
    }
  | { error: ScheduleError };

/** Clusters, by index, with a number of replicas or a weight each: parallel arrays. */
export interface Shares {
  readonly clusters: readonly number[];
  readonly of: readonly number[];
}

export const noShares: Shares = { clusters: [], of: [] };

/** The clusters with their replicas, by name. */
export function targetsOf({ names }: Pick<Division, 'names'>, { clusters, of }: Shares): TargetCluster[] {
  const targets: TargetCluster[] = [];
  for (let i = 0; i < clusters.length; i++)
    if (of[i]! > 0) targets.push({ name: names[clusters[i]!]!, replicas: of[i]! });
  return targets;
}

/** Ascending indexes in name order: those of the snapshot are already sorted; deleted clusters are last. */
export function inNameOrder({ names, snapshot }: Division, ascending: number[]): number[] {
  return names.length === snapshot.names.length
    ? ascending
    : ascending.sort((a, b) => compareUtf8(names[a]!, names[b]!));
}

/** Adds a division to the trace, if there is one. */
export function recordDivision(
  { names, trace }: Division,
  strategy: string,
  mode: string,
  replicas: number,
  weights: Shares,
  kept: Shares = noShares,
): void {
  if (!trace) return;
  (trace.divisions ??= []).push({
    strategy,
    mode,
    replicas,
    weights: weights.clusters.map((at, i) => ({ name: names[at]!, weight: weights.of[i]! })),
    kept: kept.clusters.map((at, i) => ({ name: names[at]!, replicas: kept.of[i]! })),
  });
}
