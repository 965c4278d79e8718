import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './cli.ts';
import { breaches } from './schema.ts';
import { preloading } from '../program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const shipped = 'test/fixtures/conversion/shipped.yaml';
const proposed = 'test/fixtures/conversion/proposed.yaml';
const convert = (argv: string[], stdin?: string) =>
  run(['taint-policy', 'convert', ...argv], stdin === undefined ? {} : { stdin });
const directory = () => temporaryFolder('convert-');
const ALL = ['--accept', 'durations,effect,removal,absent-condition'];

describe('taint-policy convert', () => {
  test('keeps comments, order and other objects, and prints findings on stderr', () => {
    const { code, stdout, stderr } = convert(['-f', shipped, '--to', 'proposed']);
    const [policy, ...rest] = stdout.replace(/'\{"from".*\}'/, 'KEPT').split('---\n');
    expect({ code, policy }).toEqual({
      code: 0,
      policy: `# Two policies, and what they rest on.
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: network # of the network team
  annotations:
    karmada-failover/converted: KEPT
spec:
  # a broken network
  matchConditions:
    - conditionType: Ready
      operator: NotIn
      statusValues: ['True']
  # and back again
  # the API server answers
  taintsToAdd:
    - key: example.com/network
      effect: NoSchedule
      addOnMatchSeconds: 1
      removeOnMismatchSeconds: 1
`,
    });
    expect(rest).toEqual(readFileSync(shipped, 'utf8').split('---\n').slice(1));
    expect(stderr.split('\n')).toEqual([
      `${shipped}:9:7: if a cluster does not report Ready, the shipped form leaves a taint as it is, and the proposed form removes it [absent-condition]`,
      `${shipped}:17:3: the proposed form waits at least 1s before it adds or removes a taint; the shipped one does not [one-second]`,
      '',
    ]);
  });

  test('prints other objects unchanged to a pipe, and redacts secrets on a terminal', () => {
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: "a\u202eb"}\nstringData: {password: hunter2}\n`;
    const argv = ['-f', '-', '--to', 'proposed', '--accept', 'durations'];
    const stdin = `${readFileSync(shipped, 'utf8')}---\n${secret}`;
    expect(convert(argv, stdin).stdout).toContain(secret);
    const env = preloading(join(import.meta.dirname, 'asTerminal.cjs'));
    const { stdout } = run(['taint-policy', 'convert', ...argv], { stdin, env });
    expect(stdout).toContain('name: "a\\u202eb"');
    expect(stdout).not.toContain('hunter2');
  });

  test('restores the original file when it converts back', () => {
    const there = convert(['-f', shipped, '--to', 'proposed']).stdout;
    expect(convert(['-f', '-', '--to', 'shipped'], there)).toEqual({
      code: 0,
      stdout: readFileSync(shipped, 'utf8'),
      stderr: 'stdin:7:5: is restored to its text before the conversion [restored]\n',
    });
  });

  test('refuses a change of behaviour with file, line and column, until its risk is accepted', () => {
    const refused = convert(['-f', proposed, '--to', 'shipped']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr.split('\n')).toEqual([
      `warning: ${proposed}:6:3: with Ready True, False or any other status and Storage=False the proposed form removes a taint, and the shipped form leaves it as it is; a second policy with the same taints, and removeOnConditions alone, can remove it there [removal]`,
      `${proposed}:7:7: if a cluster does not report Ready, the proposed form removes a taint, and the shipped form leaves it as it is [absent-condition]`,
      `warning: ${proposed}:8:7: if a cluster does not report Storage, the proposed form removes a taint, and the shipped form leaves it as it is [absent-condition]`,
      `warning: ${proposed}:13:7: example.com/storage:NoSchedule: the shipped form adds and removes it at once; it does not wait 300s to add it and 180s to remove it [durations]`,
      `warning: ${proposed}:14:7: example.com/storage:PreferNoExecute: the shipped form adds and removes it at once; it does not wait 300s to add it and 60s to remove it [durations]`,
      `warning: ${proposed}:14:35: example.com/storage:PreferNoExecute is left out: Karmada's Clusters refuse PreferNoExecute, and the policy lists NoSchedule, which would replace it [effect]`,
      `error: refused: removal, absent-condition, durations, effect: change the policies, or accept them with: kubectl karmada-failover taint-policy convert -f ${proposed} --to shipped --accept removal,absent-condition,durations,effect`,
      '',
    ]);
    const accepted = convert(['-f', proposed, '--to', 'shipped', ...ALL]);
    expect(accepted.code).toBe(0);
    expect(convert(['-f', '-', '--to', 'proposed'], accepted.stdout).stdout).toBe(
      readFileSync(proposed, 'utf8'),
    );
  });

  test('writes only changed files with --in-place, and nothing in a second run', () => {
    const folder = directory();
    const file = join(folder, 'p.yaml');
    writeFileSync(file, readFileSync(shipped));
    writeFileSync(join(folder, 'q.yaml'), 'kind: ConfigMap\napiVersion: v1\n');
    const first = convert(['-f', folder, '--to', 'proposed', '-i', '-o', 'json']);
    const document = JSON.parse(first.stdout) as { written: string[] };
    expect(document.written).toEqual([file]);
    expect(breaches('taint-policy-conversion', document)).toBe('');
    expect(readFileSync(file, 'utf8')).toContain('matchConditions');
    const again = convert(['-f', folder, '--to', 'proposed', '-i', '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ written: [], items: [{ outcome: 'unchanged' }] });
    expect(convert(['-f', folder, '--to', 'shipped', '-i']).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(shipped, 'utf8'));
  });

  test('writes no file after a refusal', () => {
    const folder = directory();
    writeFileSync(join(folder, 'a.yaml'), readFileSync(proposed));
    const { code, stdout, stderr } = convert(['-f', folder, '--to', 'shipped', '-i', '-o', 'json']);
    expect({ code, refused: (JSON.parse(stdout) as { refused: boolean }).refused }).toEqual({
      code: 1,
      refused: true,
    });
    expect(stderr).toMatch(/^error: refused: removal, /);
    expect(breaches('taint-policy-conversion', JSON.parse(stdout))).toBe('');
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(readFileSync(proposed, 'utf8'));
  });

  test('writes all manifests as documents of one file with --out', () => {
    const file = join(directory(), 'all.yaml');
    const argv = ['-f', shipped, '-f', proposed, '--to', 'proposed', '--out', file];
    expect(convert(argv)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file}: written`) });
    expect(readFileSync(file, 'utf8').endsWith(`---\n${readFileSync(proposed, 'utf8')}`)).toBe(true);
  });

  test('reports policies that their own API refuses, and exits with 2', () => {
    const text = readFileSync(proposed, 'utf8')
      .replace('300', '0')
      .replace('targetCluster:', 'targetClusters:');
    const { code, stdout, stderr } = convert(['-f', '-', '--to', 'shipped'], text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error: stdin:5:3: strict decoding error: unknown field "spec.targetClusters"');
    expect(stderr).toContain('error: stdin:13:7: spec.taintsToAdd[0].addOnMatchSeconds: Invalid value: 0');
  });

  test.each([
    [['--to', 'proposed'], 'taint-policy convert needs manifests: give -f FILE, -f - or -k DIR'],
    [
      ['-f', shipped, '--to', 'proposed', '-i', '--out', 'x'],
      '--in-place writes the files themselves, and --out another one; leave one of them out',
    ],
    [
      ['-f', shipped, '--to', 'proposed', '--out', '-', '-o', 'json'],
      '--out - prints the policies, and -o json a report; leave one of them out',
    ],
  ])('exits with 2 for %j', (argv, message) => {
    expect(convert(argv)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });

  test('refuses --in-place for stdin and compressed files', () => {
    const packed = join(directory(), 'p.yaml.gz');
    writeFileSync(packed, gzipSync(readFileSync(shipped)));
    for (const [file, stdin] of [
      ['-', readFileSync(shipped, 'utf8')],
      [packed, undefined],
    ] as const)
      expect(convert(['-f', file, '--to', 'proposed', '-i'], stdin)).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: --in-place: ${file === '-' ? 'stdin' : file} is not a plain file in UTF-8, so it cannot be edited; give --out FILE\n`,
      });
  });

  test('is suggested by validate in one finding for a policy of the other form, also in SARIF', () => {
    const results = (...argv: string[]) => {
      const { code, stdout } = run([
        'taint-policy',
        'validate',
        '-f',
        'test/fixtures/conversion',
        '-o',
        'sarif',
        ...argv,
      ]);
      const [{ results: found }] = (JSON.parse(stdout) as { runs: [{ results: Result[] }] }).runs;
      return {
        code,
        errors: found
          .filter(({ level }) => level === 'error')
          .map(({ ruleId, message }) => `${ruleId}: ${message.text}`),
      };
    };
    const text = (is: string, has: string) =>
      `other-form: the policy is in the ${is} form, and this version needs the ${has} one`;
    expect(results()).toEqual({ code: 1, errors: [text('proposed', 'shipped')] });
    expect(results('--karmada-version', 'proposal')).toEqual({
      code: 1,
      errors: [text('shipped', 'proposed')],
    });
  });
});

interface Result {
  ruleId: string;
  level: string;
  message: { text: string };
}
