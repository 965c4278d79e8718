import { expect, test } from '@jest/globals';
import { freeOf, freeShare } from '../../../src/views/words/freeShare.ts';

test.each([
  [62, 100, '62%', '62% of cpu'],
  [0, 100, '0%', '0% of cpu'],
  [-18, 100, 'overcommitted by 18%', 'cpu overcommitted by 18%'],
])('%i free of %i is written %s', (free, allocatable, share, sentence) => {
  expect(freeShare(free, allocatable)).toBe(share);
  expect(freeOf('cpu', free, allocatable)).toBe(sentence);
});
