import { expect, test } from '@jest/globals';
import { positionIn, positionsIn } from '../../src/state/position.ts';

test.each(['', 'a', '\n', 'ab\ncd\n\ne', '\n\n', 'a\r\nb'])(
  'positions in %j from an index equal those from a direct search',
  (text) => {
    const positionOf = positionsIn(text);
    for (let offset = 0; offset <= text.length; offset++)
      expect(positionOf(offset)).toEqual(positionIn(text, offset));
  },
);

test('lines and columns start at one', () => {
  const positionOf = positionsIn('ab\ncd');
  expect([0, 1, 2, 3, 4].map(positionOf)).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 1, column: 3 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
  ]);
});
