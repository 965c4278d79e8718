import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { redacted } from '../../../src/kubernetes/redaction/redacted.ts';

test.each([
  ['names', 'token', ''],
  ['blanks', 'token ', ''],
  ['addresses', 'a:b@', ''],
  ['URLs', 'http://a:', ''],
  ['backslashes', 'token\\', ''],
  ['quotes', '"token":"', ''],
  ['tokens', 'eyJ-', ''],
  ['bearers', 'bearer ', ''],
  ['PEM', '-----BEGIN X-----', ''],
  ['equal signs', 'token=', '@'],
])('a long text of %s takes no more steps per character than a short one', (_, piece, end) => {
  // a quadratic search of a megabyte would exceed the time limit of a test
  expect(redacted(piece.repeat(Math.ceil(1_000_000 / piece.length)) + end)).toBeDefined();
});

test.each([
  ['backslashes behind an escaped quote', `token=\\"${'\\'.repeat(1_000_000)}x`],
  ['URLs behind an address', `@${'a://h:x/'.repeat(125_000)}`],
  ['URLs before an address', `${'a://h:x/'.repeat(125_000)}@`],
  ['URLs with ports before digests', `${'a://h:1/'.repeat(125_000)}${'@sha256:'.repeat(125_000)}`],
])('%s take no more steps per character than a few', (_, text) => {
  expect(redacted(text)).toBeDefined();
});

describe('fills no stack', () => {
  // as V8 does in a process that has compiled a lot: its expressions then remember each character that they pass
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));

  test.each([
    ['PEM', '-----BEGIN X-----', 'a'],
    ['PEM with dashes', '-----BEGIN X-----', '-a'],
    ['a JSON Web Token', 'eyJ', 'a'],
    ['a token of GitHub', 'ghp_', 'a'],
    ['credentials', 'Basic A', 'a'],
    ['a string', 'token="', 'a'],
    ['a string with escapes', 'token="', '\\a'],
    ['a string in a string', 'token=\\"', '\\\\a'],
    ['a list', 'token=[', '['],
    ['lines', 'token:\n', ' a\n'],
    ['a word', 'token=', 'a'],
    ['a name', 'token', 'a'],
    ['base64 of PEM', 'LS0tLS1CRUdJTi', 'a'],
    ['authorization', 'authorization: ', 'a'],
    ['a bearer', 'bearer ', 'a'],
    ['a login of a registry', '"auth":"', 'a'],
    ['a signature', '?sig=', 'a'],
    ['an address', 'a:', 'b@'],
    ['a port', 'a://b:', '1'],
    ['a path', 'a://b:c/', '/'],
    ['cookies', 'cookie: a=', 'a;'],
  ])('%s of 20 MB', (_, begin, piece) => {
    const secret = begin + piece.repeat(20_000_000 / piece.length);
    expect(() => redacted(`${secret} a:b@c`)).not.toThrow();
  });
});
