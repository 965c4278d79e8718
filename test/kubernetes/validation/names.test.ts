import { describe, expect, test } from '@jest/globals';
import { dnsSubdomainErrors, labelKeyErrors } from '../../../src/kubernetes/validation/names.ts';

const NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe('a label key', () => {
  test.each(['a', 'A_b.c-1', 'example.com/name', '0'])('may be %s', (key) => {
    expect(labelKeyErrors(key)).toEqual([]);
  });

  test.each([
    ['', ['name part must be non-empty', NAME]],
    ['-a', [NAME]],
    ['a b', [NAME]],
    ['x'.repeat(64), ['name part must be no more than 63 bytes']],
    ['é'.repeat(32), ['name part must be no more than 63 bytes', NAME]],
    ['/a', ['prefix part must be non-empty']],
    ['A/a', [`prefix part ${SUBDOMAIN}`]],
    [`${'x'.repeat(254)}/a`, ['prefix part must be no more than 253 bytes']],
    [
      'a/b/c',
      [expect.stringMatching(/^a valid label key must consist .* \(e\.g\. 'example\.com\/MyName'\)$/)],
    ],
  ])('may not be %j', (key, errors) => {
    expect(labelKeyErrors(key)).toEqual(errors);
  });
});

test('a DNS subdomain consists of labels separated by dots', () => {
  expect(dnsSubdomainErrors('shop.eu')).toEqual([]);
  expect(dnsSubdomainErrors('shop..eu')).toEqual([SUBDOMAIN]);
});
