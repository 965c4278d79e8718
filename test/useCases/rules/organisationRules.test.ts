import { describe, expect, test } from '@jest/globals';
import { parseOrganisationRules } from '../../../src/useCases/rules/organisationRules.ts';

const parse = (text: string, taken: string[] = []) =>
  parseOrganisationRules(text, 'rules.yaml', new Set(taken));

test('a rule says what must match, or must not; what it leaves out is an error for all kinds', () => {
  expect(
    parse(`rules:
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

describe('a mistake is named with its place', () => {
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
      'rules.yaml:2:41: rules[0].severity: "high" is none of note, warning, error',
    ],
    [
      rule('{id: a, message: m, mustMatch: $.x, kinds: []}'),
      'rules.yaml:2:41: rules[0].kinds: must be a list of kinds, such as ClusterTaintPolicy',
    ],
    [
      rule(`{id: a, message: m, mustMatch: $.${'x'.repeat(1000)}}`),
      'rules.yaml:2:25: rules[0].mustMatch: has 1002 characters; at most 1000 are allowed',
    ],
  ])('%s', (text, message) => {
    expect(() => parse(text, ['taken'])).toThrow(message);
  });
});
