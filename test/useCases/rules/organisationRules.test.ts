import { describe, expect, test } from '@jest/globals';
import { parseOrganisationRules } from '../../../src/useCases/rules/organisationRules.ts';

const parse = (text: string, taken: string[] = []) =>
  parseOrganisationRules(text, 'rules.yaml', new Set(taken));

test('a rule requires or forbids a match, and defaults to an error for all kinds', async () => {
  expect(
    await parse(`rules:
  - {id: a, mustMatch: $.x, message: says}
  - {id: b, mustNotMatch: $.y, message: never, severity: note, title: t, help: h, kinds: [Cluster]}`),
  ).toEqual([
    {
      id: 'a',
      must: 'match',
      path: '$.x',
      message: 'says',
      severity: 'error',
      title: 'says',
      help: 'says',
      source: 'rules.yaml:2:5',
    },
    {
      id: 'b',
      must: 'not match',
      path: '$.y',
      message: 'never',
      severity: 'note',
      title: 't',
      help: 'h',
      kinds: ['Cluster'],
      source: 'rules.yaml:3:5',
    },
  ]);
});

describe('an invalid rule is refused with its position', () => {
  const rule = (fields: string) => `rules:\n  - ${fields}`;
  test.each([
    ['[]', 'rules.yaml:1:1: must be an object with fields'],
    ['rule: []', 'rules.yaml:1:1: rule: is not a field here; the fields are rules'],
    ['rules: {}', 'rules.yaml:1:1: rules: must be a list of rules'],
    [rule('7'), 'rules.yaml:2:5: rules[0]: must be an object with fields'],
    [rule('{mustMatch: $.x, message: m}'), 'rules.yaml:2:5: rules[0].id: must be a string that is not empty'],
    [
      rule('{id: A, mustMatch: $.x, message: m}'),
      'rules.yaml:2:6: rules[0].id: "A" must consist of at most 50 lower case letters, digits, - and .',
    ],
    [
      rule('{id: taken, mustMatch: $.x, message: m}'),
      'rules.yaml:2:6: rules[0].id: "taken" is the id of another rule',
    ],
    [
      rule('{id: a, message: m}'),
      'rules.yaml:2:5: rules[0]: must have either mustMatch or mustNotMatch, a JSONPath',
    ],
    [
      rule('{id: a, message: m, mustMatch: $.x, mustNotMatch: $.y}'),
      'rules.yaml:2:5: rules[0]: must have either mustMatch or mustNotMatch, a JSONPath',
    ],
    [
      rule('{id: a, message: m, mustMatch: spec.x}'),
      'rules.yaml:2:25: rules[0].mustMatch: "spec.x" must begin with $, the object',
    ],
    [
      rule('{id: a, message: m, mustMatch: $.x, severity: high}'),
      'rules.yaml:2:41: rules[0].severity: "high" is not one of note, warning, error',
    ],
    [
      rule('{id: a, message: m, mustMatch: $.x, kinds: []}'),
      'rules.yaml:2:41: rules[0].kinds: must be a list of kinds, such as ClusterTaintPolicy',
    ],
    [
      rule(`{id: a, message: m, mustMatch: $.${'x'.repeat(1000)}}`),
      'rules.yaml:2:25: rules[0].mustMatch: has 1002 characters; at most 1000 are allowed',
    ],
  ])('%s', async (text, message) => {
    await expect(parse(text, ['taken'])).rejects.toThrow(message);
  });
});

describe('a rule accepts the JSONPath', () => {
  test.each([
    '$',
    '$.metadata.labels.team',
    "$.metadata.labels['app.kubernetes.io/name']",
    '$.metadata.labels["app.kubernetes.io/name"]',
    '$.metadata.labels[app.kubernetes.io/name]',
    '$.spec.taints[*].key',
    '$.spec.taints[0,1][key,effect]',
    '$.spec.taints[-1:].key',
    '$..effect',
    '$..[0]',
    '$..*',
    '$.spec.taints.*~',
    '$.spec^.metadata',
    '$..key@string()',
    "$.spec.taints[?(!@.key.startsWith('example.com/'))].key",
    "$.spec.taints[?(@.key == 'x' || /^a.b/.test(@.key) && @.value.length > 2)]",
    '$.spec.addOnConditions[?(@.statusValues[?(@.length > 2)])]',
    "$.spec.taints[?(@property > 0)][?(@ == 'x')]",
    "$.spec.taints[?(@.key == @root.metadata.name)]['key']",
  ])('%s', async (path) => {
    const [rule] = await parse(`rules: [{ id: a, message: m, mustMatch: ${JSON.stringify(path)} }]`);
    expect(rule?.path).toBe(path);
  });
});

describe('a rule refuses the JSONPath, with the position of its invalid part', () => {
  test.each([
    ['$.[', 'from character 2 on, .[; leave the . before [ out'],
    ['$[', 'from character 2 on, ['],
    ['$.metadata.labels[', 'from character 18 on, ['],
    ['$.metadata.labels[a', 'from character 18 on, [a'],
    ["$.metadata.labels['a]", "from character 18 on, ['a]"],
    ['$.metadata.', 'from character 11 on, .'],
    ['$.metadata..', 'from character 11 on, ..'],
    ['$.metadata name', 'from character 11 on, name'],
    ['$metadata', 'from character 2 on, metadata'],
    ['$.metadata]', 'from character 11 on, ]'],
    ['$.spec.taints.length()', 'from character 21 on, ()'],
    ['$..[?(', 'from character 2 on, ..[?(; a filter ends with )]'],
    [
      "$.a[?(@.key == '(x)' && @.b)]",
      "[?(@.key == '(x)' && @.b)]; a filter ends with )], and cannot hold )' or )] before",
    ],
    ['$.spec.taints[(@.length-1)]', '[(@.length-1)]; the last of a list is [-1:]'],
    ["$['a','b']", "from character 2 on, ['a','b']; several names are written [a,b]"],
    ['$.spec.taints[-1]', 'from character 14 on, [-1]; the last of a list is [-1:]'],
    ["$.spec.taints[?@.key == 'x']", "[?@.key == 'x']; a filter is written [?(…)]"],
    ['$.spec~.key', 'from character 7 on, ~.key'],
    ['$.spec.taints[?(@.key.foo())]', 'a filter knows no method foo'],
    ['$.spec.taints[?(@.key.length())]', 'a filter knows no method length'],
    ["$.spec.taints[?(startsWith(@.key, 'a'))]", 'a filter knows no method startsWith'],
    ["$.spec.taints[?(key == 'x')]", 'a filter knows no key; fields begin with @.'],
    ["$.spec.taints[?(@.key = 'x')]", 'a filter cannot assign with =; compare with =='],
    ["$.spec.taints[?(@.key 'x')]", 'a filter has to be one expression'],
    ['$.spec.taints[?(@.key ==)]', 'at character'],
    ['$.spec.taints[?(@.list[?(@.key.foo())])]', 'a filter knows no method foo'],
  ])('%s', async (path, problem) => {
    const failure = await parse(
      `rules: [{ id: a, message: m, mustNotMatch: ${JSON.stringify(path)} }]`,
    ).catch((error: unknown) => error);
    expect((failure as Error).message).toContain(
      `rules.yaml:1:30: rules[0].mustNotMatch: ${JSON.stringify(path)} is not a JSONPath: `,
    );
    expect((failure as Error).message).toContain(problem);
  });
});
