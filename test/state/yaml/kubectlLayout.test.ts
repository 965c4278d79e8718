import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { parseAnyYaml } from '../../../src/state/yaml/anyYaml.ts';
import { parseKubectlLayout } from '../../../src/state/yaml/kubectlLayout.ts';
import { expectSamePlaces, slowly } from './wholeParser.ts';

const key = fc.constantFrom(
  'a',
  'name',
  'a.b/c',
  'a b',
  '- a',
  'a: b',
  '#x',
  "it's",
  'x:',
  '{',
  'f:x',
  'ключ',
);
const word = fc.constantFrom(
  ...['yes', '0777', '1e3', '~', 'a: b', 'a #b', "it's", 'say "x"', '- a', '?', '|', '', ' ', '😀', 'a\\b'],
  ...[
    'two\nlines',
    'end\n',
    '\n\nlead',
    '  indented\nless',
    'blank\n\n\nlines\n\n',
    'tab\tx',
    'x'.repeat(100),
  ],
  'words to be folded '.repeat(9),
  'it is "folded": yes, '.repeat(8),
);
const text = fc.oneof(
  word,
  fc.string(),
  fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const object = fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 });

const plainObject = (given: unknown) => JSON.parse(JSON.stringify(given)) as unknown;

describe('the fast parser for kubectl YAML', () => {
  test('agrees with the full parser in both list styles', () => {
    let answered = 0;
    fc.assert(
      fc.property(object, fc.boolean(), (given, noArrayIndent) => {
        const yaml = dump(given, { forceQuotes: true, noRefs: true, noArrayIndent, lineWidth: 80 });
        const fast = parseKubectlLayout(yaml);
        if (fast === undefined) return;
        answered++;
        expect(fast).toEqual(slowly(yaml));
        expectSamePlaces(yaml, fast);
        expect(plainObject(fast)).toEqual(plainObject(given));
      }),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  test.each([
    ['a: 1\n', { a: 1 }],
    ['a:\n- b: 1\n  c:\n  - d\n- e\n', { a: [{ b: 1, c: ['d'] }, 'e'] }],
    ['a:\nb: ""\n', { a: null, b: '' }],
    ['yes: 1\n0777: 2\n', { true: 1, '511': 2 }],
    ['"yes": 1\n\'no\': 2\n', { yes: 1, no: 2 }],
    ['a: |-\n  x\n   y\n\n  z\n', { a: 'x\n y\n\nz' }],
    ['a: one\n  two\n\n  three\n', { a: 'one two\nthree' }],
    ['a: "one\n  two\\\n  \\ three"\n', undefined],
    ['a: "\\u00e9\\t\\"x\\" \\\\"\n', { a: 'é\t"x" \\' }],
    ['a: 1 # comment\nb: # comment\n  c: "d" # e\n', { a: 1, b: { c: 'd' } }],
    ['a: [1, b, {c: yes}]\nd: {e: f, g: []} # h\n', { a: [1, 'b', { c: true }], d: { e: 'f', g: [] } }],
    ['# comment\na: 1\n# another\nb: 2\n', { a: 1, b: 2 }],
  ])('parses %j', (yaml, expected) => {
    expect(parseKubectlLayout(yaml)).toEqual(expected);
  });

  test.each([
    'a: &x 1',
    'a: *x',
    'a: !!str 1',
    'a: [1, "b"]',
    'a: [1,\n  2]',
    'a: {b: 1, b: 2}',
    'a: [b: 1]',
    'a: [b c]',
    'a: [1,]',
    'a: [1] b',
    'a: [1]#b',
    'a: >\n  x\n',
    'a: 1 # comment\n  and more',
    'a: b: c',
    'a: 1\na: 2',
    '<<: x',
    'null: x',
    '1.5: x',
    'a: .inf',
    'a:\tb',
    'a: b\r\nc: d\r\n',
    'a: "\\x41"',
    'a:\n  b: 1\n c: 2\n',
    '? a\n: b\n',
    'constructor: 1\nconstructor: 2',
    '__proto__: 1',
    '@a: 1',
    'scalar',
    '--- {a: b}',
    '--- a: b',
    '... a: b',
    'a: "x\ny"',
    "a:\n  b: 'x\n  y'",
  ])('leaves %j to the full parser', (yaml) => {
    expect(parseKubectlLayout(yaml)).toBeUndefined();
  });
});

describe('the full YAML parser', () => {
  test.each([
    ['a: {yes: no, 0x10: 1, 1.10: x}', { a: { true: false, '16': 1, '1.1': 'x' } }],
    [
      'a: !!str 0777\nb: !!int "5"\nc: !foo 12\nd: !!binary aGVsbG8=',
      { a: '0777', b: 5, c: '12', d: 'hello' },
    ],
    ['a: 2001-01-01\nb: !!timestamp 2001-01-01', { a: '2001-01-01', b: '2001-01-01' }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    // merged keys override earlier ones: go-yaml v2 goes by order
    ['b: &x {p: 1, q: 2}\nc: {<<: *x, q: 3}', { b: { p: 1, q: 2 }, c: { p: 1, q: 3 } }],
    ['b: &x {p: 1, q: 2}\nc: {q: 3, <<: *x}', { b: { p: 1, q: 2 }, c: { q: 2, p: 1 } }],
    ['b: &x {p: 1}\nc: {<<: [*x, {p: 2, z: 3}]}', { b: { p: 1 }, c: { p: 1, z: 3 } }],
  ])('parses %j as kubectl does', (yaml, expected) => {
    expect(slowly(yaml)).toEqual(expected);
  });

  test('uses the last value of a duplicate name, with a warning', () => {
    const warnings: string[] = [];
    const result = parseAnyYaml('a: 1\nb:\n  c: 1\n  c: 2\n', (line, message) =>
      warnings.push(`${line}: ${message}`),
    );
    expect(result).toEqual({ a: 1, b: { c: 2 } });
    expect(warnings).toEqual(['3: c is duplicated in one object; the last one counts, as for kubectl']);
  });

  test('accepts a value with thousands of aliases', () => {
    const entries = Array.from({ length: 5000 }, () => '- *x\n').join('');
    expect(slowly(`x: &x {a: [1, 2, 3]}\nall:\n${entries}`)).toHaveProperty('all.length', 5000);
  });
});
