import { expect, test } from '@jest/globals';
import { uriPart } from '../../src/kubernetes/escaping.ts';

test('uriPart escapes reserved characters, and replaces half a surrogate pair with U+FFFD', () => {
  expect(uriPart('a/b?c=d&e f#g%')).toBe('a%2Fb%3Fc%3Dd%26e%20f%23g%25');
  expect(uriPart('schön 😀')).toBe('sch%C3%B6n%20%F0%9F%98%80');
  expect(uriPart('\ud83d-\ude00')).toBe('%EF%BF%BD-%EF%BF%BD');
});
