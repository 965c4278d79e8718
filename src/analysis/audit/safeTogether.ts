import type { DrainPlan, DrainRefusal } from '../drain/plan/drainPlan.ts';

/** Which clusters can be drained at the same time without a risk that makes a drain refuse. */
export interface SafeTogether {
  /** the largest requested number of clusters */
  most: number;
  /** sets of clusters whose drain has no refusal, the largest first; without sets that another one contains */
  sets: string[][];
  /** clusters that cannot be drained even by themselves, with the refusals of their plans */
  unsafe: { cluster: string; refusals: Pick<DrainRefusal, 'risk' | 'problem'>[] }[];
  /** how many drains were planned */
  planned: number;
  /** false: the search ended before all sets were tried */
  complete: boolean;
}

/** The most drains to plan: each simulates the whole control plane. */
const MAX_PLANNED = 400;

/** A search in progress: one plan per step. */
export interface SafeSearch {
  /** Plans the next drain; false: there is none. */
  step(): boolean;
  /** The results so far. */
  result(): SafeTogether;
}

/**
 * Searches the largest sets of clusters that can be drained together, starting with single clusters. A set is planned
 * only if all subsets with one cluster less are safe: draining more clusters leaves less capacity and fewer targets.
 *
 * @param clusters the candidates, sorted by name
 * @param most the most clusters of a set
 * @param plan the drain of clusters, with no risk accepted
 */
export function searchSafeTogether(
  clusters: readonly string[],
  most: number,
  plan: (clusters: readonly string[]) => Pick<DrainPlan, 'refusals'>,
): SafeSearch {
  const unsafe: SafeTogether['unsafe'] = [];
  /** safe sets of each size */
  const safe: string[][][] = [[[]]];
  let waiting = clusters.map((name) => [name]);
  let planned = 0;

  function step(): boolean {
    const set = waiting.shift();
    if (!set || planned >= MAX_PLANNED) return false;
    planned++;
    const { refusals } = plan(set);
    if (refusals.length === 0) (safe[set.length] ??= []).push(set);
    else if (set.length === 1)
      unsafe.push({ cluster: set[0]!, refusals: refusals.map(({ risk, problem }) => ({ risk, problem })) });
    if (waiting.length === 0 && set.length < most) waiting = nextSets(safe[set.length] ?? []);
    return true;
  }

  return {
    step,
    result() {
      const sets = safe.slice(1).flat().reverse();
      const largest = sets.filter(
        (set) =>
          !sets.some((other) => other.length > set.length && set.every((name) => other.includes(name))),
      );
      return {
        most,
        unsafe,
        planned,
        sets: largest.sort((a, b) => b.length - a.length || (a.join() < b.join() ? -1 : 1)),
        complete: waiting.length === 0,
      };
    },
  };
}

/** The candidates with one cluster more: joins two sets that differ only in their last, if every subset is safe. */
function nextSets(safe: readonly string[][]): string[][] {
  const known = new Set(safe.map((set) => set.join('\n')));
  return safe.flatMap((set, at) =>
    safe.slice(at + 1).flatMap((other) => {
      const shared = set.slice(0, -1);
      if (shared.some((name, index) => other[index] !== name)) return [];
      const larger = [...set, other.at(-1)!];
      const parts = larger.map((_, left) => larger.filter((__, index) => index !== left).join('\n'));
      return parts.every((part) => known.has(part)) ? [larger] : [];
    }),
  );
}
