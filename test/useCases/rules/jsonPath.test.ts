import { describe, expect, test } from '@jest/globals';
import { JsonPathProblem, jsonPathMatches } from '../../../src/useCases/rules/jsonPath.ts';

const policy = {
  metadata: { labels: { 'app.kubernetes.io/name': 'a', 'a/b~c': 'd' } },
  spec: {
    taints: [
      { key: 'one', effect: 'NoSchedule' },
      { key: 'two', effect: 'NoExecute', value: 'v' },
    ],
  },
};

describe('a JSONPath', () => {
  test.each<[string, (string | number)[][]]>([
    [
      '$.spec.taints[*].key',
      [
        ['spec', 'taints', 0, 'key'],
        ['spec', 'taints', 1, 'key'],
      ],
    ],
    ["$.spec.taints[?(@.effect=='NoExecute')]", [['spec', 'taints', 1]]],
    ["$.metadata.labels['app.kubernetes.io/name']", [['metadata', 'labels', 'app.kubernetes.io/name']]],
    ["$.metadata.labels['a/b~c']", [['metadata', 'labels', 'a/b~c']]],
    ['$.spec.nothing', []],
    ['$..value', [['spec', 'taints', 1, 'value']]],
  ])('selects the expected paths: %s', async (expression, places) => {
    expect(await jsonPathMatches(expression, policy)).toEqual(places);
  });

  test('matches nothing if its filter reads a missing field', async () => {
    expect(await jsonPathMatches('$.spec.taints[?(@.value.length > 0)]', policy)).toEqual([
      ['spec', 'taints', 1],
    ]);
  });

  test('fails if its filter calls a method that a value does not have, also beside missing values', async () => {
    const mixed = { list: [{}, { a: 7 }] };
    await expect(jsonPathMatches("$.list[?(@.a.startsWith('x'))]", mixed)).rejects.toThrow(
      'calls a method that a value does not have',
    );
  });

  test('does not select inherited JavaScript properties', async () => {
    expect(await jsonPathMatches('$.constructor', policy)).toEqual([]);
    const own = JSON.parse('{"a":{"__proto__":{"x":1},"constructor":2}}') as object;
    expect(await jsonPathMatches('$.a.constructor', own)).toEqual([['a', 'constructor']]);
  });
});

describe('a hostile JSONPath', () => {
  test.each([
    [
      'with too long a run time',
      `$.text[?(@.repeat(200000).split("")${'.join().split(",")'.repeat(400)}.length == 1)]`,
      /takes longer than 2 s/,
    ],
    ['with a syntax error', '$.text[?(@.a ==)]', /at character/],
    ['with a lookahead', '$.text[?(@.match(/^(?!b)/))]', /\/\^\(\?!b\)\/ is not RE2/],
    [
      'with too many repetitions',
      '$.text[?(@.match(/a{1001}/))]',
      /is not RE2.*: it repeats something more than 1,000 times/,
    ],
    ['with a string as a regular expression', "$.text[?(@.match('(a+)+$'))]", /match takes a regular/],
  ])('%s fails with a reason', async (_, expression, problem) => {
    const object = { text: ['a'.repeat(20)] };
    const failure = await jsonPathMatches(expression, object).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(JsonPathProblem);
    expect((failure as Error).message).toMatch(problem);
  });

  test('with a backtracking pattern is matched in linear time on any engine', async () => {
    // backtracking would take 2^500 steps
    const object = { text: [`${'a'.repeat(500)}!`, 'a'.repeat(500)] };
    for (const filter of [
      '@.match(/(a+)+$/)',
      '/^(a|aa)+$/.test(@)',
      '@.replace(/(a*)*!/, "").length == 500',
    ])
      expect(await jsonPathMatches(`$.text[?(${filter})]`, object)).toContainEqual(['text', 1]);
    expect(await jsonPathMatches('$.text[?(@.match(/(a+)+$/))]', object)).toEqual([['text', 1]]);
  });

  test.each([
    "$.spec.taints[?(@.constructor.constructor('return process')().exit(9))]",
    '$.spec.taints[?(@.key.constructor.prototype.polluted = 1)]',
    "$.spec.taints[?(@['__proto__']['polluted'] = 1)]",
  ])('accesses only the object: %s', async (expression) => {
    const found = await jsonPathMatches(expression, policy).catch((error: unknown) => error);
    expect(found instanceof JsonPathProblem || (Array.isArray(found) && found.length === 0)).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(('' as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('fails if it selects more than 10,000 paths', async () => {
    const wide = { list: Array.from({ length: 20_000 }, (_, index) => index) };
    await expect(jsonPathMatches('$.list[*]', wide)).rejects.toThrow('selects more than 10000 places');
  });

  test('fails on an object larger than the limit of etcd', async () => {
    await expect(jsonPathMatches('$.a', { a: 'x'.repeat(1_600_000) })).rejects.toThrow('larger than 1.5 MiB');
  });
});
