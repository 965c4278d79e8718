import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutManagedFields } from '../../../src/state/live/managedFields.ts';

const entry = {
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': { 'k:{"uid":"]"}': {}, 'v:"\\"': {} } },
  manager: 'a "quoted] \\" one',
};
const cut = (value: unknown) => JSON.parse(cutManagedFields(JSON.stringify(value))) as unknown;

test('managedFields are removed from any position in metadata', () => {
  const managedFields = [entry, { manager: 'x', operation: 'Update', apiVersion: 'v1' }];
  expect(cut({ metadata: { labels: {}, managedFields, name: 'a' }, spec: [1] })).toEqual({
    metadata: { labels: {}, name: 'a' },
    spec: [1],
  });
  expect(cut({ metadata: { name: 'a', managedFields: [{ manager: 'x' }] } })).toEqual({
    metadata: { name: 'a' },
  });
  const items = [1, 2, 3].map((uid) => ({ metadata: { name: 'ü', managedFields, uid } }));
  expect(cut({ items })).toEqual({ items: [1, 2, 3].map((uid) => ({ metadata: { name: 'ü', uid } })) });
});

test('a field named managedFields outside metadata remains', () => {
  const values = [
    { a: 1, managedFields: [] },
    { a: 1, managedFields: [{ name: 'mine' }] },
    { a: 1, managedFields: 'text' },
    { text: ',"managedFields":[{"manager":"x"}]' },
    { 'key,"managedFields': [{ manager: 'x' }] },
  ];
  for (const value of values) expect(cut(value)).toEqual(value);
});

test('truncated JSON remains invalid without managedFields', () => {
  const text = JSON.stringify({ metadata: { name: 'a', managedFields: [entry] } });
  for (let length = 30; length < text.length - 2; length++)
    expect(() => JSON.parse(cutManagedFields(text.slice(0, length)))).toThrow(SyntaxError);
});

test('all fields except managedFields remain unchanged', () => {
  const metadata = fc.record({ name: fc.string(), annotations: fc.dictionary(fc.string(), fc.string()) });
  fc.assert(
    fc.property(fc.array(fc.tuple(metadata, fc.jsonValue(), fc.string())), (objects) => {
      const bare = objects.map(([metadata, spec]) => ({ metadata, spec }));
      const managed = objects.map(([metadata, spec, manager]) => ({
        metadata: {
          ...metadata,
          managedFields: [{ apiVersion: 'v1', fieldsV1: { [manager]: spec }, manager }],
          uid: 'u',
        },
        spec,
      }));
      const expected = bare.map(({ metadata, spec }) => ({ metadata: { ...metadata, uid: 'u' }, spec }));
      expect(cutManagedFields(JSON.stringify(managed))).toBe(JSON.stringify(expected));
    }),
  );
});
