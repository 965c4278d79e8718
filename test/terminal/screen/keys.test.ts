import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keysIn, type Key } from '../../../src/terminal/screen/keys.ts';

const ESC = '\u001b';

test.each([
  [`${ESC}[A`, 'up'],
  [`${ESC}OB`, 'down'],
  [`${ESC}[5~`, 'pageUp'],
  [`${ESC}[Z`, 'backTab'],
  ['\r', 'enter'],
  ['\u007f', 'backspace'],
  ['\u0003', 'interrupt'],
  ['\u001a', 'suspend'],
])('%j is the key %s', (input, name) => {
  expect(keysIn(input, false)).toEqual({ keys: [{ name }], rest: '' });
});

test('a letter is its own key, also outside of the Basic Multilingual Plane', () => {
  expect(keysIn('j🚀', false).keys).toEqual([{ text: 'j' }, { text: '🚀' }]);
});

test('a sequence that arrives in two pieces is one key', () => {
  const first = keysIn(`q${ESC}[`, false);
  expect(first).toEqual({ keys: [{ text: 'q' }], rest: `${ESC}[` });
  expect(keysIn(`${first.rest}A`, false)).toEqual({ keys: [{ name: 'up' }], rest: '' });
});

test('ESC without a sequence is a key of its own', () => {
  expect(keysIn(ESC, false)).toEqual({ keys: [], rest: ESC });
  expect(keysIn(ESC, true)).toEqual({ keys: [{ name: 'escape' }], rest: '' });
});

test('reports of the terminal, such as mouse clicks or colours, are not keys', () => {
  expect(keysIn(`${ESC}[<0;10;5M${ESC}[?62;4c`, false)).toEqual({ keys: [], rest: '' });
});

test('input in pieces gives the same keys as the whole input', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(ESC, '[', 'A', 'O', '5', '~', 'q', '\r', '<', ';', 'é'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  );
  fc.assert(
    fc.property(pieces, (some) => {
      const whole = keysIn(some.join(''), true).keys;
      const keys: Key[] = [];
      let rest = '';
      for (const piece of some) {
        const read = keysIn(rest + piece, false);
        keys.push(...read.keys);
        ({ rest } = read);
      }
      keys.push(...keysIn(rest, true).keys);
      expect(keys).toEqual(whole);
    }),
  );
});
