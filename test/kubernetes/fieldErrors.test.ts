import { expect, test } from '@jest/globals';
import {
  aggregateMessage,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  requiredValue,
  tooLong,
  typed,
} from '../../src/kubernetes/fieldErrors.ts';
import { int32, list, pointer, string, text } from '../../src/kubernetes/schema/schema.ts';

test('an error prints an invalid value like Go: plain, quoted or as JSON', () => {
  expect(invalid('spec.a', -1, 'too little').message).toBe('spec.a: Invalid value: -1: too little');
  expect(invalid('spec.a', false, 'not so').message).toBe('spec.a: Invalid value: false: not so');
  expect(invalid('spec.a', '<a>"\t', 'odd').message).toBe('spec.a: Invalid value: "<a>\\"\\t": odd');
  // named string types are formatted as JSON
  expect(invalid('spec.a', typed(text('v1.Name'), '<'), 'odd').message).toBe(
    'spec.a: Invalid value: "\\u003c": odd',
  );
  expect(invalid('spec.a', typed(list(string), ['x']), 'odd').message).toBe(
    'spec.a: Invalid value: ["x"]: odd',
  );
  expect(invalid('spec.a', typed(pointer(int32), undefined), 'missing').message).toBe(
    'spec.a: Invalid value: null: missing',
  );
});

test('an error contains the type, the field, the value and the detail', () => {
  expect(invalid('spec.a[0]', 'x', 'odd')).toMatchObject({
    type: 'FieldValueInvalid',
    field: 'spec.a[0]',
    badValue: 'x',
    detail: 'odd',
  });
});

test('each type of error has the message of Kubernetes', () => {
  expect(duplicate('a', 'x').message).toBe('a: Duplicate value: "x"');
  expect(forbidden('a', 'not now').message).toBe('a: Forbidden: not now');
  expect(requiredValue('a').message).toBe('a: Required value');
  expect(tooLong('a', 1).message).toBe('a: Too long: may not be more than 1 byte');
  expect(notSupported('a', 'x', ['', 'y']).message).toBe(
    'a: Unsupported value: "x": supported values: "", "y"',
  );
});

test('the aggregate message lists each error once, in brackets', () => {
  const [a, b] = [forbidden('a', 'x'), forbidden('b', 'x')];
  expect(aggregateMessage([a])).toBe('a: Forbidden: x');
  expect(aggregateMessage([a, a])).toBe('a: Forbidden: x');
  expect(aggregateMessage([b, a, b])).toBe('[b: Forbidden: x, a: Forbidden: x]');
});
