import { expect, test } from '@jest/globals';
import { bad, joined } from '../../src/presentation/words.ts';

test('joining messages removes the full stop before further text', () => {
  expect(joined(['no room.', '', '3 replicas are deleted'], '; ')).toBe('no room; 3 replicas are deleted');
  expect(joined(['no room.', ''], '; ')).toBe('no room.');
  expect(joined(['no room.', bad('lost')], '; ')).toEqual(['no room', '; ', bad('lost')]);
});
