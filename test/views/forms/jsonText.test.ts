import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactedJson } from '../../../src/kubernetes/redaction/redactedData.ts';
import { visibleJson } from '../../../src/presentation/visible.ts';
import { LazyList, jsonLine, jsonText } from '../../../src/views/forms/jsonText.ts';

describe('streamed JSON', () => {
  test('equals the output of JSON.stringify for any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
        expect([...jsonText(document)].join('')).toBe(`${visibleJson(redactedJson(document, 2))}\n`);
      }),
    );
  });

  test.each([999, 1000, 1001, 2500])('includes a list of %i items', (length) => {
    const document = {
      kind: 'List',
      items: Array.from({ length }, (_, index) => ({ index, text: 'a\nb' })),
      gone: undefined,
    };
    const pieces = [...jsonText(document)];
    expect(pieces.join('')).toBe(`${JSON.stringify(document, null, 2)}\n`);
    expect(pieces.length).toBeGreaterThan(length > 1000 ? 4 : 2);
  });

  test.each([0, 1, 1000, 2500])('includes a lazy list of %i items', (length) => {
    const numbers = Array.from({ length }, (_, index) => index);
    const text = (index: number) => `item ${index}`;
    const document = { kind: 'List', items: new LazyList(numbers, text) };
    const whole = { kind: 'List', items: numbers.map(text) };
    expect([...jsonText(document)].join('')).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });
});

test('JSON escapes control characters, and keeps its meaning', () => {
  const document = { 'a\u202e': '\u001b[31m \u009b2J \u200b \u{e0041} \u007f \n' };
  for (const text of [[...jsonText(document)].join(''), jsonLine(document)]) {
    expect(JSON.parse(text)).toEqual(document);
    expect(text.trimEnd()).not.toMatch(/[^\n\x20-\x7e]/);
  }
});

test('JSON masks secrets', () => {
  const document = { proxy: 'http://user:hunter2@proxy:3128', list: [{ name: 'TOKEN', value: 'hunter2' }] };
  expect(JSON.parse(jsonLine(document))).toEqual({
    proxy: 'http://***@proxy:3128',
    list: [{ name: 'TOKEN', value: '***' }],
  });
});

test('streamed JSON masks the same secret fields and names as unstreamed JSON', () => {
  const many = Array.from({ length: 1001 }, () => 'hunter2');
  const document = { token: 'hunter2', password: many, 'http://user:hunter2@proxy': 1 };
  const text = [...jsonText(document)].join('');
  expect(text).not.toContain('hunter2');
  expect(JSON.parse(text)).toEqual(JSON.parse(redactedJson(document)));
});
