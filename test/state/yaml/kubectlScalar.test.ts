import { describe, expect, test } from '@jest/globals';
import { kubectlScalar } from '../../../src/state/yaml/kubectlScalar.ts';

// Each result is that of sigs.k8s.io/yaml v1.6.0 (YAMLToJSON), with which kubectl 1.34 reads manifests.
describe('a plain YAML scalar has the value that kubectl reads', () => {
  test('given words of YAML 1.1 for true and false', () => {
    const truths = 'y Y yes Yes YES true True TRUE on On ON'.split(' ');
    const untruths = 'n N no No NO false False FALSE off Off OFF'.split(' ');
    expect(truths.map(kubectlScalar)).toEqual(truths.map(() => true));
    expect(untruths.map(kubectlScalar)).toEqual(untruths.map(() => false));
    for (const text of ['tRUE', 'yES', 'oN', 'yess', 'nope']) expect(kubectlScalar(text)).toBe(text);
  });

  test('given words for null', () => {
    for (const text of ['', '~', 'null', 'Null', 'NULL']) expect(kubectlScalar(text)).toBeNull();
    expect(kubectlScalar('nULL')).toBe('nULL');
  });

  test.each([
    ['0777', 511],
    ['0o777', 511],
    ['0O17', 15],
    ['-0777', -511],
    ['+0o17', 15],
    ['0x1F', 31],
    ['0X1f', 31],
    ['-0x1F', -31],
    ['0b101', 5],
    ['+0b101', 5],
    ['0B1', 1],
    ['1_000', 1000],
    ['1__0', 10],
    ['1_', 1],
    ['0x_1', 1],
    ['01_7', 15],
    ['08', 8],
    ['09.5', 9.5],
    ['+12', 12],
    ['-0', 0],
    ['-0.0', -0],
    ['1e3', 1000],
    ['1E+6', 1_000_000],
    ['1e1_0', 1e10],
    ['1.5e-7', 1.5e-7],
    ['.5', 0.5],
    ['-.5e3', -500],
    ['5.', 5],
    ['1.e3', 1000],
    ['1_0.5', 10.5],
    ['.9_0', 0.9],
    ['685_230.15', 685230.15],
    ['9007199254740993', 9007199254740992],
    ['12345678901234567890', 12345678901234567000],
    ['18446744073709551616', 18446744073709552000],
  ])('%s is the number %d', (text, number) => {
    expect(kubectlScalar(text)).toBe(number);
  });

  test.each(
    '2001-01-01 2001-01-01T00:00:00Z 12:30:45 1:20 190:20:30.15 0x1p4 0o8 0b2 0xg 1e400 e3 1e _1 . + - = << ._5 .5_ Infinity inf NaN 0xFFFFFFFFFFFFFFFFFF 1.2.3 10.0.0.1 250m 4Gi v1 30s'.split(
      ' ',
    ),
  )('%s is text', (text) => {
    expect(kubectlScalar(text)).toBe(text);
  });

  test('given infinity and NaN, which are refused later', () => {
    expect(['.inf', '+.Inf', '-.INF', '.nan', '.NaN'].map(kubectlScalar)).toEqual([
      Infinity,
      Infinity,
      -Infinity,
      NaN,
      NaN,
    ]);
  });
});
