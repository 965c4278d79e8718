import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inLocale } from '../../src/terminal/capabilities.ts';

const before = { ...process.env };
beforeEach(() => {
  Object.assign(process.env, { LC_ALL: '', LC_CTYPE: '', LANG: '' });
});
afterEach(() => {
  process.env = { ...before };
});

const TERMINAL = { isTTY: true };

describe('text on a terminal', () => {
  test.each([
    [{}, 'a > b x2'],
    [{ LANG: 'C' }, 'a > b x2'],
    [{ LANG: 'de_DE.UTF-8' }, 'a → b ×2'],
    [{ LANG: 'de_DE.UTF-8', LC_CTYPE: 'C' }, 'a > b x2'],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, 'a → b ×2'],
    [{ LANG: 'C.UTF-8', LC_CTYPE: 'C.UTF-8', LC_ALL: 'POSIX' }, 'a > b x2'],
    [{ LANG: 'C.UTF-8', LC_ALL: '' }, 'a → b ×2'],
  ])('contains only characters that the locale can show, given %j', (env, shown) => {
    Object.assign(process.env, env);
    expect(inLocale('a → b ×2', TERMINAL)).toBe(shown);
  });
});

test('a pipe gets the text unchanged', () => {
  process.env['LANG'] = 'C';
  expect(inLocale('a → b', {})).toBe('a → b');
});

test('help contains only ASCII', () => {
  expect(readFileSync('oclif.manifest.json', 'utf8')).toMatch(/^[\n -~]*$/);
});
