import { afterAll, describe, expect, test } from '@jest/globals';
import { heldAfterChange } from './afterChange.ts';
import { seeds } from './bruteForce.ts';

describe('an audit after a change equals a full audit', () => {
  let [contingencies, taken] = [0, 0];

  test.each(seeds(30_000, 150))('seed %i', (seed) => {
    const held = heldAfterChange(seed);
    contingencies += held.contingencies;
    taken += held.taken;
  });

  // otherwise nothing would be compared
  afterAll(() => {
    expect(taken).toBeGreaterThanOrEqual(contingencies / 10);
  });
});
