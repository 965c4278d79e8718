import { describe, expect, test } from '@jest/globals';
import { ownsSpecField } from '../../src/kubernetes/ownedFields.ts';

describe('an entry of managedFields', () => {
  test('owns a field of the spec, or something within it', () => {
    expect(ownsSpecField({ fieldsV1: { 'f:spec': { 'f:taints': {} } } }, 'taints')).toBe(true);
    expect(ownsSpecField({ fieldsV1: { 'f:spec': { 'f:taints': { 'v:1': {} } } } }, 'taints')).toBe(true);
  });

  test.each([
    ['of another field', { fieldsV1: { 'f:spec': { 'f:region': {} } } }],
    ['of the status', { fieldsV1: { 'f:status': { 'f:taints': {} } } }],
    ['without fields', { manager: 'kubectl' }],
    ['whose fields are null', { fieldsV1: null }],
    ['whose spec is a text', { fieldsV1: { 'f:spec': 'f:taints' } }],
    ['that is no object', 'f:taints'],
  ])('does not: one %s', (_, entry) => {
    expect(ownsSpecField(entry, 'taints')).toBe(false);
  });
});
