import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { toYaml } from '../../../src/views/forms/yaml.ts';

test.each([
  ['escape sequences and control characters', '\u001b[31m \u009b2J \u0007 \r'],
  ['bidirectional overrides', 'user\u202etxt'],
  ['zero-width characters', 'a\u200bb\u{e0041}'],
  ['several lines', 'a\n  b\tc\n'],
])('YAML escapes %s, and keeps the value', (_, text) => {
  const document = { text, [text]: ['x'] };
  const printed = toYaml(document);
  expect(load(printed)).toEqual(document);
  expect(printed).not.toMatch(/[^\n\t\x20-\x7e]/);
});

test('object fields are sorted by name on request', () => {
  expect(toYaml([{ b: { d: 1, c: 2 }, a: 3 }], { sortKeys: true })).toBe(
    '- a: 3\n  b:\n    c: 2\n    d: 1\n',
  );
});

test('YAML masks secrets', () => {
  expect(toYaml({ url: 'http://a:b@c', password: 'hunter2' })).toBe("url: http://***@c\npassword: '***'\n");
});
