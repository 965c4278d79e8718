import { describe, expect, test } from '@jest/globals';
import type { ClusterAffinityTerm } from '../../../src/karmada/api/policy.ts';
import { observedAffinity } from '../../../src/karmada/scheduling/affinityGroups.ts';

const groups = (...names: (string | undefined)[]): ClusterAffinityTerm[] =>
  names.map(
    (affinityName) => ({ ...(affinityName === undefined ? {} : { affinityName }) }) as ClusterAffinityTerm,
  );
const at = (clusterAffinities: ClusterAffinityTerm[] | undefined, schedulerObservingAffinityName?: string) =>
  observedAffinity(
    clusterAffinities ? { clusterAffinities } : {},
    schedulerObservingAffinityName === undefined ? undefined : { schedulerObservingAffinityName },
  );

// long lists are searched differently
describe.each([0, 100])(
  'the affinity group that the scheduler observes, with %i others after it',
  (others) => {
    const named = (...names: (string | undefined)[]) =>
      groups(...names, ...Array.from({ length: others }, (_, index) => `other-${index}`));

    test('is the first group with its name', () => {
      const list = named('a', 'b', 'b', 'c');
      expect(['a', 'b', 'c'].map((name) => at(list, name))).toEqual([0, 1, 3]);
    });

    test('is absent if no group has the name', () => {
      expect(at(named('a'), 'b')).toBe(-1);
      expect(at(named('a'))).toBe(-1);
    });

    test('is the first group without a name before the scheduler observes any', () => {
      expect(at(named('a', undefined, ''))).toBe(1);
      expect(at(named('', undefined), '')).toBe(0);
    });
  },
);

test('without affinity groups, the scheduler observes no group', () => {
  expect(at(undefined, 'a')).toBe(-1);
});

test('the search reads thousands of groups once, not once per group', () => {
  let looked = 0;
  const list = Array.from({ length: 5000 }, (_, index) => ({
    get affinityName() {
      looked++;
      return `group-${index}`;
    },
  }));
  for (let index = 0; index < list.length; index++) expect(at(list, `group-${index}`)).toBe(index);
  expect(looked).toBeLessThan(4 * list.length);
});
