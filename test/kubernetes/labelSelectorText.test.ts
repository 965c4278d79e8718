import { describe, expect, test } from '@jest/globals';
import { compileLabelSelector, type Labels } from '../../src/kubernetes/labelSelector.ts';
import { parseLabelSelectorText } from '../../src/kubernetes/labelSelectorText.ts';

function selects(text: string, labels: Labels): boolean {
  const parsed = parseLabelSelectorText(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return compileLabelSelector(parsed.selector)!(labels);
}

const labels = { app: 'cart', tier: '', 'shop.example/team': 'blue', in: 'notin' };

describe('a label selector as typed for kubectl -l', () => {
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
  ])('%s: %s', (text, expected) => {
    expect(selects(text, labels)).toBe(expected);
  });

  test.each(['tier=', 'tier==', 'tier in ()', 'tier in (,)', 'tier in (x,)', 'tier in (x,,y)', 'tier=,app'])(
    'the empty value counts: %s',
    (text) => {
      expect(selects(text, labels)).toBe(true);
      expect(selects(text, { ...labels, tier: 'full' })).toBe(false);
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
  ])('%s is refused: %s', (text, error) => {
    expect(parseLabelSelectorText(text)).toEqual({ error });
  });
});
