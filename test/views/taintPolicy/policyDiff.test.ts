import { expect, test } from '@jest/globals';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { policyDiff } from '../../../src/views/taintPolicy/policyDiff.ts';

test('a different order of fields is not a difference', () => {
  const policy = (taint: object) =>
    ({ metadata: { name: 'p' }, spec: { taints: [taint] } }) as unknown as ClusterTaintPolicy;
  const live = policy({ key: 'a', effect: 'NoExecute' });
  expect(policyDiff([live], [policy({ effect: 'NoExecute', key: 'a' })], [])).toBe('');
  expect(policyDiff([live], [policy({ effect: 'NoSchedule', key: 'a' })], [])).toContain('NoSchedule');
});
