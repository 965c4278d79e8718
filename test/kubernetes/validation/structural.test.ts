import { describe, expect, test } from '@jest/globals';
import {
  int32,
  list,
  map,
  optional,
  quantity,
  required,
  string,
  struct,
  time,
} from '../../../src/kubernetes/schema/schema.ts';
import { applyStructuralDefaults, structuralErrors } from '../../../src/kubernetes/validation/structural.ts';

const Step = struct('v1.Step', {
  name: required(string, { minLength: 1, maxLength: 5, pattern: /^[a-z]*$/ }),
  seconds: optional(int32, { default: 300, minimum: 1 }),
});
const Plan = struct('v1.Plan', {
  mode: optional(string, { default: 'Slow', enum: ['Slow', 'Fast'] }),
  steps: required(list(Step), { minItems: 1 }),
  start: optional(time),
  size: optional(quantity),
});

test('defaults apply to absent fields of existing objects only', () => {
  expect(applyStructuralDefaults(Plan, { steps: [{ name: 'a' }, { seconds: 0 }] })).toEqual({
    mode: 'Slow',
    steps: [{ name: 'a', seconds: 300 }, { seconds: 0 }],
  });
  expect(applyStructuralDefaults(Plan, {})).toEqual({ mode: 'Slow' });
});

test('a null field gets its default or is dropped; unknown fields are dropped', () => {
  expect(applyStructuralDefaults(Plan, { mode: null, steps: null, other: 1 })).toEqual({ mode: 'Slow' });
});

describe('structural validation', () => {
  const step = { name: 'a' };
  test.each([
    [{}, 'steps: Required value'],
    [{ steps: [] }, 'steps: Invalid value: 0: steps in body should have at least 1 items'],
    [{ steps: 5 }, 'steps: Invalid value: "integer": steps in body must be of type array: "integer"'],
    [{ steps: [step], mode: 'Warp' }, 'mode: Unsupported value: "Warp": supported values: "Slow", "Fast"'],
    [{ steps: [{}] }, 'steps[0].name: Required value'],
    [
      { steps: [{ name: '' }] },
      'steps[0].name: Invalid value: "": steps[0].name in body should be at least 1 chars long',
    ],
    [{ steps: [{ name: 'abcdef' }] }, 'steps[0].name: Too long: may not be more than 5 bytes'],
    [
      { steps: [{ name: 'A' }] },
      `steps[0].name: Invalid value: "A": steps[0].name in body should match '^[a-z]*$'`,
    ],
    [
      { steps: [{ ...step, seconds: 0 }] },
      'steps[0].seconds: Invalid value: 0: steps[0].seconds in body should be greater than or equal to 1',
    ],
    [
      { steps: [{ ...step, seconds: 1.5 }] },
      'steps[0].seconds: Invalid value: "number": steps[0].seconds in body must be of type integer: "number"',
    ],
    [
      { steps: [step], start: 'now' },
      'start: Invalid value: "now": start in body must be of type date-time: "now"',
    ],
    [
      { steps: [step], size: true },
      'size: Invalid value: "boolean": size in body must be of type integer,string: "boolean"',
    ],
  ])('rejects %j', (data, message) => {
    expect(structuralErrors(Plan, data, '').map((error) => error.message)).toEqual([message]);
  });

  test('accepts a valid object', () => {
    expect(structuralErrors(Plan, { steps: [step], start: '2024-01-01T00:00:00Z', size: 2 }, '')).toEqual([]);
  });
});

describe('structural validation of an update', () => {
  const Team = struct('v1.Team', {
    lead: optional(Step),
    steps: optional(list(Step)),
    rooms: optional(map(Step)),
  });
  const messages = (data: unknown, stored: unknown) =>
    structuralErrors(Team, data, '', stored).map(({ message }) => message);
  const noName = { seconds: 5 };
  const missing = (path: string) => `${path}.name: Required value`;

  test('rejects a missing field only if another field of the same object changes', () => {
    expect(messages({ lead: noName, steps: [] }, { lead: noName })).toEqual([]);
    expect(messages({ lead: { seconds: 6 } }, { lead: noName })).toEqual([missing('lead')]);
    expect(messages({ lead: noName }, {})).toEqual([missing('lead')]);
  });

  test('rejects an invalid value only if that value changes', () => {
    const long = 'abcdef';
    expect(messages({ lead: { name: long, seconds: 6 } }, { lead: { name: long } })).toEqual([]);
    expect(messages({ lead: { name: `${long}g` } }, { lead: { name: long } })).toHaveLength(1);
  });

  test('compares map values by their keys', () => {
    expect(messages({ rooms: { a: noName, b: { name: 'b' } } }, { rooms: { a: noName } })).toEqual([]);
    expect(messages({ rooms: { b: noName } }, { rooms: { a: noName } })).toEqual([missing('rooms.b')]);
  });

  test('validates all items of a changed list', () => {
    const stored = { steps: [noName] };
    expect(messages({ ...stored, lead: { name: 'a' } }, stored)).toEqual([]);
    expect(messages({ steps: [noName, { name: 'a' }] }, stored)).toEqual([missing('steps[0]')]);
  });
});
