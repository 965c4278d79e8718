import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sameTaint } from '../../../src/karmada/objects/sameTaint.ts';
import { EditedTaints } from '../../../src/karmada/taints/editedTaints.ts';

const taint = fc.record({
  key: fc.constantFrom('a', 'b'),
  effect: fc.constantFrom('NoSchedule', 'NoExecute'),
});
const edits = fc.array(fc.record({ verb: fc.constantFrom('add', 'remove'), taint }));

test('edited taints append additions and remove the first match, like a list', () => {
  fc.assert(
    fc.property(fc.array(taint), edits, (before, some) => {
      const edited = new EditedTaints(before);
      let list = before;
      for (const { verb, taint } of some) {
        const at = list.findIndex((one) => sameTaint(one, taint));
        expect(edited.has(taint)).toBe(at !== -1);
        if (verb === 'add') {
          edited.add(taint);
          list = [...list, taint];
        } else {
          expect(edited.remove(taint)).toBe(list[at]);
          list = list.filter((_, index) => index !== at);
        }
      }
      expect(edited.left()).toEqual(list);
    }),
  );
});
