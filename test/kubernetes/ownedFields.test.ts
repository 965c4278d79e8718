import { describe, expect, test } from '@jest/globals';
import { ownsSpecField } from '../../src/kubernetes/ownedFields.ts';

describe('an entry of managedFields', () => {
  test('owns a field of the spec, or a field inside it', () => {
    expect(ownsSpecField({ fieldsV1: { 'f:spec': { 'f:taints': {} } } }, 'taints')).toBe(true);
    expect(ownsSpecField({ fieldsV1: { 'f:spec': { 'f:taints': { 'v:1': {} } } } }, 'taints')).toBe(true);
  });

  test.each([
    ['for another field', { fieldsV1: { 'f:spec': { 'f:region': {} } } }],
    ['for the status', { fieldsV1: { 'f:status': { 'f:taints': {} } } }],
    ['without fields', { manager: 'kubectl' }],
    ['with null fields', { fieldsV1: null }],
    ['with text in place of the spec', { fieldsV1: { 'f:spec': 'f:taints' } }],
    ['that is text', 'f:taints'],
  ])('%s does not own a field of the spec', (_, entry) => {
    expect(ownsSpecField(entry, 'taints')).toBe(false);
  });
});
