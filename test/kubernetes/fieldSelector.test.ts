import { describe, expect, test } from '@jest/globals';
import { matchesFields, parseFieldSelector } from '../../src/kubernetes/fieldSelector.ts';

const object: Record<string, string> = { 'metadata.name': 'cart-deployment', 'metadata.namespace': 'shop' };

function selects(text: string): boolean {
  const parsed = parseFieldSelector(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return matchesFields(parsed.requirements, (field) => object[field]);
}

describe('a field selector for kubectl --field-selector', () => {
  test.each([
    ['', true],
    ['metadata.name=cart-deployment', true],
    ['metadata.name==cart-deployment', true],
    ['metadata.name!=cart-deployment', false],
    ['metadata.namespace=shop,metadata.name!=x', true],
    ['metadata.namespace=shop,,metadata.name=x,', false],
    ['spec.gone=', true],
    ['spec.gone!=a', true],
  ])('"%s" matches the object: %s', (text, expected) => {
    expect(selects(text)).toBe(expected);
  });

  test('a backslash escapes a comma, an equals sign and a backslash', () => {
    expect(parseFieldSelector(String.raw`a=b\,c\=d\\,e!=f`)).toEqual({
      requirements: [
        { field: 'a', equal: true, value: 'b,c=d\\' },
        { field: 'e', equal: false, value: 'f' },
      ],
    });
  });

  test.each(['metadata.name', 'a=b,metadata.name'])('"%s" is refused: a term has no operator', (text) => {
    expect(parseFieldSelector(text)).toEqual({
      error: '"metadata.name" is not FIELD=VALUE or FIELD!=VALUE',
    });
  });

  test.each(['a=b=c', 'a===b', String.raw`a=\n`, 'a=b\\'])(
    '"%s" is refused: its value is invalid',
    (text) => {
      expect(parseFieldSelector(text)).toMatchObject({ error: expect.stringContaining('is not a value') });
    },
  );
});
