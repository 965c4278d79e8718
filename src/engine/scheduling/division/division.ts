import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../../../karmada/api/work.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import type { ScheduleError } from '../errors.ts';
import type { RankedClusters } from '../rankClusters.ts';
import type { DivisionTrace } from '../trace.ts';

/** Replicas to be divided among selected clusters, which are indexes in the snapshot, in ranked order. */
export interface Division {
  readonly snapshot: ClusterSnapshot;
  readonly ranked: RankedClusters;
  readonly selected: readonly number[];
  readonly replicas: number;
  readonly spec: ResourceBindingSpec;
  readonly status: ResourceBindingStatus | undefined;
  readonly trace: { divisions?: DivisionTrace[] } | undefined;
}

export type Assignment = { clusters: TargetCluster[] } | { error: ScheduleError };

/** Clusters, by index, with a number of replicas or a weight each: parallel arrays. */
export interface Shares {
  readonly clusters: readonly number[];
  readonly of: readonly number[];
}

export const noShares: Shares = { clusters: [], of: [] };

/** Those who get something. */
export function targetClusters({ snapshot }: Division, { clusters, of }: Shares): TargetCluster[] {
  const targets: TargetCluster[] = [];
  for (let i = 0; i < clusters.length; i++)
    if (of[i]! > 0) targets.push({ name: snapshot.names[clusters[i]!]!, replicas: of[i]! });
  return targets;
}

/** Puts a division on the trace, if there is one. */
export function noteDivision(
  { snapshot: { names }, trace }: Division,
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
