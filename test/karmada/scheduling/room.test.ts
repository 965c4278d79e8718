import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ReplicaCapacity } from '../../../src/karmada/scheduling/capacity/replicaCapacity.ts';

const rooms = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 });
const changes = fc.array(fc.tuple(fc.nat({ max: 39 }), fc.integer({ min: 0, max: 9 })));

test('a changed capacity orders clusters like a capacity created with the new values', () => {
  fc.assert(
    fc.property(rooms, changes, (values, changed) => {
      const room = new ReplicaCapacity(Int32Array.from(values));
      expect(room.order.length).toBe(values.length);
      const known = changed.filter(([at]) => at < values.length);
      const next = room.with(new Map(known));
      const expected = [...values];
      for (const [at, value] of new Map(known)) expected[at] = value;
      expect([...next.values]).toEqual(expected);
      expect([...next.order]).toEqual([...new ReplicaCapacity(Int32Array.from(expected)).order]);
      expect([...room.values]).toEqual(values);
    }),
  );
});
