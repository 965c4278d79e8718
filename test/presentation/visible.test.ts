import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visible, visibleLines } from '../../src/presentation/visible.ts';

describe('external text', () => {
  test.each([
    ['an escape sequence that sets the title', '\u001b]0;owned\u0007', '^[]0;owned^G'],
    ['a colour', '\u001b[31mred\u001b[39m', '^[[31mred^[[39m'],
    ['a C1 control sequence', '\u009b2J', '\\x9b2J'],
    ['delete and backspace', 'a\u007fb\u0008', 'a^?b^H'],
    ['a line break that would forge a line', 'ok\nerror: forged', 'ok\\nerror: forged'],
    ['a carriage return and a tab', 'a\rb\tc', 'a\\rb\\tc'],
    ['a bidirectional override', 'user\u202etxt.exe', 'user\\u202etxt.exe'],
    ['a bidirectional isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['zero-width characters', 'de\u200bfault\ufeff', 'de\\u200bfault\\ufeff'],
    ['a Hangul filler', 'a\u3164', 'a\\u3164'],
    ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
    ['half of a surrogate pair', 'a\ud800', 'a\\ud800'],
    ['a noncharacter', '\ufdd0', '\\ufdd0'],
  ])('makes %s visible', (_, given, shown) => {
    expect(visible(given)).toBe(shown);
  });

  test('stays unchanged if all characters are visible', () => {
    const text = 'member1 → Zürich, 東京 🚀 – "50%"';
    expect(visible(text)).toBe(text);
  });

  test('never contains a control character, and stays the same if converted twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });

  test('keeps only our own line breaks and tabs', () => {
    expect(visibleLines('a\n\tb\r\u001b[2J')).toBe('a\n\tb\\r^[[2J');
  });
});
