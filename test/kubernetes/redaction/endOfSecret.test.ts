import { describe, expect, test } from '@jest/globals';
import { blockBelow, endOfPem, UNQUOTED, valueAt } from '../../../src/kubernetes/redaction/endOfSecret.ts';

describe('the end of a secret value', () => {
  const found = (text: string, unquoted = UNQUOTED.value) => {
    const part = valueAt(text, 0, unquoted);
    return part && text.slice(part.from, part.to);
  };

  test.each([
    ['"a\\"b" c', 'a\\"b'],
    ['"a\\\\" c', 'a\\\\'],
    ['"a', 'a'],
    ['"a\\', 'a\\'],
    ['""', ''],
    ["'a\\' b", 'a\\'],
    ["'a b", 'a b'],
    ['\\"a\\" b', 'a'],
    ["\\\\\\'a\\\\n\\\\\\' b", 'a\\\\n'],
    ['\\"a\nb\\"', 'a'],
    ['\\"a\rb\\"', 'a'],
    ['\\"a\\\\', 'a\\\\'],
    ['[1, 2] c', '[1, 2]'],
    ['{"a": "}", "b": [{}]} c', '{"a": "}", "b": [{}]}'],
    ['{\\"a\\": [\\"b\\"]}, c', '{\\"a\\": [\\"b\\"]}'],
    ['[\\]] c', '[\\]]'],
    ['[{"a": 1', '[{"a": 1'],
    ['a,b', 'a'],
    ['a;b', 'a'],
    ['a}b', 'a'],
  ])('given %s, the value is %s', (text, value) => {
    expect(found(text)).toBe(value);
  });

  test.each([
    ['a,b&c d', UNQUOTED.word, 'a,b&c'],
    ['a,b&c d', UNQUOTED.query, 'a,b'],
    ['a,b#c d', UNQUOTED.query, 'a,b'],
  ])('given unquoted %s and the pattern %s, the value is %s', (text, unquoted, value) => {
    expect(found(text, unquoted)).toBe(value);
  });

  test.each([' a', ',', '\\a', '', '\\'])('%j contains no value', (text) => {
    expect(found(text)).toBeUndefined();
  });
});

describe('the block below a secret name', () => {
  const below = (text: string) => {
    const at = text.indexOf(':') + 1;
    const part = blockBelow(text, at);
    return part && text.slice(part.from, part.to);
  };

  test.each([
    ['password:\n  a\n  b\nuser: x', 'a\n  b'],
    ['password:|\n  a\n\n   b\nuser: x', 'a\n\n   b'],
    ['password:>-2  \r\n  a', 'a'],
    ['  password:|+\n    a\n  user: x', 'a'],
    ['- password:\n    a\n  user: x', 'a'],
    ['x\n password:\n  a\n b', 'a'],
    ['password:\n\n  a\n', 'a'],
  ])('of %j is %j', (text, value) => {
    expect(below(text)).toBe(value);
  });

  test.each([
    'password:\nuser: x',
    'password: a\n  b',
    'password:12\n  b',
    'password:',
    'password:\n',
    ' password:\n b: x',
  ])('is absent in %j', (text) => {
    expect(below(text)).toBeUndefined();
  });
});

describe('the end of PEM data', () => {
  const hidden = (text: string) => text.slice(0, endOfPem(text, 0));

  test.each([
    ['\nMI\n-----END X----- a', '\nMI\n-----END X-----'],
    ['\nVersion: 1 (a)\n\nMI\n-----end x-----', '\nVersion: 1 (a)\n\nMI\n-----end x-----'],
    ['\nMI-- a. b', '\nMI'],
    ['\nMI. a', '\nMI'],
    ['\nMI","b":"-----END X-----', '\nMI'],
    ['\\nMI\\n-----BEGIN', '\\nMI\\n'],
    ['', ''],
  ])('in %j is behind %j', (text, end) => {
    expect(hidden(text)).toBe(end);
  });
});
