import { expect, test } from '@jest/globals';
import { seeded } from './random.ts';

test('the same seed generates the same numbers, another seed different ones', () => {
  const numbers = (seed: number) => Array.from({ length: 20 }, seeded(seed).next);
  expect(numbers(1)).toEqual(numbers(1));
  expect(numbers(1)).not.toEqual(numbers(2));
});

test('keys are picked in proportion to their weights', () => {
  const { pick } = seeded(7);
  const picked = Array.from({ length: 10_000 }, () => pick({ often: 3, seldom: 1, never: 0 }));
  const often = picked.filter((key) => key === 'often').length;
  expect(often).toBeGreaterThan(7200);
  expect(often).toBeLessThan(7800);
  expect(picked).not.toContain('never');
  expect(pick({})).toBeUndefined();
});
