import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unifiedDiff } from '../../../src/views/forms/unifiedDiff.ts';

const names = { before: 'a', after: 'b' };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

describe('a unified diff', () => {
  test('is empty for equal texts', () => {
    expect(unifiedDiff('a\n', 'a\n', names)).toBe('');
  });

  test('shows three lines around each change, and joins changes that are close', () => {
    const before = numbered(30);
    const after = before.with(4, 'five\n').with(7, 'eight\n').toSpliced(24, 1);
    expect(unifiedDiff(before.join(''), after.join(''), names).split('\n')).toEqual([
      '--- a',
      '+++ b',
      '@@ -2,10 +2,10 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      ' line 6',
      ' line 7',
      '-line 8',
      '+eight',
      ' line 9',
      ' line 10',
      ' line 11',
      '@@ -22,7 +22,6 @@',
      ' line 22',
      ' line 23',
      ' line 24',
      '-line 25',
      ' line 26',
      ' line 27',
      ' line 28',
    ]);
  });

  test('starts at line 0 for an empty text', () => {
    expect(unifiedDiff('', 'a\nb\n', names)).toBe('--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b');
    expect(unifiedDiff('a\n', '', names)).toBe('--- a\n+++ b\n@@ -1 +0,0 @@\n-a');
  });

  test('is complete for large changes, in bounded time', () => {
    const [before, after] = ['x', 'y'].map((letter) => `${letter}\n`.repeat(3000));
    expect(unifiedDiff(before!, after!, names).split('\n')).toHaveLength(6003);
  });

  test('contains all lines of both texts close to a change, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const joined = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
        const lines = unifiedDiff(joined(before), joined(after), names).split('\n').slice(3);
        if (lines.length === 0) return expect(before).toEqual(after);
        // so short that every line is near a change
        const side = (sign: string) =>
          lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).map((line) => line.slice(1));
        const around = (lines: string[], shown: string[]) => lines.join('').includes(shown.join(''));
        expect(around(before, side('-')) && around(after, side('+'))).toBe(true);
      }),
    );
  });
});
