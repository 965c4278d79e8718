import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LinearRegExp } from '../../src/kubernetes/linearRegExp.ts';

describe('a linear regular expression', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '\\d',
    '(a)',
    '(?:b|c)',
    '(?<n>c)',
    '\\.',
    '\\/',
    '$',
    '^',
    '\\b',
  );
  const pattern = fc
    .array(fc.tuple(piece, fc.constantFrom('', '*', '+?', '{1,2}', '?')), { maxLength: 4 })
    .map((parts) =>
      parts.map(([text, times]) => (/^(\$|\^|\\b)$/.test(text) ? text : text + times)).join(''),
    );
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'A', '1', '.', '/', '\n', ' '),
    maxLength: 12,
  });
  const flags = fc.constantFrom('', 'g', 'i', 'm', 's', 'gi', 'y');

  test('returns the results of a JavaScript RegExp in match, search, replace, split and test', () => {
    fc.assert(
      fc.property(pattern, flags, text, (source, flag, subject) => {
        fc.pre((source.match(/\?<n>/g) ?? []).length < 2);
        const uses = (expression: RegExp) => [
          subject.match(expression)?.slice(),
          subject.search(expression),
          subject.replace(expression, source.includes('<n>') ? '$<n>' : '<$&>'),
          subject.split(expression),
          expression.test(subject),
          expression.lastIndex,
        ];
        expect(uses(new LinearRegExp(source, flag))).toEqual(uses(new RegExp(source, flag)));
      }),
      { numRuns: 500 },
    );
  });
});
