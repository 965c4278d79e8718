/** A region as a candidate for a region constraint. */
export interface RegionGroup {
  name: string;
  /** how many feasible clusters it has */
  clusters: number;
  score: number;
}

/** The visit limit. Karmada keeps a list of regions per visit: more would take gigabytes. */
const MAX_VISITS = 3_000_000;

/**
 * Chooses the regions for a region constraint: at least `minRegions`, at most `maxRegions`, with at least `minClusters`
 * clusters in total. Undefined if no set fits.
 *
 * Karmada searches depth-first over the regions in the order clusters ascending, score descending, name; it does not
 * extend a path that suffices. Of all paths found, the one with the greatest score wins, then the one with most
 * clusters, then the one found first; and then the shortest found path that is a prefix of it (its regions in the order
 * score descending, name). The result is in that order.
 *
 * This finds the same answer without visiting paths that cannot become the best one. If even these are too many, the
 * answer is 'endless': Karmada, which visits and keeps them all, runs out of memory.
 */
export function chooseRegions<Region extends RegionGroup>(
  regions: Region[],
  minRegions: number,
  maxRegions: number,
  minClusters: number,
): Region[] | 'endless' | undefined {
  const sorted = regions.toSorted(
    (a, b) => a.clusters - b.clusters || b.score - a.score || (a.name < b.name ? -1 : 1),
  );
  const suffices = (clusters: number, count: number): boolean =>
    clusters >= minClusters && count >= minRegions && count <= maxRegions;
  const best = bestPath(sorted, suffices, minRegions, maxRegions, minClusters);
  if (best === 'endless') return best;
  if (!best || best.length === 0) return undefined;

  const ranked = best.toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  const searchOrder = new Map(sorted.map((region, index) => [region, index]));
  for (let length = 1; length < ranked.length; length++) {
    const part = ranked.slice(0, length);
    if (
      isFound(
        part.toSorted((a, b) => searchOrder.get(a)! - searchOrder.get(b)!),
        suffices,
      )
    )
      return part;
  }
  return ranked;
}

type Suffices = (clusters: number, count: number) => boolean;

/** Whether Karmada's search finds this path: it suffices, and no shorter prefix of it does. */
function isFound(path: RegionGroup[], suffices: Suffices): boolean {
  let clusters = 0;
  for (let count = 0; count < path.length; count++) {
    if (suffices(clusters, count)) return false;
    clusters += path[count]!.clusters;
  }
  return suffices(clusters, path.length);
}

function bestPath<Region extends RegionGroup>(
  sorted: Region[],
  suffices: Suffices,
  minRegions: number,
  maxRegions: number,
  minClusters: number,
): Region[] | 'endless' | undefined {
  const bounds = new SuffixBounds(sorted);
  let visits = 0;
  const path: Region[] = [];
  let best: { path: Region[]; score: number; clusters: number } | undefined;

  const visit = (from: number, score: number, clusters: number): void => {
    if (++visits > MAX_VISITS) return;
    if (suffices(clusters, path.length)) {
      if (!best || score > best.score || (score === best.score && clusters > best.clusters))
        best = { path: [...path], score, clusters };
      return;
    }
    for (let next = from; next < sorted.length; next++) {
      const capacity = Math.min(maxRegions - path.length, sorted.length - next);
      if (capacity <= 0 || path.length + capacity < minRegions) return;
      const reachableClusters = clusters + bounds.clusters(next, capacity);
      if (reachableClusters < minClusters) return;
      if (best) {
        const reachableScore = score + bounds.score(next, capacity);
        if (reachableScore < best.score) return;
        if (reachableScore === best.score && reachableClusters <= best.clusters) return;
      }
      const region = sorted[next]!;
      path.push(region);
      visit(next + 1, score + region.score, clusters + region.clusters);
      path.pop();
    }
  };
  visit(0, 0, 0);
  return visits > MAX_VISITS ? 'endless' : best?.path;
}

/** Upper bounds of what `count` of the regions from a position on can add. */
class SuffixBounds {
  readonly #sorted: RegionGroup[];
  readonly #scores: number[][] = [];

  constructor(sorted: RegionGroup[]) {
    this.#sorted = sorted;
  }

  clusters(from: number, count: number): number {
    let sum = 0; // ascending, so the last ones have most
    for (let i = Math.max(from, this.#sorted.length - count); i < this.#sorted.length; i++)
      sum += this.#sorted[i]!.clusters;
    return sum;
  }

  score(from: number, count: number): number {
    return this.#sums(from)[count]!;
  }

  #sums(from: number): number[] {
    let sums = this.#scores[from];
    if (!sums) {
      const scores = this.#sorted.slice(from).map(({ score }) => Math.max(0, score));
      scores.sort((a, b) => b - a);
      let sum = 0;
      sums = this.#scores[from] = [0, ...scores.map((score) => (sum += score))];
    }
    return sums;
  }
}
