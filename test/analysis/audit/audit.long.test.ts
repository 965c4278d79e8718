import { describe, test } from '@jest/globals';
import { holdsAgainstBruteForce, seeds } from './bruteForce.ts';

describe('an audit of many generated worlds', () => {
  test.each(seeds(20_000, 150))('seed %i: is what brute force says', holdsAgainstBruteForce);
});
