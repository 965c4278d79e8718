import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Labels,
  compileLabelSelector,
  isLabelValue,
  isQualifiedName,
  labelValue,
  parseLabelRequirement,
  parseLabelSelectorText,
} from '../../src/kubernetes/labelSelector.ts';

const labels = { env: 'prod', tier: '', size: '20', 'karmada.io/zone': 'a' };
const holdsOn = (labels: Labels, key: string, operator: string, values?: string[]) => {
  const requirement = parseLabelRequirement({ key, operator, ...(values && { values }) });
  return requirement?.accepts(labelValue(labels, requirement.key));
};
const holds = (key: string, operator: string, values?: string[]) => holdsOn(labels, key, operator, values);

describe('a label requirement', () => {
  test('In and NotIn compare values; only NotIn matches a missing label', () => {
    expect(holds('env', 'In', ['dev', 'prod'])).toBe(true);
    expect(holds('env', 'In', ['dev'])).toBe(false);
    expect(holds('gpu', 'In', ['true'])).toBe(false);
    expect(holds('gpu', 'NotIn', ['true'])).toBe(true);
    expect(holds('env', 'NotIn', ['prod'])).toBe(false);
  });

  test('an empty label value counts as a value', () => {
    expect(holds('tier', 'Exists')).toBe(true);
    expect(holds('tier', 'In', [''])).toBe(true);
    expect(holds('tier', 'DoesNotExist')).toBe(false);
  });

  test('names of inherited JavaScript properties are not labels', () => {
    expect(holds('constructor', 'Exists')).toBe(false);
    expect(holds('toString', 'DoesNotExist')).toBe(true);
  });

  test('Gt and Lt compare 64-bit integers and match no other value', () => {
    expect(holds('size', 'Gt', ['19'])).toBe(true);
    expect(holds('size', 'Lt', ['20'])).toBe(false);
    expect(holds('env', 'Gt', ['1'])).toBe(false);
    expect(holds('gpu', 'Lt', ['1'])).toBe(false);
    const above = ['9223372036854775806'];
    expect(holdsOn({ n: '9223372036854775807' }, 'n', 'Gt', above)).toBe(true);
    expect(holdsOn({ n: '9223372036854775808' }, 'n', 'Gt', above)).toBe(false);
    expect(holdsOn({ n: '-5' }, 'n', 'Lt', ['0'])).toBe(true);
  });

  test.each([
    ['an unknown operator', 'env', 'Like', ['prod']],
    ['an operator in the wrong case', 'env', 'in', ['prod']],
    ['In without values', 'env', 'In', []],
    ['NotIn without values', 'env', 'NotIn', undefined],
    ['Exists with values', 'env', 'Exists', ['']],
    ['Gt with two values', 'size', 'Gt', ['1', '2']],
    ['Gt with text', 'size', 'Gt', ['x']],
    ['Gt with a negative number', 'size', 'Gt', ['-1']],
    ['an empty key', '', 'Exists', undefined],
    ['a key with a space', 'a b', 'Exists', undefined],
    ['an invalid value', 'env', 'In', ['-prod']],
  ])('is refused with %s', (_name, key, operator, values) => {
    expect(holds(key, operator, values)).toBeUndefined();
  });
});

describe('a label selector of an object', () => {
  test('without requirements selects every object', () => {
    expect(compileLabelSelector({})?.(undefined)).toBe(true);
    expect(compileLabelSelector({ matchLabels: {}, matchExpressions: [] })?.({})).toBe(true);
  });

  test('selects the objects that match all requirements', () => {
    const matches = compileLabelSelector({
      matchLabels: { env: 'prod' },
      matchExpressions: [{ key: 'tier', operator: 'Exists' }],
    });
    expect(matches?.(labels)).toBe(true);
    expect(matches?.({ env: 'prod' })).toBe(false);
    expect(matches?.({ tier: 'gold' })).toBe(false);
  });

  test('is refused entirely if one requirement is invalid, or uses Gt or Lt', () => {
    expect(compileLabelSelector({ matchLabels: { env: '!' } })).toBeUndefined();
    expect(compileLabelSelector({ matchLabels: { 'a/b/c': 'x' } })).toBeUndefined();
    expect(
      compileLabelSelector({ matchExpressions: [{ key: 'size', operator: 'Gt', values: ['1'] }] }),
    ).toBeUndefined();
  });

  test('negates In with NotIn, and Exists with DoesNotExist', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 1 }), fc.dictionary(name, name), (key, values, of) => {
        const on = (operator: string, list?: string[]) => holdsOn(of, key, operator, list);
        expect(on('NotIn', values)).toBe(!on('In', values));
        expect(on('DoesNotExist')).toBe(!on('Exists'));
      }),
    );
  });
});

describe('label keys and values', () => {
  test.each(['a', 'A-1_b.c', 'example.com/name', 'a'.repeat(63), `${'a'.repeat(253)}/b`])(
    '%j is a valid key',
    (key) => {
      expect(isQualifiedName(key)).toBe(true);
    },
  );

  test.each([
    '',
    '/a',
    'a/',
    '-a',
    'a-',
    'Example.com/a',
    'a..b/c',
    'é',
    'a'.repeat(64),
    `${'a'.repeat(254)}/b`,
  ])('%j is an invalid key', (key) => {
    expect(isQualifiedName(key)).toBe(false);
  });

  test('a value may be empty and has no prefix', () => {
    expect(isLabelValue('')).toBe(true);
    expect(isLabelValue('a.b')).toBe(true);
    expect(isLabelValue('a/b')).toBe(false);
    expect(isLabelValue('a\n')).toBe(false);
    expect(isLabelValue('a'.repeat(64))).toBe(false);
  });
});

function selects(text: string, labels: Labels): boolean {
  const parsed = parseLabelSelectorText(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return compileLabelSelector(parsed.selector)!(labels);
}

const ofCart = { app: 'cart', tier: '', 'shop.example/team': 'blue', in: 'notin' };

describe('a label selector for kubectl -l', () => {
  test.each([
    ['', true],
    ['app=cart', true],
    ['app==cart', true],
    ['app = cart', true],
    ['app=search', false],
    ['app!=cart', false],
    ['app!=search', true],
    ['gone!=x', true],
    ['app', true],
    ['gone', false],
    ['!gone', true],
    ['! gone', true],
    ['!app', false],
    ['app in (cart,search)', true],
    ['app in(cart)', true],
    ['app notin (cart)', false],
    ['gone notin (cart)', true],
    ['shop.example/team in ( blue , red )', true],
    ['app=cart,shop.example/team!=red,!gone', true],
    ['app=cart,gone', false],
    ['app=cart,app=search', false],
    ['in=notin', true],
    ['in in (in,notin)', true],
  ])('"%s" matches the object: %s', (text, expected) => {
    expect(selects(text, ofCart)).toBe(expected);
  });

  test.each(['tier=', 'tier==', 'tier in ()', 'tier in (,)', 'tier in (x,)', 'tier in (x,,y)', 'tier=,app'])(
    '"%s" matches the empty value of a label',
    (text) => {
      expect(selects(text, ofCart)).toBe(true);
      expect(selects(text, { ...ofCart, tier: 'full' })).toBe(false);
    },
  );

  test.each([
    ['a=b,', 'ends where a label key is expected'],
    [',a', 'has "," where a label key is expected'],
    ['=b', 'has "=" where a label key is expected'],
    ['a b', 'has "b" where =, ==, !=, in or notin is expected'],
    ['a=b c', 'has "c" where "," or the end is expected'],
    ['a in b', 'has "b" where "(" is expected'],
    ['a in (b', 'ends where "," or ")" is expected'],
    ['a in', 'ends where "(" is expected'],
    ['a in (b c)', 'has "c" where "," or ")" is expected'],
    ['!a=b', 'has "=" where "," or the end is expected'],
    ['a=(b)', 'has "(" where a value is expected'],
    ['a_=b', '"a_" is not a label key'],
    ['A.b/c/d', '"A.b/c/d" is not a label key'],
    ['a=-b', '"-b" is not a label value'],
    ['a>1', 'numbers cannot be compared with ">" here'],
  ])('"%s" is refused: %s', (text, error) => {
    expect(parseLabelSelectorText(text)).toEqual({ error });
  });
});
