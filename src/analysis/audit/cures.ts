import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { ProposedChange } from '../explanation/changes/change.ts';
import { withoutPermanentGap, matchingOrAll } from '../explanation/smallestChange.ts';

/** Changes that would help a workload in a contingency, each simulated until it settles. */
export interface Cures {
  workload: ObjectIdentity;
  contingency: string;
  /** at most one for each merit */
  changes: Cure[];
}

/**
 * The merit of a change among those that help:
 * - `least-change`: it changes least
 * - `shortest-downtime`: the workload has the shortest downtime
 * - `least-room`: the fewest replicas arrive on clusters that did not have them
 */
const MERITS = ['least-change', 'shortest-downtime', 'least-room'] as const;

export type Benefit = (typeof MERITS)[number];

interface Cure extends ProposedChange {
  best: Benefit[];
}

/**
 * The best change for each merit, the smallest first. Changes after which no replica is missing permanently precede
 * others, and patches precede advice that an operator has to carry out.
 *
 * @param helpful changes that help, the smallest first
 * @param before the present placement of the workload
 */
export function bestCures(helpful: readonly ProposedChange[], before: readonly TargetCluster[]): Cure[] {
  const offered = matchingOrAll(withoutPermanentGap(helpful), ({ patches }) => patches.length > 0);
  const costs: Record<Benefit, (change: ProposedChange) => number> = {
    'least-change': ({ size }) => size,
    'shortest-downtime': ({ gap }) => (gap?.open ? Infinity : (gap?.seconds ?? 0)),
    'least-room': (change) => arriving(change, before),
  };
  const winner = (merit: Benefit): ProposedChange | undefined =>
    offered.reduce<ProposedChange | undefined>(
      (best, one) => (best && costs[merit](best) <= costs[merit](one) ? best : one),
      undefined,
    );
  return offered.flatMap((change) => {
    const best = MERITS.filter((merit) => winner(merit) === change);
    return best.length > 0 ? [{ ...change, best }] : [];
  });
}

/**
 * How many replicas arrive on clusters that did not have them before; for a workload without replicas, how many copies.
 */
function arriving({ gives, movesToday = [] }: ProposedChange, before: readonly TargetCluster[]): number {
  const had = new Map(before.map(({ name, replicas = 1 }) => [name, replicas]));
  const most = new Map<string, number>();
  for (const { name, replicas = 1 } of [...movesToday, ...gives])
    most.set(name, Math.max(most.get(name) ?? 0, replicas));
  return [...most].reduce((sum, [name, replicas]) => sum + Math.max(0, replicas - (had.get(name) ?? 0)), 0);
}
