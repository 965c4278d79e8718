import { afterAll, describe, expect, test } from '@jest/globals';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { heldAgainstBruteForce, seeds } from './bruteForce.ts';

describe('an audit of many generated worlds', () => {
  let [pairs, combined] = [0, 0];

  test.each(seeds(20_000, 150))('seed %i equals a brute-force search', (seed) => {
    const held = heldAgainstBruteForce(worldOfSeed(seed));
    pairs += held.pairs;
    combined += held.combined.length;
  });

  test.each(seeds(21_000, 20))('seed %i equals a brute-force search if clusters are tainted', (seed) => {
    heldAgainstBruteForce(worldOfSeed(seed), { key: 'maintenance', effect: 'NoExecute' });
  });

  // otherwise the seeds would not test combined pairs
  afterAll(() => expect(combined).toBeGreaterThanOrEqual(pairs / 4));
});
