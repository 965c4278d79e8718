import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';
import { configurationOf } from '../../../src/useCases/state/configurationOf.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** What lint finds in a file of manifests, without rules of an organisation. */
export async function lintText(text: string, version: string) {
  const file = join(temporaryFolder('lint-'), 'manifests.yaml');
  writeFileSync(file, text);
  const { configuration, karmadaVersion } = configurationOf({ version }, plainNames);
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
  return findings;
}
