import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareUtf8, decodeRawBytes, rawByte, utf8Bytes, utf8Length } from '../../src/kubernetes/utf8.ts';

describe('the UTF-8 conversion of Go strings', () => {
  test('encodes well-formed text as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Bytes(text)).toEqual([...Buffer.from(text)]);
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
        expect(decodeRawBytes(text)).toBe(text);
      }),
    );
  });

  test.each([
    ['two bytes as one character', [0xc3, 0xa9], 'é'],
    ['four bytes as one character', [0xf0, 0x9f, 0x98, 0x80], '😀'],
    ['each invalid byte as U+FFFD', [0xff, 0xfe], '\ufffd\ufffd'],
    ['an incomplete sequence as U+FFFD', [0xe2, 0x9c], '\ufffd\ufffd'],
    ['an overlong slash as U+FFFD', [0xc0, 0xaf], '\ufffd\ufffd'],
    ['an overlong three-byte sequence as U+FFFD', [0xe0, 0x80, 0xaf], '\ufffd\ufffd\ufffd'],
    ['an encoded surrogate as U+FFFD', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    ['a code point beyond Unicode as U+FFFD', [0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  ])('decodes %s', (_rule, bytes, text) => {
    const carried = bytes.map(rawByte).join('');
    expect(utf8Bytes(carried)).toEqual(bytes);
    expect(utf8Length(carried)).toBe(bytes.length);
    expect(decodeRawBytes(`a${carried}b`)).toBe(`a${text}b`);
  });

  test('orders strings by bytes, also where UTF-16 orders differently', () => {
    const character = fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}');
    const text = fc.array(character, { maxLength: 3 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
    );
  });
});
