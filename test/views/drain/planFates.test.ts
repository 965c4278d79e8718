import { expect, test } from '@jest/globals';
import type { DrainOutcome } from '../../../src/analysis/drain/plan/drainPlan.ts';
import { bad, strong, warn } from '../../../src/presentation/words.ts';
import { drainOutcomeTone } from '../../../src/views/drain/planFates.ts';

test.each<[DrainOutcome, typeof bad]>([
  ['moves', strong],
  ['leaves', strong],
  ['follows', strong],
  ['stays', strong],
  ['partly-moves', warn],
  ['flaps', bad],
  ['blocked', bad],
  ['lost', bad],
])('the fate "%s" has the same tone everywhere', (fate, tone) => {
  expect(drainOutcomeTone(fate, 'web', strong)).toEqual(tone('web'));
});
