import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHeap } from '../../../src/karmada/objects/queues.ts';

test('a heap returns its items in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const heap = createHeap<number>((a, b) => a < b);
      for (const item of items) heap.push(item);
      expect(heap.size()).toBe(items.length);
      expect(heap.first()).toBe(items.length === 0 ? undefined : Math.min(...items));
      expect(items.map(() => heap.pop())).toEqual([...items].sort((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
      expect(heap.size()).toBe(0);
    }),
  );
});
