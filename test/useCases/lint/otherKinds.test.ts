import { expect, test } from '@jest/globals';
import { lintText } from './lintText.ts';

const SCALERS = `apiVersion: autoscaling.karmada.io/v1alpha1
kind: FederatedHPA
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: 5
---
apiVersion: autoscaling.karmada.io/v1alpha1
kind: CronFederatedHPA
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  rules:
    - name: night
      schedule: 0 3 * * *
      targetReplicas: 2147483648
`;

test('lint reports fields of the wrong type with their positions, also in kinds without a webhook', async () => {
  const findings = await lintText(SCALERS, 'v1.18');
  expect(findings.map(({ rule, field, place }) => [rule, field, place?.line])).toEqual([
    ['crd-schema', 'spec.scaleTargetRef', 5],
    ['crd-schema', 'spec.rules[0].targetReplicas', 15],
  ]);
});

const policyWith = (fields: string) => `apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop, labels: , annotations: }
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  ${fields}
`;

test.each([
  'placement:',
  'placement: {clusterAffinity: , clusterAffinities: , clusterTolerations: , spreadConstraints: }',
  'placement: {clusterAffinity: {clusterNames: , exclude: , labelSelector: , fieldSelector: }}',
  'placement: {clusterAffinity: {labelSelector: {matchLabels: , matchExpressions: }}}',
  'placement: {clusterAffinities: [{affinityName: first, clusterNames: }]}',
  'placement: {replicaScheduling: {replicaSchedulingType: Divided, weightPreference: {staticWeightList: , dynamicWeight: }}}',
  '{failover: , suspension: , schedulePriority: , dependentOverrides: }',
])('lint reads null as an absent field, as API servers do: %s', async (fields) => {
  const text = policyWith(fields.startsWith('{') ? fields.slice(1, -1).replaceAll(', ', '\n  ') : fields);
  const errors = (await lintText(text, 'v1.18')).filter(({ severity }) => severity === 'error');
  expect(errors).toEqual([]);
});
