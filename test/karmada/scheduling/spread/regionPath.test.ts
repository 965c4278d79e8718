import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseRegions, type RegionGroup } from '../../../../src/karmada/scheduling/spread/regionPath.ts';

const names = (regions: RegionGroup[] | 'endless' | undefined) =>
  regions === 'endless' ? regions : regions?.map(({ name }) => name);

/** Karmada's search as written: every path, depth first; sufficient paths are not extended. */
function searched(regions: RegionGroup[], min: number, max: number, clusters: number): string[] | undefined {
  const byName = (a: RegionGroup, b: RegionGroup) => (a.name < b.name ? -1 : 1);
  const sorted = regions.toSorted((a, b) => a.clusters - b.clusters || b.score - a.score || byName(a, b));
  const total = (path: RegionGroup[], of: 'clusters' | 'score') =>
    path.reduce((sum, one) => sum + one[of], 0);
  const found: RegionGroup[][] = [];
  const visit = (from: number, path: RegionGroup[]): void => {
    if (total(path, 'clusters') >= clusters && path.length >= min && path.length <= max)
      return void found.push(path);
    for (let next = from; next < sorted.length; next++) visit(next + 1, [...path, sorted[next]!]);
  };
  visit(0, []);
  const best = found.toSorted(
    (a, b) => total(b, 'score') - total(a, 'score') || total(b, 'clusters') - total(a, 'clusters'),
  )[0];
  if (!best || best.length === 0) return undefined;
  const inOrder = (path: RegionGroup[]) =>
    path.toSorted((a, b) => b.score - a.score || byName(a, b)).map(({ name }) => name);
  const ends = inOrder(best);
  const leading = found
    .map(inOrder)
    .filter((path) => path.length > 0 && path.every((name, at) => name === ends[at]))
    .sort((a, b) => a.length - b.length)[0];
  return leading ?? ends;
}

describe('the regions of a spread constraint', () => {
  const region = (name: string, clusters: number, score: number): RegionGroup => ({ name, clusters, score });

  test('are the regions with the highest scores, up to maxGroups', () => {
    const regions = [region('asia', 3, 10), region('europe', 2, 30), region('us', 1, 20)];
    expect(names(chooseRegions(regions, 2, 2, 0))).toEqual(['europe', 'us']);
    expect(names(chooseRegions(regions, 1, 1, 0))).toEqual(['europe']);
  });

  test('contain enough clusters for the cluster constraint, or the choice fails', () => {
    const regions = [region('asia', 3, 10), region('europe', 2, 30), region('us', 1, 20)];
    expect(names(chooseRegions(regions, 2, 2, 5))).toEqual(['europe', 'asia']);
    expect(chooseRegions(regions, 1, 2, 6)).toBeUndefined();
  });

  test('are "endless" if the search has too many paths', () => {
    const many = Array.from({ length: 40 }, (_, at) => region(`r${at}`, 1, 10));
    expect(chooseRegions(many, 20, 21, 20)).toBe('endless');
  });

  test('are the same as in a search of all paths', () => {
    const anyRegions = fc
      .array(fc.record({ clusters: fc.integer({ min: 1, max: 4 }), score: fc.integer({ min: 0, max: 5 }) }), {
        maxLength: 6,
      })
      .map((list) => list.map((one, at) => ({ ...one, name: String.fromCharCode(97 + at) })));
    const small = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        anyRegions,
        small,
        small,
        fc.integer({ min: 0, max: 8 }),
        (regions, min, more, clusters) => {
          const max = min + more - 1;
          expect(names(chooseRegions(regions, min, max, clusters))).toEqual(
            searched(regions, min, max, clusters),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
