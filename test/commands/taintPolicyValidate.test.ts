import { describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './cli.ts';
import { sarifBreaches } from './sarifSchema.ts';
import { breaches } from './schema.ts';

const policies = 'test/fixtures/taint-policies';
const rules = ['--rules', 'test/fixtures/rules.yaml'];
const validate = (...argv: string[]) => run(['taint-policy', 'validate', ...argv]);
const DEPRECATED = 'taint-policy validate is deprecated: use lint, which makes the same checks, and others\n';

describe('taint-policy validate', () => {
  test('reports policies that the API server or webhook refuses in their words, with file, line and column', () => {
    const { code, stdout, stderr } = validate('-f', policies, '--show', 'error');
    expect({ code, stderr }).toEqual({ code: 1, stderr: DEPRECATED });
    expect(stdout.split('\n')).toEqual([
      '6 ClusterTaintPolicies in 3 files, 1 object of other kinds skipped, by the rules of v1.18: 5 errors, 5 warnings',
      '',
      'kubectl karmada-failover lint -f test/fixtures/taint-policies --show error --fix',
      '',
      expect.stringMatching(
        /^test\/fixtures\/taint-policies\/refused.yaml:5:3: error: metadata.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of .* \[object-name\]$/,
      ),
      `${policies}/refused.yaml:9:3: error: strict decoding error: unknown field "spec.targetCluster" [unknown-field]`,
      `${policies}/refused.yaml:19:7: error: spec.taints[0]: Duplicate value: "Duplicate taint with the same key(example.com/unfit) and effect(NoSchedule) is not allowed" [webhook]`,
      `${policies}/refused.yaml:29:3: error: spec.taints: Invalid value: 0: spec.taints in body should have at least 1 items [crd-schema]`,
      `${policies}/refused.yaml:31:1: error: no matches for kind "ClusterTaintPolicy" in version "policy.karmada.io/v1beta1"; write policy.karmada.io/v1alpha1 [unknown-api]`,
      '',
    ]);
  });

  test('warns of valid but harmful fields, and of ineffective annotations', () => {
    const found = (file: string) =>
      validate('-f', `${policies}/${file}`)
        .stdout.split('\n')
        .filter((line) => line.includes(': warning: '));
    expect(found('risky.yaml')).toEqual([
      `${policies}/risky.yaml:9:7: warning: no condition removes example.com/stays:NoSchedule again [never-removed]`,
      `${policies}/risky.yaml:17:3: warning: spec.removeOnConditions can never match: [0] has an operator that is neither In nor NotIn [removal-never-matches]`,
      `${policies}/risky.yaml:20:7: warning: no condition removes example.com/ill:PreferNoSchedule again [never-removed]`,
      `${policies}/risky.yaml:20:31: warning: the Cluster API refuses the taint: spec.taints[0].effect: Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "NoExecute"; that stops other policies for the same clusters: never-removed [taint-refused]`,
    ]);
    expect(found('refused.yaml')).toEqual([
      `${policies}/refused.yaml:7:5: warning: metadata.annotations[karmada-failover/ignore.crd-schema]: the rule crd-schema cannot be ignored: the API server refuses its findings [useless-ignore]`,
    ]);
  });

  test('finds nothing in a sound policy, and exits with 0', () => {
    expect(validate('-f', `${policies}/network.yaml`, ...rules)).toEqual({
      code: 0,
      stdout: [
        '1 ClusterTaintPolicy in 1 file, by the rules of v1.18: nothing found\n',
        `kubectl karmada-failover taint-policy apply -f ${policies}/network.yaml --dry-run\n`,
      ].join('\n'),
      stderr: DEPRECATED,
    });
  });

  test('uses the given version and webhook flags', () => {
    const stdin = JSON.stringify({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { name: 'p' },
      spec: { taints: [{ key: 'example.com/a', effect: 'NoExecute' }] },
    });
    const check = (...argv: string[]) =>
      run(['taint-policy', 'validate', '-f', '-', '--show', 'error', ...argv], { stdin }).stdout;
    expect(check()).toMatch(
      /^stdin:1:\d+: error: spec.taints\[0\]: Forbidden: Configuring taint with NoExecute/m,
    );
    expect(check('--assume', 'allow-no-execute-taint-policy=true')).toMatch(/nothing found|warning/);
    const note = (...argv: string[]) =>
      run(['taint-policy', 'validate', '-f', '-', ...argv], { stdin }).stderr;
    expect(note()).toMatch(
      /^The flags of the webhook are unknown, so .* give --assume allow-no-execute-taint-policy=true$/m,
    );
    expect(note('--assume', 'allow-no-execute-taint-policy=false')).toBe(DEPRECATED);
    expect(check('--karmada-version', 'v1.13')).toContain(
      'stdin:1:2: error: no matches for kind "ClusterTaintPolicy" in version "policy.karmada.io/v1alpha1"; Karmada has had the kind since v1.14 [unknown-api]',
    );
  });

  test('applies rules of an organisation, which an annotation with a reason ignores', () => {
    const directory = mkdtempSync(join(tmpdir(), 'policies-'));
    const file = join(directory, 'p.yaml');
    const text = (annotations: string) => `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: p
  annotations: {${annotations}}
spec:
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  taints:
    - effect: NoSchedule
      key: other.org/a
`;
    const found = (annotations: string, ...argv: string[]) => {
      writeFileSync(file, text(annotations));
      const { code, stdout } = validate('-f', directory, ...rules, ...argv);
      const lines = stdout.replaceAll(file, 'p.yaml').split('\n');
      return { code, lines: lines.filter((line) => line.startsWith('p.yaml:')) };
    };
    const team = 'p.yaml:1:1: error: every policy names its team in the label team [names-its-team]';
    const key = 'p.yaml:11:7: warning: keys of taints begin with example.com/ [keys-of-ours]';
    expect(found('')).toEqual({ code: 1, lines: [team, key] });
    expect(found('"karmada-failover/ignore.names-its-team": nobody owns it')).toEqual({
      code: 0,
      lines: [key, `${team} ignored: nobody owns it`],
    });
    expect(found('"karmada-failover/ignore.names-its-team": x', '--fail-on', 'warning')).toMatchObject({
      code: 1,
    });
    expect(found('', '--show', 'error')).toEqual({ code: 1, lines: [team] });
  });

  test('reads rules from stdin, and refuses an empty input', () => {
    const found = (stdin: string) =>
      run(['taint-policy', 'validate', '-f', `${policies}/network.yaml`, '--rules', '-'], { stdin });
    const rule = 'rules: [{id: odd, mustNotMatch: $.kind, message: of another kind}]';
    expect(found(rule)).toMatchObject({ code: 1, stdout: expect.stringContaining('of another kind [odd]') });
    expect(found('rules: [{id: odd}]').stderr).toMatch(/^error: --rules stdin:1:9: /);
    expect(found('')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --rules stdin: holds no rule; see "Rules of your own" in docs/taint-policy.md\n',
    });
  });

  test.each([
    [['-f', 'nowhere'], 'error: nowhere: no such file or directory; check the path\n'],
    [[], 'error: lint needs manifests: give -f FILE, -f - or -k DIR\n'],
    [
      ['-f', 'https://example.com/p.yaml'],
      'error: -f https://example.com/p.yaml: URLs are not read; download it, and pipe it into -f -\n',
    ],
    [['-f', '-'], 'error: stdin: is empty; give a manifest\n'],
    [['-f', '-', '-f', '-'], 'error: -f -: stdin can be read only once; name it once\n'],
    [
      ['-f', policies, '--rules', 'nowhere'],
      'error: --rules nowhere: no such file or directory; check the path\n',
    ],
    [
      ['-f', policies, '-o', 'pretty'],
      /^error: -o pretty is not known; choose from json, .*, sarif, junit$/m,
    ],
    [['-f', policies, '-o', 'serif'], /^error: -o serif is not known, did you mean sarif\?$/m],
  ])('exits with 2 for an unreadable %j', (argv, message) => {
    const { code, stdout, stderr } = validate(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });

  test('reports a file that is not a manifest as a finding, and exits with 1', () => {
    const { code, stdout } = validate('-f', 'LICENSE');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^LICENSE:\d+:\d+: error: not valid YAML: .*\[unreadable-document\]$/m);
  });

  test('reports a rule that does not terminate or is invalid, with its position', () => {
    const directory = mkdtempSync(join(tmpdir(), 'rules-'));
    const check = (path: string) => {
      const file = join(directory, 'rules.yaml');
      writeFileSync(file, `rules:\n  - id: odd\n    mustNotMatch: ${JSON.stringify(path)}\n    message: m\n`);
      const { code, stderr } = validate('-f', `${policies}/network.yaml`, '--rules', file);
      return { code, stderr: stderr.replace(file, 'rules.yaml') };
    };
    const endless = `$.spec.taints[?(@.key.repeat(600000).split("")${'.join().split(",")'.repeat(50)}.length == 1)]`;
    expect(check(endless)).toEqual({
      code: 2,
      stderr: `error: rules.yaml:2:5: rule odd: ${endless} on ClusterTaintPolicy network: takes longer than 2 s; simplify it\n`,
    });
    expect(check('$.spec.taints[?(@.key ===== 1)]')).toMatchObject({ code: 2 });
  });

  test('reads a directory recursively, and skips files without an object', () => {
    const directory = mkdtempSync(join(tmpdir(), 'policies-'));
    mkdirSync(join(directory, 'deeper'));
    writeFileSync(join(directory, 'values.yaml'), 'replicas: 3\n');
    writeFileSync(
      join(directory, 'deeper', 'list.yaml'),
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: policy.karmada.io/v1alpha1\n  kind: ClusterTaintPolicy\n  metadata: {name: p}\n  spec: {}\n',
    );
    const { stdout } = validate('-f', directory);
    expect(stdout).toContain(
      `${directory}/deeper/list.yaml:7:3: error: spec.taints: Required value [crd-schema]\n`,
    );
    expect(validate('-f', join(directory, 'values.yaml'))).toMatchObject({
      code: 2,
      stderr: `error: ${directory}/values.yaml:1:1: no apiVersion, so not a Kubernetes object; one has apiVersion, kind and metadata\n`,
    });
  });
});

test('taint-policy apply and validate refuse a directory without objects', () => {
  const directory = mkdtempSync(join(tmpdir(), 'policies-'));
  expect(run(['taint-policy', 'apply', '-f', directory, '--state', 'examples/shop'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${directory}: is an empty directory; give one that holds manifests, in files named .json, .jsonl, .yaml, .yml, .rec (also .gz), .tar, .tgz\n`,
  });
  writeFileSync(join(directory, 'values.yaml'), 'replicas: 3\n');
  expect(validate('-f', directory)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${directory}: holds no object; give a manifest, or leave it out\n`,
  });
});

describe('taint-policy validate -k', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kustomization-'));
  /** @param script the fake kubectl */
  const build = (script: string | undefined, path: string) => {
    const kubectl = join(directory, 'kubectl');
    rmSync(kubectl, { force: true });
    if (script !== undefined) writeFileSync(kubectl, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return run(['taint-policy', 'validate', '-k', path], { env: { PATH: directory } });
  };

  test('checks the output of kubectl kustomize', () => {
    const file = join(root, policies, 'refused.yaml');
    const printed = build(`[ "$*" = "kustomize -- overlay" ] && exec /bin/cat ${file}`, 'overlay');
    expect(printed.stdout).toContain(
      'kustomize overlay:9:3: error: strict decoding error: unknown field "spec.targetCluster" [unknown-field]\n',
    );
  });

  test('prints the error of kubectl, or that kubectl is missing', () => {
    expect(build('echo "error: no such directory" >&2; exit 1', 'overlay')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: -k overlay: no such directory\n',
    });
    expect(build(undefined, 'overlay').stderr).toBe(
      'error: -k overlay: kubectl builds kustomizations and is not on the PATH; install it, or pipe the output of kustomize into -f -\n',
    );
  });
});

describe('taint-policy validate -o', () => {
  const printed = (form: string, ...argv: string[]) => validate('-o', form, ...rules, ...argv).stdout;

  test('json prints a document that is valid against its schema', () => {
    const document = JSON.parse(printed('json', '-f', policies)) as { items: object[] };
    expect(breaches('finding-list', document)).toBe('');
    expect(document.items[0]).toMatchObject({
      rule: 'names-its-team',
      severity: 'error',
      object: { kind: 'ClusterTaintPolicy', name: 'Not_A_Name' },
      file: `${policies}/refused.yaml`,
      line: 2,
      column: 1,
    });
  });

  test('sarif prints valid SARIF 2.1.0, also without findings', () => {
    const log = JSON.parse(printed('sarif', '-f', policies)) as {
      runs: { results: { ruleId: string; partialFingerprints: object }[] }[];
    };
    expect(sarifBreaches(log)).toBe('');
    expect(log.runs[0]!.results.find(({ ruleId }) => ruleId === 'unknown-field')).toEqual({
      ruleId: 'unknown-field',
      ruleIndex: 1,
      level: 'error',
      message: { text: 'strict decoding error: unknown field "spec.targetCluster"' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `${policies}/refused.yaml` },
            region: { startLine: 9, startColumn: 3 },
          },
          logicalLocations: [
            {
              name: 'Not_A_Name',
              kind: 'object',
              fullyQualifiedName: 'ClusterTaintPolicy/Not_A_Name/spec.targetCluster',
            },
          ],
        },
      ],
      partialFingerprints: {
        'ruleObjectField/v2': 'unknown-field|ClusterTaintPolicy|Not_A_Name|spec.targetCluster:1',
      },
      suppressions: [],
    });
    const fingerprints = log.runs[0]!.results.map(({ partialFingerprints }) =>
      JSON.stringify(partialFingerprints),
    );
    expect(new Set(fingerprints).size).toBe(fingerprints.length);

    const clean = JSON.parse(printed('sarif', '-f', `${policies}/network.yaml`)) as typeof log;
    expect(sarifBreaches(clean)).toBe('');
    expect(clean.runs[0]!.results).toEqual([]);
  });

  test('junit prints a case for each policy, and a failure for each finding of --fail-on', () => {
    const xml = printed('junit', '-f', policies);
    expect(xml).toContain('<testsuites name="kubectl-karmada-failover" tests="6" failures="3" errors="0">');
    expect(xml).toContain(
      `<testcase classname="ClusterTaintPolicy" name="network" file="${policies}/network.yaml" line="1"/>`,
    );
    expect(xml).toContain(
      `<failure type="unknown-field" message="strict decoding error: unknown field &quot;spec.targetCluster&quot;">${policies}/refused.yaml:9:3: strict decoding error: unknown field &quot;spec.targetCluster&quot;</failure>`,
    );
  });
});
