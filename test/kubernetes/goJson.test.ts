import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { marshal, unmarshal, wellFormed } from '../../src/kubernetes/goJson.ts';

describe('json.Unmarshal', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a":[1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":1} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['\ufeff1', "invalid character 'ï' looking for beginning of value"],
    ['\u00a01', "invalid character 'Â' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-', "invalid character ' ' in numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1ee', "invalid character 'e' in exponent of numeric literal"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ['[1e400,1e500]', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['{"a":1e400,"a":1}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['"1e400', 'unexpected end of JSON input'],
    ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ])('%.20j is refused', (text, error) => {
    expect(unmarshal(text)).toEqual({ error });
  });

  test('accepts the same text as JSON.parse, except numbers outside float64', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'{}[],:"\\/tfn0 1-+.eEu\n'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(noise, fc.json()), (text) => {
        let expected: unknown;
        try {
          expected = { value: JSON.parse(text) as unknown };
        } catch {
          expected = { error: expect.any(String) };
        }
        expect(unmarshal(text)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('accepts a string that looks like a number outside float64', () => {
    expect(unmarshal('"1e400"')).toEqual({ value: '1e400' });
  });

  test('replaces lone surrogates with U+FFFD in values and names', () => {
    expect(unmarshal('{"\\ud800":["\\udc80x","\\ud83d\\ude00"]}')).toEqual({
      value: { '\ufffd': ['\ufffdx', '😀'] },
    });
    expect(wellFormed(['\ud800'])).toEqual(['\ufffd']);
  });

  test('keeps a member named __proto__', () => {
    const result = unmarshal('{"__proto__":1,"a":"\\ud800"}') as { value: object };
    expect(Object.entries(result.value)).toEqual([
      ['__proto__', 1],
      ['a', '\ufffd'],
    ]);
  });
});

describe('json.Marshal', () => {
  test.each([
    [{ b: 1, a: { '\ue000': 1, '😀': 2, é: 3 } }, '{"a":{"é":3,"\ue000":1,"😀":2},"b":1}'],
    [
      ['<a>&', '\u2028\u2029', '\b\f\n\0\x7f'],
      '["\\u003ca\\u003e\\u0026","\\u2028\\u2029","\\b\\f\\n\\u0000\x7f"]',
    ],
    [[-0, 1e21, 1e-7, 123456789, 1.5], '[-0,1e+21,1e-7,123456789,1.5]'],
    [[null, true, [], {}], '[null,true,[],{}]'],
  ])('prints %j', (value, text) => {
    expect(marshal(value)).toBe(text);
  });

  test('prints text from which json.Unmarshal restores the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(unmarshal(marshal(value))).toEqual({ value: wellFormed(value) });
      }),
    );
  });
});
