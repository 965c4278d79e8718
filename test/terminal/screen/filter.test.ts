import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { filterOf } from '../../../src/terminal/screen/listed.ts';

const names = ['shop/deployment/cart', 'shop/deployment/Search', 'data/statefulset/ledger'];
const found = (written: string) => names.filter((name) => filterOf(written).matches(name));

test.each([
  ['cart', ['shop/deployment/cart']],
  ['SEARCH', ['shop/deployment/Search']],
  ['^shop.*(cart|search)$', ['shop/deployment/cart', 'shop/deployment/Search']],
  ['!shop', ['data/statefulset/ledger']],
  ['~sdc', ['shop/deployment/cart', 'shop/deployment/Search']],
  ['-f dtl', ['data/statefulset/ledger']],
  ['!~sdc', ['data/statefulset/ledger']],
  ['', names],
  ['!', names],
])('%j matches %j', (written, expected) => {
  expect(found(written)).toEqual(expected);
});

test('an invalid regular expression is searched for literally, with a note', () => {
  const filter = filterOf('a(b');
  expect(filter.problem).toContain('no regular expression');
  expect([filter.matches('xA(b)'), filter.matches('ab')]).toEqual([true, false]);
});

test('any input is a filter, and a leading ! inverts the filter', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30, minLength: 1 }), fc.string(), (written, text) => {
      expect(filterOf(`!${written}`).matches(text)).toBe(written !== '!' && !filterOf(written).matches(text));
    }),
  );
});
