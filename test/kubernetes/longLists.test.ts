import { expect, test } from '@jest/globals';
import { appendAll, largest, smallest } from '../../src/kubernetes/longLists.ts';

test('items are added behind the present ones, in their order', () => {
  const list = [1];
  appendAll(list, [2, 3]);
  appendAll(list, new Set([4]));
  appendAll(list, []);
  expect(list).toEqual([1, 2, 3, 4]);
});

test('there may be more of them than a function takes arguments', () => {
  const list: number[] = [];
  appendAll(
    list,
    Array.from({ length: 1_000_000 }, (_, at) => at),
  );
  expect(list).toHaveLength(1_000_000);
  expect(list.at(-1)).toBe(999_999);
});

test('the smallest and the largest of numbers are those of Math, of more of them, too', () => {
  for (const numbers of [[], [1], [3, -1, 2], [NaN, 1], [-0, 0]]) {
    expect(smallest(numbers)).toBe(Math.min(...numbers));
    expect(largest(numbers)).toBe(Math.max(...numbers));
  }
  const many = Array.from({ length: 1_000_000 }, (_, at) => at);
  expect([smallest(many), largest(many)]).toEqual([0, 999_999]);
});
