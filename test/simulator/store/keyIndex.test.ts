import { expect, test } from '@jest/globals';
import { createKeyIndex } from '../../../src/simulator/store/keyIndex.ts';

test.each([2, 200])('a key in %i groups leaves its old groups and joins its new groups', (size) => {
  const groups = (from: number) => Array.from({ length: size }, (_, at) => `g${from + at}`);
  const index = createKeyIndex(
    (group) => (groups(0).includes(group) ? ['moved', 'stays'] : []),
    (a, b) => (a < b ? -1 : 1),
  );
  index.move('moved', groups(0), groups(1));
  expect(index.of('g0')).toEqual(['stays']);
  expect(index.of('g1')).toEqual(['moved', 'stays']);
  expect(index.of(`g${size}`)).toEqual(['moved']);
});
