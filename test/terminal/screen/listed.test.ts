import { expect, test } from '@jest/globals';
import {
  FIRST_PAGE,
  shownItems,
  textsAhead,
  type AnyScreenList,
} from '../../../src/terminal/screen/listed.ts';

/** 2,500 names, and a list of them that counts the texts that it builds. */
function counted() {
  const items = Array.from({ length: 2500 }, (_, at) => ({ name: `one-${at}` }));
  const made = { texts: 0 };
  const list: AnyScreenList = {
    one: 'name',
    key: ({ name }: { name: string }) => name,
    text({ name }: { name: string }) {
      made.texts++;
      return name;
    },
    columns: [],
  };
  return { list, items, made };
}

const filtered = (list: AnyScreenList, items: readonly unknown[], filter: string) =>
  shownItems(list, items, { ...FIRST_PAGE, filter }, undefined);

test('a filter computes the text of each item once, also while its input changes', () => {
  const { list, items, made } = counted();
  filtered(list, items, '1');
  filtered(list, items, '12');
  expect(filtered(list, items, '!^one-1')).toHaveLength(2500 - 1111);
  expect(made.texts).toBe(2500);
});

test('texts that were computed ahead in steps are not computed again by a filter', () => {
  const { list, items, made } = counted();
  const steps = textsAhead({ list, items, all: items }, undefined);
  steps.next();
  expect(made.texts).toBeLessThanOrEqual(1000);
  for (const _step of steps);
  expect(made.texts).toBe(2500);
  expect(filtered(list, items, '2499')).toEqual([{ name: 'one-2499' }]);
  expect(made.texts).toBe(2500);
});

test('a filter during the computation computes the remaining texts', () => {
  const { list, items, made } = counted();
  textsAhead({ list, items, all: items }, undefined).next();
  expect(filtered(list, items, '2499')).toEqual([{ name: 'one-2499' }]);
  expect(made.texts).toBe(2500);
});
