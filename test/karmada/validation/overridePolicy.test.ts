import { describe, expect, test } from '@jest/globals';
import { admitObject } from '../../../src/karmada/defaults/admitObject.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';

// karmada-webhook's responses to overrides; those of v1.18.2 come from its own code (test/oracle).

const admit = (spec: object, version = 'v1.18.2', kind = 'OverridePolicy', namespace = 'shop') => {
  const verdict = admitObject({
    kind,
    operation: 'CREATE',
    namespace,
    object: { apiVersion: 'policy.karmada.io/v1alpha1', kind, metadata: { name: 'o', namespace }, spec },
    rules: dialectOf(version).dialect.rules,
    permanentId: 'id',
  });
  return verdict.allowed ? [] : verdict.errors.map(({ message }) => message);
};
const overriding = (overriders: object, targetCluster?: object) => ({
  overrideRules: [{ ...(targetCluster && { targetCluster }), overriders }],
});
const at = 'spec.overrideRules[0].overriders';

describe('an override policy is refused', () => {
  test.each([
    [
      'if a label key is invalid',
      overriding({ labelsOverrider: [{ operator: 'add', value: { 'a b': 'ok' } }] }),
      `${at}.labelsOverrider[0].value: Invalid value: "a b": name part must consist of`,
    ],
    [
      'if an annotation key is invalid',
      overriding({ annotationsOverrider: [{ operator: 'add', value: { 'a b': 'any' } }] }),
      `${at}.annotationsOverrider[0].value: Invalid value: "a b": name part must consist of`,
    ],
    [
      'if the path of an image predicate is invalid',
      overriding({
        imageOverrider: [{ component: 'Tag', operator: 'replace', predicate: { path: 'spec/x' } }],
      }),
      `${at}.imageOverrider[0].predicate.path: Invalid value: "spec/x": JSON pointer must be empty or start with a "/\nJSON pointer error`,
    ],
    [
      'if a field operation has no value or is missing',
      overriding({
        fieldOverrider: [
          { fieldPath: '/data/x', yaml: [{ subPath: '/a', operator: 'add' }] },
          { fieldPath: '/data/y' },
        ],
      }),
      `${at}.fieldOverrider[0].yaml[0].value: Invalid value: null: value is required for add or replace operation`,
      `${at}.fieldOverrider[1]: Required value: FieldOverrider must have either JSON or YAML set`,
    ],
    [
      'if a remove operation has a value',
      overriding({
        fieldOverrider: [{ fieldPath: '/data/x', json: [{ subPath: '', operator: 'remove', value: 5 }] }],
      }),
      `${at}.fieldOverrider[0].json[0].value: Invalid value: 5: value is not allowed for remove operation`,
    ],
    [
      'if it selects clusters by an unknown field',
      overriding(
        {},
        { fieldSelector: { matchExpressions: [{ key: 'city', operator: 'In', values: ['berlin'] }] } },
      ),
      'spec.overrideRules[0].targetCluster.fieldSelector: Invalid value: {"matchExpressions":[{"key":"city","operator":"In","values":["berlin"]}]}: unsupported key "city", must be provider, region, or zone',
    ],
    [
      'if it combines overrideRules with targetCluster',
      { ...overriding({}), targetCluster: { clusterNames: ['m'] } },
      `spec.targetCluster: Invalid value: {"clusterNames":["m"]}: overrideRules and targetCluster can't co-exist`,
    ],
    [
      'if the operator of a command is invalid',
      overriding({ commandOverrider: [{ containerName: 'c', operator: 'replace' }] }),
      `${at}.commandOverrider[0].operator: Unsupported value: "replace": supported values: "add", "remove"`,
    ],
    [
      'if it selects objects in another namespace',
      { ...overriding({}), resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'bank' }] },
      'spec.resourceSelectors[0].namespace: Invalid value: "bank": namespace of resource selector must be the same as the namespace of the policy',
    ],
  ] as [string, object, ...string[]][])('%s', (_, spec, ...errors) => {
    expect(admit(spec)).toEqual(errors.map((error) => expect.stringContaining(error) as unknown));
  });
});

test('an override accepts any value at any path, and all namespaces in a ClusterOverridePolicy', () => {
  const values = ['text', 3, true, [1], { a: 1 }].map((value) => ({
    path: '/spec/x',
    operator: 'replace',
    value,
  }));
  expect(admit(overriding({ plaintext: values }))).toEqual([]);
  expect(
    admit(
      { ...overriding({}), resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'bank' }] },
      'v1.18.2',
      'ClusterOverridePolicy',
      '',
    ),
  ).toEqual([]);
  expect(admit({ overriders: { plaintext: values }, targetCluster: { clusterNames: ['m'] } })).toEqual([]);
});

test('an invalid override has the errors of its version', () => {
  const image = overriding({
    imageOverrider: [{ component: 'Tag', operator: 'replace', predicate: { path: 'x' } }],
  });
  const problem = (version: string) => admit(image, version)[0]!.split(': ').at(-1);
  expect(problem('v1.11.8')).toBe('path should be start with / character');
  expect(problem('v1.16.8')).toBe('JSON pointer must be empty or start with a "/');
  expect(problem('v1.19.0')).toBe('JSON pointer must be empty or start with a "/"\nJSON pointer error');
  const field = overriding({ fieldOverrider: [{ fieldPath: 'x' }] });
  expect(admit(field, 'v1.11.8')).toEqual([]);
  expect(admit(field, 'v1.17.5')).toHaveLength(1);
  expect(admit(field)).toHaveLength(2);
});
