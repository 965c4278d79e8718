import { describe, expect, test } from '@jest/globals';
import { createDelayedKeys, type DelayedKeys } from '../../../src/karmada/queues/delayedKeys.ts';

/** Takes all keys out, in their order. */
function emptied(delayed: DelayedKeys): string[] {
  const out: string[] = [];
  for (let key = delayed.take(); key !== undefined && out.length < 10; key = delayed.take()) out.push(key);
  return out;
}

describe('delayed keys with the same due time', () => {
  test('are processed in the order of their addition', () => {
    const delayed = createDelayedKeys();
    for (const key of ['c', 'a', 'b', 'd']) delayed.add(key, 10);
    delayed.add('soon', 5);
    expect(emptied(delayed)).toEqual(['soon', 'c', 'a', 'b', 'd']);
  });

  test('keep their position when they are added again', () => {
    const delayed = createDelayedKeys();
    delayed.add('a', 10);
    delayed.add('b', 10);
    delayed.add('a', 10);
    expect(emptied(delayed)).toEqual(['a', 'b']);
  });

  test('move to the end if they had a later due time before', () => {
    const delayed = createDelayedKeys();
    delayed.add('a', 20);
    delayed.add('b', 10);
    delayed.add('a', 10);
    expect(emptied(delayed)).toEqual(['b', 'a']);
  });
});

test('saved delayed keys keep their order', () => {
  const delayed = createDelayedKeys();
  delayed.add('late', 30);
  for (const key of ['c', 'a', 'b']) delayed.add(key, 10);
  const saved = delayed.save();
  expect(saved).toEqual([
    ['c', 10],
    ['a', 10],
    ['b', 10],
    ['late', 30],
  ]);
  expect(emptied(createDelayedKeys(saved))).toEqual(emptied(delayed));
});
