import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { displayWidth } from '../../../src/presentation/text/displayWidth.ts';
import { ascii } from '../../../src/presentation/text/style.ts';
import { printedLine, textOutput } from '../../../src/terminal/textOutput.ts';

const LETTERS = fc.constantFrom(...'ab …×→█é漢', 'e\u0301');

test('conversion to ASCII keeps the width of a text', () => {
  fc.assert(
    fc.property(fc.string({ unit: LETTERS }), (text) => {
      expect(ascii(text)).toMatch(/^[\x20-\x7e]*$/);
      expect(displayWidth(ascii(text))).toBe(displayWidth(text));
    }),
  );
});

test('every special character in our output has an ASCII replacement', () => {
  const files = ['src/views', 'src/terminal', 'src/presentation/text'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(room, name)),
  );
  const written = new Set(
    files.flatMap((file) => readFileSync(file, 'utf8').match(/[\u00b5-\uffff]/g) ?? []),
  );
  expect(written.size).toBeGreaterThan(10);
  expect([...written].filter((character) => ascii(character) === '?')).toEqual([]);
});

test.each([
  ['C', 'dublinx2 > virginia~\n'],
  ['C.UTF-8', 'dublin×2 → virginia…\n'],
])('in locale %s a terminal gets only characters that it can show', (LANG, line) => {
  const stdout = { isTTY: true, columns: 80 } as NodeJS.Process['stdout'];
  const output = textOutput({ stdout, env: { LANG, NO_COLOR: '1' } });
  expect(printedLine(['dublin×2', ' → ', { tone: 'bad', words: 'virginia…' }], output)).toBe(line);
});

test('a pipe gets UTF-8 in any locale', () => {
  const stdout = { isTTY: false } as unknown as NodeJS.Process['stdout'];
  expect(printedLine('dublin×2', textOutput({ stdout, env: { LANG: 'C' } }))).toBe('dublin×2\n');
});
