import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';
import { configurationOf } from '../../../src/useCases/state/configurationOf.ts';

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
  const file = join(mkdtempSync(join(tmpdir(), 'scalers-')), 'scalers.yaml');
  writeFileSync(file, SCALERS);
  const { configuration, karmadaVersion } = configurationOf({ version: 'v1.18' }, plainNames);
  const { findings } = await lintManifests(
    {
      sources: { files: [file] },
      rules: { files: [], called: '' },
      configuration,
      karmadaVersion,
      unverified: new Set(),
      names: plainNames,
      riskWords: ({ code }) => code,
    },
    () => [],
  );
  expect(findings.map(({ rule, field, place }) => [rule, field, place?.line])).toEqual([
    ['crd-schema', 'spec.scaleTargetRef', 5],
    ['crd-schema', 'spec.rules[0].targetReplicas', 15],
  ]);
});
