import { describe, expect, test } from '@jest/globals';
import type { DocumentSink } from '../../../src/state/documents.ts';
import { readWholeJson } from '../../../src/state/json/wholeJson.ts';

function given(text: string | Buffer): unknown[] | false {
  const seen: unknown[] = [];
  const sink: DocumentSink = {
    beginItems: () => seen.push('items'),
    item: (value) => seen.push(value),
    document: (value) => seen.push({ document: value }),
    warn: () => seen.push('warning'),
  };
  return readWholeJson(Buffer.from(text), sink) && seen;
}

describe('the parser for whole JSON texts', () => {
  test('returns the items of a list, then the list without items', () => {
    expect(given('{"kind":"List","items":[{"a":1},{"b":2}]}')).toEqual([
      'items',
      { a: 1 },
      { b: 2 },
      { document: { kind: 'List', items: [] } },
    ]);
    expect(given('[{"a":1}]')).toEqual(['items', { a: 1 }, { document: [] }]);
  });

  test('returns a single object', () => {
    expect(given('{"kind":"Cluster"}')).toEqual([{ document: { kind: 'Cluster' } }]);
  });

  test.each(['{"a":1}{"b":2}', '{"a":', '"text"', 'null', Buffer.from('{"a":"\xff"}', 'latin1')])(
    'leaves %j to the stream parser',
    (text) => {
      expect(given(text)).toBe(false);
    },
  );

  describe.each([
    ['small', 0],
    ['large', 1024 * 1024],
  ])('given a %s text', (_, blanks) => {
    const nested = (levels: number, open: string, close: string) =>
      open.repeat(levels) + '0' + ' '.repeat(blanks) + close.repeat(levels);

    test.each([
      ['arrays', '[', ']'],
      ['objects', '{"a":', '}'],
    ])('accepts 1000 levels of %s and refuses more', (_, open, close) => {
      expect(given(nested(1000, open, close))).toHaveLength(open === '[' ? 3 : 1);
      expect(given(nested(1001, open, close))).toBe(false);
    });
  });
});
