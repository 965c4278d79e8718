import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { redacted } from '../../../src/kubernetes/redaction/redacted.ts';

test.each([
  ['secret names', 'token', ''],
  ['names and blanks', 'token ', ''],
  ['addresses', 'a:b@', ''],
  ['URLs', 'http://a:', ''],
  ['backslashes', 'token\\', ''],
  ['quotes', '"token":"', ''],
  ['JSON Web Tokens', 'eyJ-', ''],
  ['bearer tokens', 'bearer ', ''],
  ['PEM', '-----BEGIN X-----', ''],
  ['equal signs', 'token=', '@'],
])('redaction of a megabyte of %s takes linear time', (_, piece, end) => {
  // a quadratic search of a megabyte would exceed the time limit of a test
  expect(redacted(piece.repeat(Math.ceil(1_000_000 / piece.length)) + end)).toBeDefined();
});

test.each([
  ['backslashes behind an escaped quote', `token=\\"${'\\'.repeat(1_000_000)}x`],
  ['URLs behind an address', `@${'a://h:x/'.repeat(125_000)}`],
  ['URLs before an address', `${'a://h:x/'.repeat(125_000)}@`],
  ['URLs with ports before digests', `${'a://h:1/'.repeat(125_000)}${'@sha256:'.repeat(125_000)}`],
])('redaction of %s takes linear time', (_, text) => {
  expect(redacted(text)).toBeDefined();
});

describe('redaction does not overflow the stack', () => {
  // as V8 does in a process that has compiled a lot: its expressions then remember each character that they pass
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));

  test.each([
    ['PEM', '-----BEGIN X-----', 'a'],
    ['PEM data with dashes', '-----BEGIN X-----', '-a'],
    ['a JSON Web Token', 'eyJ', 'a'],
    ['a GitHub token', 'ghp_', 'a'],
    ['credentials', 'Basic A', 'a'],
    ['a quoted string', 'token="', 'a'],
    ['a quoted string with escapes', 'token="', '\\a'],
    ['an escaped quoted string', 'token=\\"', '\\\\a'],
    ['a list', 'token=[', '['],
    ['indented lines', 'token:\n', ' a\n'],
    ['an unquoted value', 'token=', 'a'],
    ['a secret name without a value', 'token', 'a'],
    ['base64-encoded PEM data', 'LS0tLS1CRUdJTi', 'a'],
    ['an Authorization header', 'authorization: ', 'a'],
    ['a bearer token', 'bearer ', 'a'],
    ['a registry login', '"auth":"', 'a'],
    ['the signature of a URL', '?sig=', 'a'],
    ['an address', 'a:', 'b@'],
    ['a port', 'a://b:', '1'],
    ['a path', 'a://b:c/', '/'],
    ['cookies', 'cookie: a=', 'a;'],
  ])('given %s of 20 MB', (_, begin, piece) => {
    const secret = begin + piece.repeat(20_000_000 / piece.length);
    expect(() => redacted(`${secret} a:b@c`)).not.toThrow();
  });
});
