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
        ...{ configuration, karmadaVersion, unconfirmed: new Set<string>(), names: plainNames },
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

describe('policies in files', () => {
  test('that are sound have no findings; other objects are passed over and counted', async () => {
    const { found, objects, files, passedOver } = await validate([policy(), configMap]);
    expect({ found, files, passedOver }).toEqual({ found: [], files: 2, passedOver: 1 });
    expect(objects).toMatchObject([{ kind: 'ClusterTaintPolicy', name: 'network', line: 2 }]);
  });

  test.each([
    ['an API that the version does not serve', policy(), 'v1.13', ['unknown-api 2:1']],
    ['a plural for a kind', policy().replace('Policy', 'Policies'), 'v1.18', ['unknown-api 3:1']],
    ['a slip in the kind', policy().replace('TaintPolicy', 'Taintpolcy'), 'v1.18', ['unknown-api 3:1']],
    ['a group that is nearly right', policy().replace('policy.', 'policies.'), 'v1.18', ['unknown-api 2:1']],
    ['a slip in the group', policy().replace('karmada', 'karmda'), 'v1.18', ['unknown-api 2:1']],
    ['no group', policy().replace('policy.karmada.io/', ''), 'v1.18', ['unknown-api 2:1']],
    ['another version', policy().replace('v1alpha1', 'v1alpha2'), 'v1.18', ['unknown-api 2:1']],
    [
      'a generateName that no name can begin with',
      policy().replace('name: network', 'generateName: Net_work-'),
      'v1.18',
      ['object-name 5:3'],
    ],
    [
      'neither name nor generateName',
      policy().replace('name: network', 'labels: {}'),
      'v1.18',
      ['object-name 4:1'],
    ],
    ['a policy in the form that is not the version’s', policy(), 'proposal', ['other-form 7:3']],
    [
      'a field that the kind does not have',
      policy().replace('spec:\n', 'spec:\n  no: 1\n'),
      'v1.18',
      ['unknown-field 7:3'],
    ],
    ['a name that no object may have', policy().replace('network', 'Net_work'), 'v1.18', ['object-name 5:3']],
    [
      'a value that the schema does not allow',
      policy('', '{ key: a, effect: 7 }'),
      'v1.18',
      ['crd-schema 10:17'],
    ],
    ['what the webhook refuses', policy('', '{ key: a, effect: NoExecute }'), 'v1.18', ['webhook 10:7']],
  ])('with %s: the finding has its place', async (_, text, version, expected) => {
    expect((await validate([text], [], version)).found).toEqual(expected);
  });

  test('of the same kind in a foreign group are of another kind', async () => {
    const { found, passedOver } = await validate([
      policy(),
      policy().replace('policy.karmada.io', 'policy.example.com'),
    ]);
    expect({ found, passedOver }).toEqual({ found: [], passedOver: 1 });
  });

  test('that the API server names by generateName are sound, and distinguished', async () => {
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
  ])('that hold only %s are refused, also beside others', async (_, text) => {
    await expect(validate([text])).rejects.toThrow(
      /policy-0\.yaml: holds no object; give a manifest, or leave it out$/,
    );
    await expect(validate([policy(), text])).rejects.toThrow(/policy-1\.yaml: holds no object/);
  });

  test('that are risky: the risk has its own words', async () => {
    const risky = policy().replace(/ {2}removeOnConditions.*\n/, '');
    const { findings } = await validate([risky]);
    expect(findings).toMatchObject([
      { rule: 'never-removed', severity: 'warning', message: 'never-removed', field: 'spec.taints[0]' },
    ]);
  });

  test('may ignore a rule with a reason, but none that the API server refuses by, and none that finds nothing', async () => {
    const ignore = (rule: string) =>
      `  annotations:\n    karmada-failover/ignore.${rule}: for the old clusters\n`;
    const risky = policy(ignore('never-removed')).replace(/ {2}removeOnConditions.*\n/, '');
    const { findings } = await validate([risky]);
    expect(findings).toMatchObject([{ rule: 'never-removed', ignored: { reason: 'for the old clusters' } }]);
    expect((await validate([policy(ignore('never-removed'))])).found).toEqual(['useless-ignore 7:5']);
    const refused = await validate([policy(ignore('crd-schema'), '{ key: a, effect: 7 }')]);
    expect(refused.found).toEqual(['useless-ignore 7:5', 'crd-schema 12:17']);
    expect(refused.findings[0]!.message).toBe(
      'metadata.annotations[karmada-failover/ignore.crd-schema]: the rule crd-schema cannot be ignored: the API server refuses what it finds',
    );
  });
});

describe('rules of an organisation', () => {
  const rule = (fields: string) => `rules:\n  - { id: team, message: says its team, ${fields} }\n`;

  test('find what must not be at its place, and what must be and is not in the object', async () => {
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

  test('are about the kinds that they name', async () => {
    const found = await validate([policy()], [rule('mustMatch: $.metadata.labels.team, kinds: [Cluster]')]);
    expect(found.findings).toEqual([]);
  });

  test('say of very many findings how many more there are', async () => {
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
    ['that are none', 'rules: []\n', /rules-0\.yaml:1:1: rules: must be a list of rules$/],
    ['of an id that is taken', 'rules:\n  - { id: webhook, mustMatch: $.a, message: m }\n', /webhook/],
  ])('%s are refused with their file', async (_, text, message) => {
    await expect(validate([policy()], [text])).rejects.toThrow(message);
  });
});
