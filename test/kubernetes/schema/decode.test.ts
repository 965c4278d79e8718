import { describe, expect, test } from '@jest/globals';
import { decode } from '../../../src/kubernetes/schema/decode.ts';
import { encodeText } from '../../../src/kubernetes/schema/encode.ts';
import {
  bool,
  embeddedFields,
  int,
  int32,
  int64,
  list,
  map,
  optional,
  pointer,
  quantity,
  raw,
  required,
  string,
  struct,
  text,
  time,
} from '../../../src/kubernetes/schema/schema.ts';

const Engine = struct('v1.Engine', { power: optional(int), fuel: required(text('v1.Fuel')) });
const Car = struct('v1.Car', {
  name: required(string),
  doors: optional(int32),
  mileage: optional(pointer(int64)),
  parked: optional(bool),
  colors: optional(list(string)),
  labels: optional(map(string)),
  weights: optional(map(quantity)),
  built: optional(time),
  sold: optional(pointer(time)),
  extras: optional(pointer(raw)),
  spare: optional(pointer(Engine)),
  wheels: required(list(Engine)),
  ...embeddedFields('Engine', Engine),
});

const value = (data: unknown) => {
  const decoded = decode(Car, data);
  if ('error' in decoded) throw new Error(decoded.error);
  return decoded.value;
};
const error = (data: unknown) => {
  const decoded = decode(Car, data);
  return 'error' in decoded ? decoded.error : undefined;
};
const rewritten = (data: unknown) => encodeText(Car, value(data));

describe('decoding', () => {
  test('drops nulls and unknown fields, and keeps empty values', () => {
    expect(
      value({ name: null, doors: null, colors: [], labels: {}, spare: {}, color: 'red', Name: 'x' }),
    ).toEqual({ colors: [], labels: {}, spare: {} });
  });

  test('turns null in a list or an object into the empty value', () => {
    expect(value({ colors: [null], labels: { a: null }, wheels: [null] })).toEqual({
      colors: [''],
      labels: { a: '' },
      wheels: [{}],
    });
  });

  test('normalizes times and quantities', () => {
    expect(value({ built: '2024-05-01T10:00:00.9+02:00', weights: { cpu: '1000m', gpu: 2 } })).toEqual({
      built: '2024-05-01T08:00:00Z',
      weights: { cpu: '1', gpu: '2' },
    });
    expect(value({ built: '0001-01-01T00:00:00Z' })).toEqual({});
  });

  test('matches names in any case only with anyCase', () => {
    expect(decode(Car, { NAME: 'x' }, { anyCase: true })).toEqual({ value: { name: 'x' } });
  });
});

describe('a decoding error', () => {
  test.each([
    [{ doors: '4' }, 'string into Go struct field Car.doors of type int32'],
    [{ doors: 4.5 }, 'number 4.5 into Go struct field Car.doors of type int32'],
    [{ doors: 2 ** 31 }, 'number 2147483648 into Go struct field Car.doors of type int32'],
    [{ mileage: 1e19 }, 'number 10000000000000000000 into Go struct field Car.mileage of type int64'],
    [{ mileage: true }, 'bool into Go struct field Car.mileage of type int64'],
    [{ name: 5 }, 'number into Go struct field Car.name of type string'],
    [{ colors: {} }, 'object into Go struct field Car.colors of type []string'],
    [{ colors: ['red', 5] }, 'number into Go struct field Car.colors of type string'],
    [{ labels: [] }, 'array into Go struct field Car.labels of type map[string]string'],
    [{ labels: { a: 1 } }, 'number into Go struct field Car.labels of type string'],
    [{ spare: 'x' }, 'string into Go struct field Car.spare of type v1.Engine'],
    [{ spare: { fuel: 1 } }, 'number into Go struct field Engine.spare.fuel of type v1.Fuel'],
    [{ wheels: 'x' }, 'string into Go struct field Car.wheels of type []v1.Engine'],
    [{ fuel: [] }, 'array into Go struct field Car.Engine.fuel of type v1.Fuel'],
    [{ built: 5 }, 'number into Go struct field Car.built of type string'],
  ])('has the message of Go for %j', (data, message) => {
    expect(error(data)).toBe(`json: cannot unmarshal ${message}`);
  });

  test('reports the first invalid field', () => {
    expect(error({ name: 1, doors: 'x' })).toMatch(/Car\.name/);
    expect(error({ doors: 'x', name: 1 })).toMatch(/Car\.doors/);
  });

  test('reports an invalid quantity before an invalid type in an earlier field', () => {
    expect(error({ name: 1, weights: { cpu: 'much' } })).toBe(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test.each([
    ['yesterday', 'cannot parse "yesterday" as "2006"'],
    ['2024-13-01T00:00:00Z', 'month out of range'],
    ['2024-02-30T00:00:00Z', 'day out of range'],
    ['2024-02-03', 'cannot parse "" as "T"'],
    ['2024-02-03T24:00:00Z', 'hour out of range'],
    ['2024-02-03T10:00:00', 'cannot parse "" as "Z07:00"'],
    ['2024-02-03T10:00:00Z!', 'extra text: "!"'],
  ])('reports the invalid time %s', (built, problem) => {
    const [what, rest] = problem.startsWith('cannot')
      ? [` as "2006-01-02T15:04:05Z07:00"`, problem]
      : ['', problem];
    expect(error({ built })).toBe(`parsing time "${built}"${what}: ${rest}`);
  });
});

describe('encoding', () => {
  test('omits empty optional fields and writes required fields', () => {
    expect(rewritten({ name: '', doors: 0, parked: false, colors: [], labels: {}, built: null })).toBe(
      '{"name":"","wheels":null,"fuel":""}',
    );
  });

  test('keeps pointers to empty values', () => {
    expect(rewritten({ mileage: 0, spare: {}, wheels: [] })).toBe(
      '{"name":"","mileage":0,"spare":{"fuel":""},"wheels":[],"fuel":""}',
    );
  });

  test('sorts fields in the order of the type, and labels by bytes', () => {
    expect(rewritten({ labels: { b: 'x', '9': 'y', '10': 'z', B: '' }, name: 'n' })).toBe(
      '{"name":"n","labels":{"10":"z","9":"y","B":"","b":"x"},"wheels":null,"fuel":""}',
    );
  });

  test('escapes HTML characters, and prints large integers in full', () => {
    expect(rewritten({ name: '<a&b>', mileage: 2 ** 60 })).toBe(
      '{"name":"\\u003ca\\u0026b\\u003e","mileage":1152921504606846976,"wheels":null,"fuel":""}',
    );
  });
});
