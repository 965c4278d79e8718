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
