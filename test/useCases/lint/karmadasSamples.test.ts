import { describe, expect, test } from '@jest/globals';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';
import { dialectOf, newestReleases } from '../../../src/karmada/dialects/dialects.ts';
import { karmadasSamples } from '../../fixtures/karmadasSamples.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';

// Karmada's own samples are valid: lint finds no error in them. They are in Karmada's Go module, if the test bed was built here.

const found = karmadasSamples();

async function errorsIn(directory: string, version: string) {
  const { configuration } = resolveConfiguration(dialectOf(version).dialect, [], []);
  const { findings, objects } = await lintManifests(
    {
      sources: { files: [directory] },
      rules: { files: [], called: '' },
      configuration,
      unverified: new Set(),
      karmadaVersion: version,
      names: plainNames,
      riskWords: ({ code }) => code,
    },
    () => [],
  );
  const errors = findings.filter(({ severity }) => severity === 'error');
  return { checked: objects.length, errors: errors.map(({ place, message }) => `${place.file}: ${message}`) };
}

(found.length > 0 ? describe : describe.skip)("Karmada's own samples", () => {
  test.each(newestReleases)('have no errors for %s', async (version) => {
    let checked = 0;
    for (const directory of found) {
      const one = await errorsIn(directory, version);
      expect(one.errors).toEqual([]);
      checked += one.checked;
    }
    expect(checked).toBeGreaterThan(10);
  });
});
