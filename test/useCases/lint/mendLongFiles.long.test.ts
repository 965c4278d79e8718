import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';
import { fixManifests } from '../../../src/useCases/lint/fixManifests.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const POLICY = `apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement:
    replicaScheduling: {replicaSchedulingType: Divided}
`;

test('lint --fix writes a file with more lines than the limit of one document', async () => {
  const padding = `---\nk: [${'a,'.repeat(175_000)}a]\n`;
  const text = `${POLICY}${padding.repeat(2)}`;
  const directory = temporaryFolder('mend-');
  const file = join(directory, 'many.yaml');
  writeFileSync(file, text.replace('Divided', 'divided'));
  const { configuration } = resolveConfiguration(dialectOf('v1.18.2').dialect, [], []);
  const { findings, texts } = await lintManifests(
    {
      sources: { files: [directory] },
      rules: { files: [], called: '' },
      configuration,
      unverified: new Set(),
      karmadaVersion: 'v1.18.2',
      names: plainNames,
      riskWords: ({ code }) => code,
    },
    () => [],
  );
  await fixManifests(findings, texts, () => undefined);
  expect(readFileSync(file, 'utf8') === text).toBe(true);
});
