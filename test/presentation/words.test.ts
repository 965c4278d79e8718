import { expect, test } from '@jest/globals';
import { bad, joined } from '../../src/presentation/words.ts';

test('a message that ends in a full stop loses it if something follows', () => {
  expect(joined(['no room.', '', '3 replicas are deleted'], '; ')).toBe('no room; 3 replicas are deleted');
  expect(joined(['no room.', ''], '; ')).toBe('no room.');
  expect(joined(['no room.', bad('lost')], '; ')).toEqual(['no room', '; ', bad('lost')]);
});
