import { describe, expect, test } from '@jest/globals';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import {
  clusterTaintListErrors,
  clusterTaintRefusal,
} from '../../../src/karmada/validation/clusterTaints.ts';
import { v1_18 } from '../../dialects.ts';

const of = (...taints: object[]) =>
  clusterTaintListErrors(taints as Taint[], 'spec.taints', v1_18.rules.admission).map(
    ({ field, message }) => {
      expect(message.startsWith(`${field}: `)).toBe(true);
      return message;
    },
  );

describe('the Cluster API', () => {
  test.each<[string, object]>([
    ['a NoSchedule taint', { key: 'a', effect: 'NoSchedule' }],
    [
      'a NoExecute taint with a value and a key prefix',
      { key: 'example.com/a_b.c', value: 'v-1', effect: 'NoExecute' },
    ],
  ])('accepts %s', (_what, taint) => {
    expect(of(taint)).toEqual([]);
  });

  test.each<[string, object, RegExp[]]>([
    [
      'the effect PreferNoSchedule',
      { key: 'a', effect: 'PreferNoSchedule' },
      [
        /^spec.taints\[0\].effect: Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "NoExecute"$/,
      ],
    ],
    [
      'an effect in lower case',
      { key: 'a', effect: 'noexecute' },
      [/effect: Unsupported value: "noexecute"/],
    ],
    ['a missing effect', { key: 'a' }, [/^spec.taints\[0\].effect: Required value$/]],
    [
      'a missing key',
      { effect: 'NoSchedule' },
      [
        /key: Invalid value: "": name part must be non-empty$/,
        /key: Invalid value: "": name part must consist of/,
      ],
    ],
    [
      'an invalid key',
      { key: 'a b', effect: 'NoSchedule' },
      [/key: Invalid value: "a b": name part must consist of/],
    ],
    [
      'an invalid value',
      { key: 'a', value: '-', effect: 'NoSchedule' },
      [
        /^spec.taints\[0\].value: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters/,
      ],
    ],
    [
      'a value that is too long',
      { key: 'a', value: 'x'.repeat(64), effect: 'NoSchedule' },
      [/value: Invalid value: "x+": must be no more than 63 bytes$/],
    ],
  ])('refuses %s', (_what, taint, expected) => {
    const messages = of(taint);
    expect(messages).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(messages[at]).toMatch(pattern);
  });

  test('accepts a key only once per effect', () => {
    const one = { key: 'a', effect: 'NoSchedule' };
    expect(of(one, { key: 'a', effect: 'NoExecute' })).toEqual([]);
    expect(of(one, { ...one, value: 'x' })).toEqual([
      'spec.taints[1]: Duplicate value: {"key":"a","value":"x","effect":"NoSchedule"}: taints must be unique by key and effect pair',
    ]);
  });

  test('prints a duplicate taint in the format of its version', () => {
    const twice: Taint[] = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoSchedule' },
    ];
    const old = dialectOf('v1.14.0').dialect.rules.admission;
    expect(clusterTaintListErrors(twice, 'spec.taints', old).map(({ message }) => message)).toEqual([
      'spec.taints[1]: Duplicate value: v1.Taint{Key:"a", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
    ]);
  });

  test('names the cluster and all problems of its taints in a refusal', () => {
    const { admission } = v1_18.rules;
    expect(clusterTaintRefusal('member1', [{ key: 'a', effect: 'NoSchedule' }], admission)).toBeUndefined();
    const soft: Taint[] = ['a', 'b'].map((key) => ({ key, effect: 'PreferNoSchedule' }));
    expect(clusterTaintRefusal('member1', soft, admission)).toMatch(
      /^Cluster.cluster.karmada.io "member1" is invalid: \[spec.taints\[0\].effect: .*, spec.taints\[1\].effect: .*\]$/,
    );
  });
});
