import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { configurationOf } from '../../../src/useCases/state/configurationOf.ts';
import { lintManifests } from '../../../src/useCases/lint/lintManifests.ts';

const riskCode = ({ code }: { code: string }) => code;
const none = () => {
  throw new Error('stdin is not read');
};
async function validate(texts: string[], rules: string[] = [], version = 'v1.18') {
  const directory = mkdtempSync(join(tmpdir(), 'policies-'));
  const written = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  try {
    const files = texts.map((text, at) => written(`policy-${at}.yaml`, text));
    const ruleFiles = rules.map((text, at) => written(`rules-${at}.yaml`, text));
    const { configuration, karmadaVersion } = configurationOf({ version }, plainNames);
    const validated = await lintManifests(
      {
        sources: { files },
        rules: { files: ruleFiles, called: '--rules' },
        configuration,
        karmadaVersion,
        unverified: new Set<string>(),
        names: plainNames,
        riskWords: riskCode,
      },
      none,
    );
    const found = validated.findings.map(
      ({ rule, place, ignored }) => `${rule} ${place.line}:${place.column}${ignored ? ' (ignored)' : ''}`,
    );
    return { ...validated, found };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const policy = (lines = '', taint = '{ key: example.com/a, effect: NoSchedule }') => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: network
${lines}spec:
  addOnConditions: [{ conditionType: Ready, operator: In, statusValues: ['False'] }]
  removeOnConditions: [{ conditionType: Ready, operator: In, statusValues: ['True'] }]
  taints:
    - ${taint}
`;
const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
`;

describe('validation of policy files', () => {
  test('finds nothing in sound policies, and counts skipped objects', async () => {
    const { found, objects, files, passedOver } = await validate([policy(), configMap]);
    expect({ found, files, passedOver }).toEqual({ found: [], files: 2, passedOver: 1 });
    expect(objects).toMatchObject([{ kind: 'ClusterTaintPolicy', name: 'network', line: 2 }]);
  });

  test.each([
    ['an API that the version does not serve', policy(), 'v1.13', ['unknown-api 2:1']],
    ['a plural for a kind', policy().replace('Policy', 'Policies'), 'v1.18', ['unknown-api 3:1']],
    ['a typo in the kind', policy().replace('TaintPolicy', 'Taintpolcy'), 'v1.18', ['unknown-api 3:1']],
    [
      'a group similar to the group of Karmada',
      policy().replace('policy.', 'policies.'),
      'v1.18',
      ['unknown-api 2:1'],
    ],
    ['a typo in the group', policy().replace('karmada', 'karmda'), 'v1.18', ['unknown-api 2:1']],
    ['a missing group', policy().replace('policy.karmada.io/', ''), 'v1.18', ['unknown-api 2:1']],
    ['another version', policy().replace('v1alpha1', 'v1alpha2'), 'v1.18', ['unknown-api 2:1']],
    [
      'an invalid generateName',
      policy().replace('name: network', 'generateName: Net_work-'),
      'v1.18',
      ['object-name 5:3'],
    ],
    [
      'a missing name and generateName',
      policy().replace('name: network', 'labels: {}'),
      'v1.18',
      ['object-name 4:1'],
    ],
    ['a policy in the form of another version', policy(), 'proposal', ['other-form 7:3']],
    ['an unknown field', policy().replace('spec:\n', 'spec:\n  no: 1\n'), 'v1.18', ['unknown-field 7:3']],
    ['an invalid name', policy().replace('network', 'Net_work'), 'v1.18', ['object-name 5:3']],
    ['a value that the schema forbids', policy('', '{ key: a, effect: 7 }'), 'v1.18', ['crd-schema 10:17']],
    [
      'a taint that the webhook refuses',
      policy('', '{ key: a, effect: NoExecute }'),
      'v1.18',
      ['webhook 10:7'],
    ],
  ])('reports the position of %s', async (_, text, version, expected) => {
    expect((await validate([text], [], version)).found).toEqual(expected);
  });

  test('skips the same kind in another group', async () => {
    const { found, passedOver } = await validate([
      policy(),
      policy().replace('policy.karmada.io', 'policy.example.com'),
    ]);
    expect({ found, passedOver }).toEqual({ found: [], passedOver: 1 });
  });

  test('accepts policies with generateName, and distinguishes them', async () => {
    const generated = policy().replace('name: network', 'generateName: network-');
    const contrary = generated.replaceAll(/'(?:True|False)'/g, (status) =>
      status === "'True'" ? "'False'" : "'True'",
    );
    expect(await validate([generated])).toMatchObject({ found: [], objects: [{ name: 'network-' }] });
    const { found } = await validate([generated, contrary]);
    expect(found).not.toEqual([]);
  });

  test.each([
    ['comments', '# rendered by helm\n'],
    ['empty documents', '---\n---\n'],
    ['an empty List', 'apiVersion: v1\nkind: List\nitems: []\n'],
  ])('refuses a file with only %s, also beside other files', async (_, text) => {
    await expect(validate([text])).rejects.toThrow(
      /policy-0\.yaml: holds no object; give a manifest, or leave it out$/,
    );
    await expect(validate([policy(), text])).rejects.toThrow(/policy-1\.yaml: holds no object/);
  });

  test('reports a risky policy with the text of the risk', async () => {
    const risky = policy().replace(/ {2}removeOnConditions.*\n/, '');
    const { findings } = await validate([risky]);
    expect(findings).toMatchObject([
      { rule: 'never-removed', severity: 'warning', message: 'never-removed', field: 'spec.taints[0]' },
    ]);
  });

  test('allows policies to ignore a rule with a reason, except rules of the API server and rules without a finding', async () => {
    const ignore = (rule: string) =>
      `  annotations:\n    karmada-failover/ignore.${rule}: for the old clusters\n`;
    const risky = policy(ignore('never-removed')).replace(/ {2}removeOnConditions.*\n/, '');
    const { findings } = await validate([risky]);
    expect(findings).toMatchObject([{ rule: 'never-removed', ignored: { reason: 'for the old clusters' } }]);
    expect((await validate([policy(ignore('never-removed'))])).found).toEqual(['useless-ignore 7:5']);
    const refused = await validate([policy(ignore('crd-schema'), '{ key: a, effect: 7 }')]);
    expect(refused.found).toEqual(['useless-ignore 7:5', 'crd-schema 12:17']);
    expect(refused.findings[0]!.message).toBe(
      'metadata.annotations[karmada-failover/ignore.crd-schema]: the rule crd-schema cannot be ignored: the API server refuses its findings',
    );
  });
});

describe('rules of an organisation', () => {
  const rule = (fields: string) => `rules:\n  - { id: team, message: says its team, ${fields} }\n`;

  test('report a forbidden field at its position, and a missing field at the object', async () => {
    const wants = await validate([policy()], [rule('mustMatch: $.metadata.labels.team')]);
    expect(wants.findings).toMatchObject([
      { rule: 'team', severity: 'error', message: 'says its team', place: { line: 2, column: 1 } },
    ]);
    expect(wants.findings[0]).not.toHaveProperty('field');
    expect(wants.rules.map(({ id }) => id)).toContain('team');
    const forbids = await validate(
      [policy()],
      [rule("mustNotMatch: '$.spec.taints[*].key', severity: note")],
    );
    expect(forbids.findings).toMatchObject([
      { rule: 'team', severity: 'note', field: 'spec.taints[0].key', place: { line: 10 } },
    ]);
  });

  test('apply only to their kinds', async () => {
    const found = await validate([policy()], [rule('mustMatch: $.metadata.labels.team, kinds: [Cluster]')]);
    expect(found.findings).toEqual([]);
  });

  test('report at most 100 findings, with the number of the others', async () => {
    const taints = Array.from({ length: 130 }, (_, at) => `    - { key: k${at}, effect: NoSchedule }\n`).join(
      '',
    );
    const many = policy().replace(/ {4}- \{ key.*\n/, taints);
    const { findings } = await validate([many], [rule("mustNotMatch: '$.spec.taints[*].key'")]);
    const own = findings.filter(({ rule: id }) => id === 'team');
    expect(own).toHaveLength(100);
    expect(own.at(-1)!.message).toBe('says its team; and 30 more like it');
  });

  test.each([
    ['if they are not a list', 'rules: []\n', /rules-0\.yaml:1:1: rules: must be a list of rules$/],
    ['if an id is already used', 'rules:\n  - { id: webhook, mustMatch: $.a, message: m }\n', /webhook/],
  ])('are refused with their file %s', async (_, text, message) => {
    await expect(validate([policy()], [text])).rejects.toThrow(message);
  });
});
