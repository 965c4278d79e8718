import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DrainRefusal } from '../../../src/analysis/drain/plan/drainPlan.ts';
import { searchSafeTogether } from '../../../src/analysis/audit/safeTogether.ts';

const refusal: DrainRefusal = {
  risk: 'loss',
  accepted: false,
  problem: '1 workload would be lost',
  workloads: [],
};
const refusing = (isSafe: (clusters: readonly string[]) => boolean) => (clusters: readonly string[]) => ({
  refusals: isSafe(clusters) ? [] : [refusal],
});

function found(clusters: readonly string[], most: number, isSafe: (clusters: readonly string[]) => boolean) {
  const search = searchSafeTogether(clusters, most, refusing(isSafe));
  while (search.step());
  return search.result();
}

describe('clusters that can be drained together', () => {
  test('are the largest safe sets, without their subsets', () => {
    const apart = (set: readonly string[]) => !(set.includes('a') && set.includes('b'));
    expect(found(['a', 'b', 'c'], 3, apart)).toMatchObject({
      sets: [
        ['a', 'c'],
        ['b', 'c'],
      ],
      unsafe: [],
      complete: true,
    });
  });

  test('do not exist if each drain is refused, and the refusals are listed', () => {
    expect(found(['a', 'b'], 2, () => false)).toMatchObject({
      sets: [],
      unsafe: [
        { cluster: 'a', refusals: [{ risk: 'loss', problem: '1 workload would be lost' }] },
        { cluster: 'b' },
      ],
      planned: 2,
    });
  });

  test('equal the result of a search over all sets, if a larger set is never safer', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const forbidden = fc.array(fc.subarray(names, { minLength: 1 }), { maxLength: 6 });
    fc.assert(
      fc.property(forbidden, fc.integer({ min: 1, max: 5 }), (never, most) => {
        const isSafe = (set: readonly string[]) =>
          !never.some((one) => one.every((name) => set.includes(name)));
        const all = Array.from({ length: 2 ** names.length }, (_, bits) =>
          names.filter((__, at) => bits & (1 << at)),
        ).filter((set) => set.length > 0 && set.length <= most && isSafe(set));
        const largest = all.filter(
          (set) =>
            !all.some((other) => other.length > set.length && set.every((name) => other.includes(name))),
        );
        const texts = (sets: readonly (readonly string[])[]) => sets.map((set) => set.join()).sort();
        expect(texts(found(names, most, isSafe).sets)).toEqual(texts(largest));
      }),
    );
  });
});
