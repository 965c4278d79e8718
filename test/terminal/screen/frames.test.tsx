import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openFrames } from '../../../src/terminal/screen/frames.tsx';

const ROWS = fc.constantFrom(
  '',
  'clusters',
  '▸ dublin  True',
  '  漢字',
  '\u001b[31mlost\u001b[39m',
  '\u001b[7m a  \u001b[27m',
);

test('whatever changes from one frame to the next, it holds the rows that were asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.array(ROWS, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), (screens) => {
      let seen: readonly string[] = [];
      const frames = openFrames((rows) => (seen = [...rows]));
      try {
        for (const rows of screens) {
          frames.draw(rows, 20);
          expect(seen).toEqual(rows);
        }
      } finally {
        frames.close();
      }
    }),
    { numRuns: 50 },
  );
});
