import { expect, test } from '@jest/globals';
import { asBad, joined } from '../../src/presentation/words.ts';

test('joining messages removes the full stop before further text', () => {
  expect(joined(['no room.', '', '3 replicas are deleted'], '; ')).toBe('no room; 3 replicas are deleted');
  expect(joined(['no room.', ''], '; ')).toBe('no room.');
  expect(joined(['no room.', asBad('lost')], '; ')).toEqual(['no room', '; ', asBad('lost')]);
});
