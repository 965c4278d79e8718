import { expect, test } from '@jest/globals';
import type { DrainOutcome } from '../../../src/analysis/drain/plan/drainPlan.ts';
import { asBad, asStrong, asWarning } from '../../../src/presentation/words.ts';
import { drainOutcomeTone } from '../../../src/views/drain/planFates.ts';

test.each<[DrainOutcome, typeof asBad]>([
  ['moves', asStrong],
  ['leaves', asStrong],
  ['follows', asStrong],
  ['stays', asStrong],
  ['partly-moves', asWarning],
  ['flaps', asBad],
  ['blocked', asBad],
  ['lost', asBad],
])('the fate "%s" has the same tone everywhere', (fate, tone) => {
  expect(drainOutcomeTone(fate, 'web', asStrong)).toEqual(tone('web'));
});
