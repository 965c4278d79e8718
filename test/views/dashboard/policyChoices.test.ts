import { expect, test } from '@jest/globals';
import type { ClusterTaintPolicy, ClusterTaintPolicySpec } from '../../../src/karmada/api/policy.ts';
import { plain } from '../../../src/presentation/words.ts';
import { policyChoices } from '../../../src/views/dashboard/choices.ts';

const policy = (name: string, spec: ClusterTaintPolicySpec): ClusterTaintPolicy => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name },
  spec,
});

test('taint policies of both forms are listed with the taints that they add', () => {
  const taintPolicies = [
    policy('shipped', { taints: [{ key: 'disk', value: 'full', effect: 'NoSchedule' }] }),
    policy('designed', { taintsToAdd: [{ key: 'net', effect: 'NoExecute', addOnMatchSeconds: 60 }] }),
    policy('empty', {}),
  ];
  expect(policyChoices({ taintPolicies, policies: [] }).map(({ words }) => plain(words))).toEqual([
    'ClusterTaintPolicy designed   net:NoExecute',
    'ClusterTaintPolicy empty   no taints',
    'ClusterTaintPolicy shipped   disk=full:NoSchedule',
  ]);
});
