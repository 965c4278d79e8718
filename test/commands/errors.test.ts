import { describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './cli.ts';
import { program } from '../program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const state = ['--state', 'examples/shop'];

describe('wrong usage prints one line with a suggestion and exits with 2', () => {
  test.each([
    [['evicton', 'inspect'], 'unknown command "evicton inspect", did you mean "eviction inspect"?'],
    [['fly'], 'unknown command "fly"; see kubectl karmada-failover --help'],
    [['failover', 'fly'], 'unknown command "failover fly"; see kubectl karmada-failover failover --help'],
    [
      ['taint-policy', 'validate', '-f', '-', '--fail-on', 'grave'],
      '--fail-on "grave" is not known; choose from note, warning, error',
    ],
    [
      ['taint-policy', 'apply', '-f', '-', '--accept', 'never-removed,workload-lost'],
      '--accept "workload-lost" is not known, did you mean workloads-lost?',
    ],
    [['failover', 'doctor'], 'unknown command "failover doctor", did you mean "doctor"?'],
    [
      ['failover', 'taint-policy', 'list'],
      'unknown command "failover taint-policy", did you mean "taint-policy list"?',
    ],
    ...[
      ['failover', 'audit', '--report'],
      ['failover', 'simulate', '--save-state'],
      ['drain', 'frankfurt', '--dry-run', '--out'],
      ['snapshot', 'save'],
    ].map((argv): [string[], string] => [
      [...argv, 'examples/shop/control-plane.json', ...state],
      'examples/shop/control-plane.json: --state examples/shop reads this file; name another one to write',
    ]),
    [
      ['taint-policy', 'convert', '-f', 'test/fixtures/taint-policies', '--limit=-1'],
      '--limit "-1" is not a whole number, 0 or more',
    ],
    [
      ['status', ...state, '--assume', 'Failover=true', '--assume=Failover=false'],
      '--assume: Failover=true and Failover=false contradict each other',
    ],
    [['fly', 'me', 'there'], 'unknown command "fly"; see kubectl karmada-failover --help'],
    [['statuss'], 'unknown command "statuss", did you mean "status"?'],
    [
      ['exporter', 'run', '--listen', 'x'],
      'unknown flag --listen; see kubectl karmada-failover exporter run',
    ],
    [
      ['completion', 'tcsh'],
      'completion "tcsh" is not known; choose from kubectl, bash, zsh, fish, powershell',
    ],
    [['drian', 'frankfurt'], 'unknown command "drian", did you mean "drain"?'],
    [['evict', 'deploy/cart'], 'unknown command "evict", did you mean "eviction"?'],
    [['inspect', 'deploy/cart', '-n', 'shop'], 'unknown command "inspect", did you mean "eviction inspect"?'],
    [
      ['eviction', 'relase', 'deploy/cart'],
      'unknown command "eviction relase", did you mean "eviction release"?',
    ],
    [
      ['failover', 'explain'],
      'missing argument KIND/NAME; see kubectl karmada-failover failover explain --help',
    ],
    [
      ['taint-policy', 'list', '-A'],
      'unknown flag -A; see kubectl karmada-failover taint-policy list --help',
    ],
    [
      ['cordon', 'frankfurt', ...state],
      '--state reads files, which this command cannot change; give --dry-run=client to see what it would do\n',
    ],
    [
      ['cordon', 'mars', '--dry-run', ...state],
      'there is no cluster "mars"; there are dublin, frankfurt, oregon, tokyo, virginia\n',
    ],
    [
      ['record', 'file.rec', ...state],
      'record works on a live control plane and takes no --state; choose it with --karmada-context NAME',
    ],
    [['eviction', 'inspect', '--stat', 'x'], 'unknown flag --stat, did you mean --state?'],
    [
      ['failover', 'simulate', '-f', 'x.yaml'],
      'unknown flag -f; give --scenario FILE for events or --apply FILE for manifests',
    ],
    [['failover', 'status', 'a', 'b', ...state], 'unexpected argument b; name one cluster'],
    [
      ['taint-policy', 'apply', 'p/ok.yaml', '--dry-run'],
      'unexpected argument p/ok.yaml; give files with -f\n',
    ],
    [
      ['taint-policy', 'apply', 'a:b.yaml', 'c.yaml'],
      'unexpected arguments a:b.yaml, c.yaml; give files with -f\n',
    ],
    [['taint-policy', 'apply', '-f', 'a.yaml', 'c.yaml'], 'unexpected argument c.yaml; give files with -f\n'],
    [
      ['failover', 'simulate', 'frankfurt'],
      'unexpected argument frankfurt; name a cluster that fails with --fail\n',
    ],
    [['failover', 'diff', 'foo'], 'unexpected argument foo; name a cluster that fails with --fail\n'],
    [
      ['taint-policy', 'list', 'foo'],
      'unexpected argument foo; see kubectl karmada-failover taint-policy list --help\n',
    ],
    [['version', 'foo'], 'unexpected argument foo; see kubectl karmada-failover version --help\n'],
    [
      ['eviction', 'inspect', 'a/b', 'c', ...state],
      '"c" and "a/b": write KIND NAME..., as in deployment cart search',
    ],
    [
      ['eviction', 'inspect', '--state'],
      'flag --state expects a value; see kubectl karmada-failover eviction inspect --help',
    ],
    [
      ['cordon', 'frankfurt', '--dry-run=yes'],
      '--dry-run "yes" is not known; choose from none, client, server',
    ],
    [
      ['eviction', 'inspect', ...state, '-o', 'pretty'],
      '-o pretty is not known; choose from json, yaml, wide, name, jsonpath=..., ',
    ],
    [['eviction', 'inspect', ...state, '-o', 'jsn'], '-o jsn is not known, did you mean json?'],
    [
      ['eviction', 'inspect', ...state, '-o', 'go-template={{.kind}}'],
      '-o go-template is not supported; choose from json, ',
    ],
    [['eviction', 'inspect', ...state, '-o', 'jsonpath'], "-o jsonpath needs a value: jsonpath='{.kind}'"],
    [['eviction', 'inspect', ...state, '-o', 'jsonpath={.a'], '-o jsonpath: {.a: unclosed action'],
    [
      ['eviction', 'inspect', ...state, '-o', 'jsonpath={.items[9]}'],
      '-o jsonpath={.items[9]}: array index out of bounds: index 9, length 1',
    ],
    [
      ['eviction', 'inspect', ...state, '-o', 'custom-columns=NAME'],
      '-o custom-columns: "NAME" is not HEADER:PATH, such as NAME:.workload.name',
    ],
    [
      ['eviction', 'inspect', ...state, '-o', 'custom-columns-file=nowhere'],
      '-o custom-columns-file=nowhere: no such file or directory; check the path',
    ],
    [
      ['eviction', 'inspect', ...state, '--sort-by', '.nope'],
      '--sort-by ".nope": no item has this field; -o json shows the fields',
    ],
    [
      ['failover', 'status', ...state, '--sort-by', '.ready'],
      '--sort-by ".ready" cannot be sorted by: it is an object',
    ],
    [['eviction', 'inspect', ...state, '--at', 'noon'], '--at "noon" is not an RFC 3339 time'],
    [
      ['eviction', 'inspect', ...state, '--karmada-version', 'newest'],
      '--karmada-version "newest" is not a version; give one such as v1.18.2 or v1.17, or proposal',
    ],
    [
      ['eviction', 'inspect', ...state, '--karmada-version=v1.13.10', '--assume=resource-eviction-rate=1'],
      'resource-eviction-rate has no effect in v1.13.10: Karmada has it from v1.16.0 on',
    ],
    [
      ['eviction', 'inspect', ...state, '--assume', 'Failver=true'],
      'v1.18.2 knows no feature gate or flag Failver, did you mean Failover?',
    ],
    [
      ['failover', 'status', ...state, '--assume', 'workloadReadyAfter=8s'],
      '--assume: workloadReadyAfter is neither a feature gate nor a flag of Karmada; give it with --ready-after',
    ],
    [['eviction', 'inspect', ...state, '--assume', 'Failover'], '"Failover" is not NAME=VALUE'],
    [['eviction', 'inspect', ...state, '-n', 'shopp'], 'no bindings in namespace shopp, did you mean shop?'],
    [
      ['eviction', 'inspect', 'deploy/crat', ...state],
      'no binding for deploy/crat in the state, did you mean deploy/cart?',
    ],
    [
      ['eviction', 'inspect', 'sts/cart', ...state],
      'no binding for sts/cart in the state, did you mean deployment/cart?',
    ],
    [
      ['eviction', 'inspect', 'deploy/cart', '-n', 'data', ...state],
      'no binding for deploy/cart in namespace data; there is one in shop',
    ],
    [['eviction', 'inspect', 'cart', ...state], '"cart" is not KIND/NAME, did you mean deployment/cart?'],
    [
      ['failover', 'status', 'franfurt', ...state],
      'there is no cluster "franfurt" in the state, did you mean frankfurt?',
    ],
    [
      ['failover', 'status', '--state', 'nowhere.json'],
      'nowhere.json: no such file or directory; check the path',
    ],
    [
      ['failover', 'simulate', ...state, '--apply', 'nowhere.yaml'],
      'nowhere.yaml: no such file or directory; check the path\n',
    ],
    [
      ['failover', 'simulate', ...state, '--apply', 'x'.repeat(300)],
      'the path is too long; check the path\n',
    ],
    [['failover', 'status', '--state', 'README.md'], 'README.md'],
    [
      ['failover', 'status', ...state, '-o', 'jsonpath-file=/dev/zero'],
      'jsonpath-file=/dev/zero: is larger than 1 MiB; check the path\n',
    ],
    [
      ['failover', 'status', '--kubeconfig', '/dev/zero'],
      'cannot be read: is larger than 32 MiB; check the path\n',
    ],
    [
      ['failover', 'status', '--server', 'https://127.0.0.1:1', '--certificate-authority', '/dev/zero'],
      'certificate-authority: /dev/zero: is larger than 16 MiB; check the path\n',
    ],
    [['failover', 'fly\n\u001b[2J'], 'unknown command "failover fly\\n^[[2J"; see'],
    [
      ['failover', 'status', '--state', 'no\u001b[2J\u202e\nwhere'],
      'error: no^[[2J\\u202e where: no such file',
    ],
    [['cordon', 'x', '--context', 'no\u009b31m'], 'context "no\\x9b31m": no kubeconfig at '],
  ])('%j', (argv, message) => {
    const { code, stdout, stderr } = run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toContain(message);
  });

  test('KARMADA_FAILOVER_DEBUG adds the stack trace to an error', () => {
    const { stderr } = run(['failover', 'status', 'franfurt', ...state], {
      env: { KARMADA_FAILOVER_DEBUG: '1' },
    });
    expect(stderr).toMatch(/^error: there is no cluster "franfurt".*\n.*\n +at /);
  });
});

test('a closed stdout is not an error', async () => {
  const child = spawn(...program('failover', 'status', ...state, '-o', 'json'), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'exit')) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a closed stderr does not change the exit code', async () => {
  const start = program('failover', 'status', '-o', 'pretty');
  const child = spawn(...start, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([2, null]);
});

test('Ctrl-C ends a read-only command immediately with SIGINT', async () => {
  const start = program('failover', 'status', '--state', '-');
  const child = spawn(...start, { cwd: root, stdio: ['pipe', 'ignore', 'ignore'] });
  const exit = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  // more than a pipe holds: once all is written, the command is reading and fully set up
  const objects = '{"kind": "Cluster", "metadata": {"name": "none"}},'.repeat(200_000);
  await new Promise((taken) => child.stdin.write(`{"kind": "List", "items": [${objects}`, taken));
  child.kill('SIGINT');
  expect(await exit).toEqual([null, 'SIGINT']);
});

test('a state without objects is reported, with the input that is needed', () => {
  const file = join(temporaryFolder('empty-'), 'list.json');
  writeFileSync(file, '{"apiVersion":"v1","kind":"List","items":[]}');
  const { stderr, code } = run(['failover', 'status', '--state', file]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^error: --state .*list\.json: holds no object; give the output of kubectl get .*\n$/,
  );
});

test.each([
  ['an answer', ['failover', 'status', ...state]],
  ['help', ['failover', 'status', '--help']],
])('a write error of %s is one line', (_, argv) => {
  // a shell's limit instead of a full device: it works on each system and for each user
  const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@" > "$0"';
  const file = join(temporaryFolder('full-'), 'answer');
  const { status, stderr } = spawnSync('bash', ['-c', limited, file, ...program(...argv).flat()], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(stderr).toBe(
    'error: the answer cannot be written: the file would be too large; write to another path\n',
  );
  expect(status).toBe(2);
});

test('an error with a name of two megabytes keeps the start and end of the name and shows its length', () => {
  const file = join(temporaryFolder('long-'), 'scenario.json');
  writeFileSync(file, `{"first${'x'.repeat(2_000_000)}last": 1}`);
  const { stderr, code } = run(['failover', 'simulate', ...state, '--scenario', file]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: .*scenario\.json:1.*firstx+ … \(\d+ characters, .*\) … x+last.*\n$/);
  expect(stderr.length).toBeLessThan(5000);
});
