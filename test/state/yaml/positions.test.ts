import { describe, expect, test } from '@jest/globals';
import { readOneDocument, readPositioned } from '../../../src/state/yaml/positions.ts';
import { yamlDocuments } from '../../../src/state/yaml/yamlDocuments.ts';

const POLICY = `# marks clusters that lose their network
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: network
  labels: {app.kubernetes.io/name: taints, on: yes}
spec:
  taints:
  - key: network
    effect: NoExecut
  - key: 'other'
---
# nothing but words
---
kind: Second
`;
const JSON_TEXT = `{
  "spec": {"taints": [
    {"key": "a", "effect": "NoExecut"}],
    "a.b": {"constructor": 1, "__proto__": 2}}
}`;

const read = (text: string) => readPositioned(text, 'file.yaml');
const problemOf = (text: string) => {
  try {
    read(text);
  } catch (error) {
    return `${(error as Error).name} ${(error as Error).message}`;
  }
  throw new Error('it was read');
};

describe('a hand-written file', () => {
  test('has the values that kubectl reads', () => {
    const { documents, warnings } = read(POLICY);
    expect(documents.map(({ value }) => value)).toEqual([
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'ClusterTaintPolicy',
        metadata: { name: 'network', labels: { 'app.kubernetes.io/name': 'taints', true: true } },
        spec: { taints: [{ key: 'network', effect: 'NoExecut' }, { key: 'other' }] },
      },
      { kind: 'Second' },
    ]);
    expect(warnings).toEqual([]);
    expect(
      read('mode: 0777\nversion: 1.10\nday: 2026-01-02\ntext: "0777"\nempty:').documents[0]!.value,
    ).toEqual({
      mode: 511,
      version: 1.1,
      day: '2026-01-02',
      text: '0777',
      empty: null,
    });
    expect(read('').documents).toEqual([]);
  });

  test.each([
    ['spec.taints[0].effect', 10, 5],
    ['spec.taints[1]', 11, 5],
    ['metadata.labels[app.kubernetes.io/name]', 6, 12],
    ['metadata.labels["app.kubernetes.io/name"]', 6, 12],
    ['', 2, 1],
  ])('has %s on line %i, column %i', (path, line, column) => {
    expect(read(POLICY).documents[0]!.at(path)).toEqual({ line, column });
  });

  test('has a missing field at the place of its parent', () => {
    const [first, second] = read(POLICY).documents;
    expect(first!.at('spec.taints[1].effect')).toEqual({ line: 11, column: 5 });
    expect(first!.at('spec.taints[7].effect')).toEqual({ line: 8, column: 3 });
    expect(second!.at('metadata.name')).toEqual({ line: 15, column: 1 });
    expect(second!.at('')).toEqual({ line: 15, column: 1 });
    expect(first!.at(['metadata', 'name', 'deeper', 0])).toEqual({ line: 5, column: 3 });
  });

  test('may be JSON with positions', () => {
    const { value, at } = readPositioned(JSON_TEXT, 'file.json').documents[0]!;
    expect(value).toEqual(JSON.parse(JSON_TEXT));
    expect(at('spec.taints[0].effect')).toEqual({ line: 3, column: 18 });
    expect(at(['spec', 'a.b', '__proto__'])).toEqual({ line: 4, column: 31 });
    expect(at('spec.taints[4]')).toEqual({ line: 2, column: 12 });
    expect(at('')).toEqual({ line: 1, column: 1 });
  });

  test('has repeated and merged values at their original place', () => {
    const { value, at } = read(
      'base: &base\n  color: red\n  size: 1\nown:\n  <<: *base\n  size: 2\nlist: [*base]\n',
    ).documents[0]!;
    expect(value).toMatchObject({ own: { color: 'red', size: 2 }, list: [{ color: 'red', size: 1 }] });
    expect(at('own.color')).toEqual({ line: 2, column: 3 });
    expect(at('own.size')).toEqual({ line: 6, column: 3 });
    expect(at('list[0].size')).toEqual({ line: 3, column: 3 });
  });

  test('has a warning for a duplicate name, and uses the last value', () => {
    const { documents, warnings } = read('a: 1\nb: 2\na: 3\n');
    expect(documents[0]!.value).toEqual({ a: 3, b: 2 });
    expect(warnings).toEqual([
      'file.yaml:3:1: a is duplicated in one object; the last one counts, as for kubectl',
    ]);
  });

  test('may have names of inherited JavaScript properties', () => {
    const text = 'b: &b {__proto__: {taints: [x]}}\nc:\n  <<: *b\n  constructor: 1\n__proto__: 2\n';
    const value = read(text).documents[0]!.value as Record<string, object>;
    expect(Object.keys(value)).toEqual(['b', 'c', '__proto__']);
    expect(Object.keys(value['c']!)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value['c'])).toBe(Object.prototype);
    expect('taints' in value['c']!).toBe(false);
    expect(Object.keys(read('{"__proto__": {"taints": 1}}').documents[0]!.value as object)).toEqual([
      '__proto__',
    ]);
  });
});

describe('quoted YAML text', () => {
  test('may continue without indentation, as in old generated CRDs', () => {
    const text = `spec:\n  a: 'one\n  two'\n  conf: "\nevents {\n}\n"\n  b: 1\n---\nsecond: 2\n`;
    const { documents } = read(text);
    expect(documents.map(({ value }) => value)).toEqual([
      { spec: { a: 'one two', conf: ' events { } ', b: 1 } },
      { second: 2 },
    ]);
    expect(documents[0]!.at('spec.b')).toEqual({ line: 8, column: 3 });
  });

  test('counts once toward the token limit although it is parsed twice', () => {
    const piece = { text: `a: 'one\ntwo'\n`, line: 1 };
    const strict = { tokens: 0 };
    expect([...yamlDocuments({ ...piece, text: `a: 'one\n two'\n` }, '', strict)]).toHaveLength(1);
    const count = { tokens: 0 };
    expect([...yamlDocuments(piece, '', count)]).toHaveLength(1);
    expect(count).toEqual(strict);
  });

  test('is refused with its line if it has no end', () => {
    expect(problemOf('a:\n  b: "x\nc: "1"\n')).toMatch(/file\.yaml:2:8: not valid YAML: Missing closing/);
  });
});

describe('invalid YAML or JSON is refused in one line with file, line and column', () => {
  test.each([
    ['a: [1\nb: 2', '2:1: not valid YAML: the indentation does not fit, or a value needs quotes'],
    ['a: 1\nb\n', '2:1: not valid YAML: a name without ":" after it'],
    ['a:\n\t- b', '2:1: not valid YAML: tabs cannot indent; use spaces'],
    ['a: 1\nb: *c\n', '2:4: *c has no anchor &c above'],
    ['a: &x\n  b: *x\n', '2:6: *x refers to a value that contains it'],
    ['a: 1\n---\nb: .nan\n', '3:4: the number .nan has no form in JSON; put it in quotes if text is meant'],
    ['a: !!int no', '1:10: "no" does not match its tag tag:yaml.org,2002:int'],
    ['~: 1', '1:1: null cannot be a name; put it in quotes'],
    ['? [a]\n: 1', '1:3: a list or an object cannot be a name; put it in quotes if text is meant'],
    ['a:\n  <<: 1', '2:7: "<<" needs an object, or a list of objects, to merge'],
    ['{"a": 1,\n "b": "\\x"}', '2:8: not valid JSON: an unknown escape inside a string'],
    ['{"a": 1', '1:8: not valid JSON: the text is truncated'],
    ['{a: 1', '1:6: not valid YAML: Flow map must end with a }'],
  ])('given %j', (text, message) => {
    expect(problemOf(text)).toBe(`StateError file.yaml:${message}`);
  });
});

describe('a duplicate name', () => {
  test.each([
    ['{"a": 1, "b": [{"a": 1}, {"a": 2}], "c": "a", "a": 2}', '1:47: a is'],
    ['{"x": {"\\u0061": "{\\"a\\":", "a": ","}}', '1:29: a is'],
  ])('in the JSON %s is reported once', (text, place) => {
    const { warnings, mistakes } = read(text);
    expect(warnings).toEqual([
      `file.yaml:${place} duplicated in one object; the last one counts, as for kubectl`,
    ]);
    expect(mistakes).toEqual([`file.yaml:${place} duplicated in one object; keep one of them`]);
  });

  test.each(['a: 1\na: 2\n', '{"a": 1, "a": 2}'])('is refused in a file of this program: %j', (text) => {
    expect(() => readOneDocument(text, 'scenario.yaml')).toThrow(
      /^scenario\.yaml:\d:\d+: a is duplicated in one object; keep one of them$/,
    );
  });

  test('is not reported for different objects or list items', () => {
    expect(read('{"a": {"a": {}}, "b": [{"a": 1}, "a", "a"], "c": "a"}').warnings).toEqual([]);
  });
});
