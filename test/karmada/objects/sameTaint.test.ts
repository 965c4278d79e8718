import { expect, test } from '@jest/globals';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import { findTaint, findTaints } from '../../../src/karmada/objects/sameTaint.ts';

const taint = (key: string, effect: Taint['effect'], value?: string) => ({
  key,
  effect,
  ...(value && { value }),
});

test.each([3, 300])('the first of %i taints with the same key and effect is found', (size) => {
  const taints = Array.from({ length: size }, (_, at) => taint(`k${at}`, 'NoExecute'));
  const twice = [...taints, taint('k1', 'NoSchedule', 'first'), taint('k1', 'NoSchedule', 'second')];
  expect(findTaint(twice, taint('k1', 'NoExecute'))).toBe(taints[1]);
  expect(findTaint(twice, taint('k1', 'NoSchedule'))).toMatchObject({ value: 'first' });
  expect(findTaints(twice, taint('k1', 'NoSchedule'))).toHaveLength(2);
  expect(findTaint(twice, taint('k2', 'NoSchedule'))).toBeUndefined();
});

test('no taint is found on a cluster without taints', () => {
  expect(findTaint(undefined, taint('k', 'NoExecute'))).toBeUndefined();
});
