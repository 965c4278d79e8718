import { TAINTED_CLUSTER_RESYNC } from '../../taints/taintManager.ts';

/** When the taint manager looks at its tainted clusters without being told of a change. All in epoch milliseconds. */
export interface TaintedClusterRounds {
  /** A cluster has been found tainted: its rounds begin, unless they go on from before. */
  begin(cluster: string, now: number): void;
  /** A cluster is tainted no longer: the round that is planned already is its last. */
  end(cluster: string, now: number): void;
  /** the next round of a tainted cluster after `now` */
  next(cluster: string, now: number): number;
}

/**
 * Karmada v1.18 looks at a tainted cluster again every 10 s. Looks in between, which changes of the cluster
 * bring about, do not put off the one that its queue holds already: the rounds keep the beat of the first one,
 * even where the taint is gone and there again before the next.
 */
export function createTaintedClusterRounds(): TaintedClusterRounds {
  const rounds = new Map<string, { first: number; last?: number }>();
  const next = (first: number, now: number) =>
    first + (Math.floor((now - first) / TAINTED_CLUSTER_RESYNC) + 1) * TAINTED_CLUSTER_RESYNC;
  return {
    begin(cluster, now) {
      const known = rounds.get(cluster);
      const goesOn = known !== undefined && (known.last === undefined || known.last > now);
      rounds.set(cluster, { first: goesOn ? known.first : now });
    },
    end(cluster, now) {
      const known = rounds.get(cluster);
      if (known && known.last === undefined) known.last = next(known.first, now);
    },
    next: (cluster, now) => next(rounds.get(cluster)?.first ?? now, now),
  };
}
