import { expect, test } from '@jest/globals';
import { plain } from '../../../src/presentation/words.ts';
import type { ComparedWorkload } from '../../../src/simulator/comparison/differences.ts';
import { comparedCells } from '../../../src/views/simulation/comparedWorkload.ts';

const side = (given: Partial<ComparedWorkload>): ComparedWorkload => ({
  outcome: 'moves',
  after: [{ name: 'dublin', replicas: 3 }],
  certainty: 'certain',
  ...given,
});
const [a, b] = [
  { name: 'dublin', replicas: 1 },
  { name: 'oregon', replicas: 2 },
];
const cells = (...sides: Parameters<typeof comparedCells>) => comparedCells(...sides).map(plain);

test('a comparison of two outcomes shows only differences, as old → new', () => {
  const order = [side({ after: [a, b] }), side({ after: [b, a] })] as const;
  expect(cells(...order)).toEqual(['moves', '', '', '', '']);
  const lost = side({ outcome: 'lost', after: [], certainty: 'estimate', leavesAfterSeconds: 35 });
  expect(cells(side({ leavesAfterSeconds: 337 }), lost)).toEqual([
    'moves → lost?',
    '5m37s → 35s',
    'dublin×3 → nowhere',
    '',
    'estimate',
  ]);
  const gap = { replicas: 3, seconds: 40, open: false };
  expect(cells(side({ gap }), side({}))).toEqual(['moves', '', '', '3 for 40s → -', '']);
  const guessed = side({ certainty: 'estimate', dependsOn: ['a guess'] });
  expect(comparedCells(guessed, side({})).at(-1)).toEqual([
    { certainty: 'estimate', dependsOn: ['a guess'] },
  ]);
  expect(cells(undefined, side({}))).toEqual(['not there → moves', '', '- → dublin×3', '', '']);
});

test('a comparison of two flapping workloads shows how often they are evicted', () => {
  const gap = { replicas: 1, seconds: 40, open: true };
  const each = (reason: string) => side({ outcome: 'flaps', gap, reason });
  expect(cells(each('evicted again every 10m'), each('evicted again every 11s'))).toEqual([
    ...['flaps', '', '', ''],
    'evicted again every 10m → evicted again every 11s',
  ]);
});
