import { expect, test } from '@jest/globals';
import { appendAll, largest, smallest } from '../../src/kubernetes/longLists.ts';

test('appendAll adds items at the end of a list, in order', () => {
  const list = [1];
  appendAll(list, [2, 3]);
  appendAll(list, new Set([4]));
  appendAll(list, []);
  expect(list).toEqual([1, 2, 3, 4]);
});

test('appendAll adds more items than a function accepts arguments', () => {
  const list: number[] = [];
  appendAll(
    list,
    Array.from({ length: 1_000_000 }, (_, at) => at),
  );
  expect(list).toHaveLength(1_000_000);
  expect(list.at(-1)).toBe(999_999);
});

test('smallest and largest return the results of Math.min and Math.max, also for a million numbers', () => {
  for (const numbers of [[], [1], [3, -1, 2], [NaN, 1], [-0, 0]]) {
    expect(smallest(numbers)).toBe(Math.min(...numbers));
    expect(largest(numbers)).toBe(Math.max(...numbers));
  }
  const many = Array.from({ length: 1_000_000 }, (_, at) => at);
  expect([smallest(many), largest(many)]).toEqual([0, 999_999]);
});
