import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/analysis/findings/finding.ts';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';
import { fixManifests } from '../../../src/useCases/lint/fixManifests.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

// The output of lint --fix: the text with that one change, after which the rule finds nothing there.

const POLICY = `# the shop
apiVersion: policy.karmada.io/v1alpha1
kind:   PropagationPolicy   # for all
metadata: {name: web, namespace: 'shop'}
spec:
    propagateDeps: true # needed
    resourceSelectors:
      - apiVersion: "apps/v1"
        kind: Deployment
    # near first
    placement:
        clusterAffinity: {clusterNames: [frankfurt, dublin]}   # two
        replicaScheduling:
            replicaSchedulingType: Divided
    failover:
        application:
            purgeMode: 'Gracefully'
            decisionConditions: {tolerationSeconds: 300}
`;

const OVERRIDE = `kind: OverridePolicy
apiVersion: policy.karmada.io/v1alpha1
metadata: {name: registry, namespace: shop}
spec:
  overrideRules:
    - overriders:
        imageOverrider: [{component: Registry, operator: replace, value: eu}] # here
`;

const directory = temporaryFolder('mend-');

const found = (file: string, version: string) => foundIn([file], version);

async function foundIn(files: readonly string[], version: string) {
  const { configuration } = resolveConfiguration(dialectOf(version).dialect, [], []);
  const { findings, texts } = await lintManifests(
    {
      sources: { files },
      rules: { files: [], called: '' },
      configuration,
      unverified: new Set(),
      karmadaVersion: version,
      names: plainNames,
      riskWords: ({ code }) => code,
    },
    () => [],
  );
  return { findings, texts };
}

async function mended(text: string, rule: string, { version = 'v1.18.2', name = 'policy.yaml' } = {}) {
  const file = join(directory, name);
  writeFileSync(file, text);
  const before = await found(file, version);
  expect(before.findings.map((one) => one.rule)).toContain(rule);
  const { written } = await fixManifests(before.findings, before.texts, () => undefined);
  const after = await found(file, version);
  return {
    written: written.length > 0,
    text: readFileSync(file, 'utf8'),
    left: after.findings.filter((one) => one.rule === rule).map(({ message }) => message),
  };
}

describe('lint --fix writes a certain fix without any other change', () => {
  test.each([
    ['of a kind', 'unknown-api', POLICY, 'PropagationPolicy', 'PropagationPolicie'],
    ['of a group', 'unknown-api', POLICY, 'policy.karmada.io/v1alpha1', 'policy.karmada.io/v1'],
    ['of a kind that no rule reads', 'unknown-api', OVERRIDE, 'OverridePolicy', 'OveridePolicy'],
    ['of a field', 'unknown-field', POLICY, 'placement:', 'placment:'],
    ['of a field in braces', 'unknown-field', POLICY, 'clusterNames:', 'clusternames:'],
    ['of a field of an override', 'unknown-field', OVERRIDE, 'imageOverrider:', 'imageOverriders:'],
    ['of a value', 'crd-schema', POLICY, 'Type: Divided', 'Type: Devided'],
    ['of a value in the wrong case', 'crd-schema', OVERRIDE, 'component: Registry', 'component: registry'],
    ['of propagateDeps', 'webhook', POLICY, 'propagateDeps: true', 'propagateDeps: false'],
    ['of a deprecated purge mode', 'purge-mode-deprecated', POLICY, "'Gracefully'", "'Graciously'"],
  ])('%s', async (_, rule, right, word, wrong) => {
    const { text, left } = await mended(right.replace(word, wrong), rule);
    expect(text).toBe(right);
    expect(left).toEqual([]);
  });

  test('of a purge mode that the version refuses', async () => {
    const old = POLICY.replace('Gracefully', 'Graciously');
    expect(await mended(old, 'crd-schema', { version: 'v1.19.0' })).toMatchObject({ text: POLICY, left: [] });
  });

  test('of a missing field after the other fields', async () => {
    const { text } = await mended(POLICY.replace('    propagateDeps: true # needed\n', ''), 'webhook');
    expect(text).toBe(`${POLICY.replace('    propagateDeps: true # needed\n', '')}    propagateDeps: true\n`);
  });

  test('of the name of a field before its value', async () => {
    const misspelt = POLICY.replace('propagateDeps: true', 'propagatDeps: false');
    const first = await mended(misspelt, 'webhook');
    expect(first.text).toBe(POLICY.replace('propagateDeps: true', 'propagateDeps: false'));
    expect(await mended(first.text, 'webhook')).toMatchObject({ text: POLICY, left: [] });
  });

  const OLD_FORM = (fields: string) => `${OVERRIDE.slice(0, OVERRIDE.indexOf('  overrideRules'))}${fields}`;

  test.each([
    [
      'adjacent fields with comments',
      `  # where
  targetCluster: # here
    clusterNames:
      - m1 # first
      # second
      - m2

  # what
  overriders:
    plaintext: [{path: /x, operator: replace, value: 1}] # that
  # end
`,
      `  # where
  overrideRules:
    - targetCluster: # here
        clusterNames:
          - m1 # first
          # second
          - m2

      # what
      overriders:
        plaintext: [{path: /x, operator: replace, value: 1}] # that
  # end
`,
    ],
    [
      'fields separated by another field',
      `  overriders: # what
    argsOverrider:
    - {containerName: web, operator: add, value: [a]} # a
  resourceSelectors: []
  # where
  targetCluster: # here
    clusterNames:
    # only
    - m1
`,
      `  overrideRules:
  - overriders: # what
      argsOverrider:
      - {containerName: web, operator: add, value: [a]} # a
    targetCluster: # here
      clusterNames:
      # only
      - m1
  resourceSelectors: []
  # where
`,
    ],
    [
      'fields in braces',
      `  {targetCluster: {clusterNames: [m1]}, resourceSelectors: [], overriders: {}} # all
`,
      `  {overrideRules: [{targetCluster: {clusterNames: [m1]}, overriders: {}}], resourceSelectors: []} # all
`,
    ],
  ])('of an override in the old form: %s', async (_, old, now) => {
    expect(await mended(OLD_FORM(old), 'override-form-deprecated')).toMatchObject({
      text: OLD_FORM(now),
      left: [],
    });
  });

  test('in each document of a file, in a List, and in JSON', async () => {
    const wrong = (text: string) => text.replace('Divided', 'divided');
    const both = `${POLICY}---\n${POLICY.replace('name: web', 'name: cart')}`;
    expect(await mended(both.replaceAll('Divided', 'divided'), 'crd-schema')).toMatchObject({ text: both });
    const indented = POLICY.split('\n').map((line) => (line === '' ? '' : `    ${line}`));
    const list = `apiVersion: v1\nkind: List\nitems:\n  -\n${indented.join('\n')}`;
    expect(await mended(wrong(list), 'crd-schema')).toMatchObject({ text: list });
    const json = JSON.stringify(
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
          placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
        },
      },
      null,
      2,
    );
    expect(await mended(wrong(json), 'crd-schema', { name: 'policy.json' })).toMatchObject({ text: json });
  });
});

describe('lint --fix does not change an ambiguous mistake:', () => {
  test.each([
    [
      'a misspelt field beside the correct one',
      'unknown-field',
      'propagateDeps: true',
      'propagateDep: true\n    propagateDeps: true',
    ],
    [
      'a misspelt field with a value of the wrong type',
      'unknown-field',
      'placement:\n',
      'placment: [a]\n    placement:\n',
    ],
    ['a field unlike any known field', 'unknown-field', 'propagateDeps:', 'strategy: x\n    propagateDeps:'],
    ['a value unlike any known value', 'crd-schema', 'Type: Divided', 'Type: Shared'],
    [
      'a field with two misspelt names',
      'unknown-field',
      'propagateDeps: true # needed',
      'propagatDeps: true\n    propagateDep: false',
    ],
  ])('%s', async (_, rule, word, wrong) => {
    const text = POLICY.replace(word, wrong);
    expect(await mended(text, rule)).toMatchObject({ text, written: false });
  });

  test('a mistake that an annotation ignores', async () => {
    const ignoring = POLICY.replace(
      "namespace: 'shop'",
      "namespace: 'shop', annotations: {karmada-failover/ignore.purge-mode-deprecated: later}",
    ).replace('Gracefully', 'Graciously');
    expect(await mended(ignoring, 'purge-mode-deprecated')).toMatchObject({ text: ignoring, written: false });
  });
});

test('lint --fix fixes each overlay with an override of the same name', async () => {
  const overlay = (cluster: string) => `kind: OverridePolicy
apiVersion: policy.karmada.io/v1alpha1
metadata: {name: registry, namespace: shop}
spec:
  targetCluster: {clusterNames: [${cluster}]}
  overriders: {imageOverrider: [{component: Registry, operator: replace, value: eu}]}
`;
  const files = ['frankfurt', 'dublin'].map((cluster) => {
    const file = join(directory, `${cluster}.yaml`);
    writeFileSync(file, overlay(cluster));
    return file;
  });
  const old = ({ findings }: Awaited<ReturnType<typeof found>>) =>
    findings.filter(({ rule }) => rule === 'override-form-deprecated').map(({ place }) => place.file);
  const before = await foundIn(files, 'v1.18.2');
  expect(old(before)).toEqual(files);
  const { written } = await fixManifests(before.findings, before.texts, () => undefined);
  expect(written).toEqual(files);
  expect(old(await foundIn(files, 'v1.18.2'))).toEqual([]);
});

test('lint --fix leaves a file with an unreadable document unchanged, and reports the open fix', async () => {
  const file = join(directory, 'broken.yaml');
  const text = `${POLICY.replace('Divided', 'divided')}---\nkind: [\n`;
  writeFileSync(file, text);
  const { findings, texts } = await found(file, 'v1.18.2');
  const { written, left } = await fixManifests(findings, texts, () => undefined);
  expect(written).toEqual([]);
  expect(left.map(({ finding, why }) => [finding.rule, why])).toEqual([
    ['crd-schema', 'another document of its file cannot be read'],
  ]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('lint --fix does not overwrite a file changed after it was read', async () => {
  const file = join(directory, 'changed.yaml');
  writeFileSync(file, POLICY.replace('Divided', 'divided'));
  const { findings, texts } = await found(file, 'v1.18.2');
  writeFileSync(file, `${POLICY}# mine`);
  await expect(fixManifests(findings, texts, () => undefined)).rejects.toThrow(
    'it has changed since it was read',
  );
  expect(readFileSync(file, 'utf8')).toBe(`${POLICY}# mine`);
});

test('lint --fix adds a member to a map with a wrong merged value, and keeps its comments', async () => {
  const merging = (overriders: string) => `kind: OverridePolicy
apiVersion: policy.karmada.io/v1alpha1
metadata: {name: registry, namespace: shop}
spec:
  overrideRules:
    - overriders:
        <<:
          argsOverrider:
            - {containerName: web, operator: ad}
        imageOverrider:
          - component: Registry # ours
            operator: replace
            value: eu
${overriders}`;
  const { text } = await mended(merging(''), 'crd-schema');
  const own = ['argsOverrider:', '  - containerName: web', '    operator: add'];
  expect(text).toBe(merging(own.map((line) => `        ${line}\n`).join('')));
});

test('lint --fix reports a change that YAML cannot express, and writes the others', async () => {
  const file = join(directory, 'overlap.yaml');
  writeFileSync(file, POLICY.replace('Divided', 'divided'));
  const { findings, texts } = await found(file, 'v1.18.2');
  const [divided] = findings.filter(({ rule }) => rule === 'crd-schema');
  // no YAML contains this number
  const changes = [{ change: 'replace', path: ['spec', 'propagateDeps'], value: Number.NaN } as const];
  const unsayable: Finding = { ...divided!, fix: { of: divided!.fix!.of, changes } };
  const { written, left } = await fixManifests([divided!, unsayable], texts, () => undefined);
  expect(written).toEqual([file]);
  expect(readFileSync(file, 'utf8')).toBe(POLICY);
  expect(left).toEqual([{ finding: unsayable, why: 'the edit would also change other values' }]);
});
