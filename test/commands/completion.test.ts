import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root, run } from './cli.ts';
import { completionProgram, installIn } from '../program.ts';

/** What a shell receives to complete a line. */
function complete(words: string[], env: object = {}): Promise<{ lines: string[]; stderr: string }> {
  return new Promise((resolve, reject) => {
    const environment = { PATH: process.env['PATH'], HOME: '/nowhere', ...env };
    execFile(...completionProgram(...words), { cwd: root, env: environment }, (error, stdout, stderr) => {
      if (error) reject(error);
      else resolve({ lines: stdout.trimEnd().split('\n'), stderr });
    });
  });
}

test('completion lists commands with their descriptions', async () => {
  const { lines, stderr } = await complete(['failover', '']);
  expect({ lines, stderr }).toEqual({
    lines: [
      'audit\tShow what would be lost if any cluster, region or zone failed.',
      'diff\tShow what another version, other flags or other policies would change.',
      'explain\tExplain where a workload runs, why, and what happens to it if a cluster fails.',
      'simulate\tShow what would happen: which workloads move, where, when, and which are lost.',
      'status\tShow whether failover is on, evictions, free capacity, and what the loss of each cluster would cost.',
      ':4',
    ],
    stderr: '',
  });
});

test('completion lists only the flags of the command', async () => {
  const { lines } = await complete(['failover', 'status', '--sort']);
  expect(lines).toEqual(['--sort-by\torder the list by a field of its items, such as .replicas', ':4']);
});

test('completion reads names from the files of --state', async () => {
  const state = ['--state', 'examples/shop'];
  expect((await complete(['failover', 'status', ...state, 't'])).lines).toEqual(['tokyo', ':4']);
  expect((await complete(['eviction', 'inspect', ...state, '-n', ''])).lines).toEqual([
    'data',
    'platform',
    'shop',
    ':4',
  ]);
  expect((await complete(['eviction', 'inspect', ...state, '-n', 'data', 'd'])).lines).toEqual([
    'deployment/archive',
    'deployment/queue',
    ':4',
  ]);
});

test('completion lists ClusterTaintPolicies', async () => {
  const state = ['--state', 'test/fixtures/taint-policy-world.yaml'];
  expect((await complete(['taint-policy', 'delete', ...state, ''])).lines).toEqual([
    'network',
    'optimist',
    ':4',
  ]);
  expect((await complete(['taint-policy', 'explain', ...state, 'n'])).lines).toEqual(['network', ':4']);
});

describe('completion scripts', () => {
  const path = mkdtempSync(join(tmpdir(), 'scripts-'));
  const env = { PATH: [path, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: path };
  beforeAll(() => installIn(path));
  afterAll(() => rmSync(path, { recursive: true }));

  const scriptOf = (shell: string) => run(['completion', shell]).stdout;
  const inShell = (shell: string, text: string) =>
    spawnSync(shell, ['-c', text], { cwd: root, encoding: 'utf8', env });

  test('the kubectl script completes a command line for kubectl', async () => {
    const { stdout } = inShell('sh', `set -- failover status --sort\n${scriptOf('kubectl')}`);
    expect(stdout.trimEnd().split('\n')).toEqual((await complete(['failover', 'status', '--sort'])).lines);
  });

  test.each([
    ['failover sta', 'status'],
    ['failover status --state examples/shop t', 'tokyo'],
    ['eviction inspect --state=examples/shop -n data deployment/a', 'deployment/archive'],
    ['failover simulate --fail=', ''],
    ['completion ba', 'bash'],
  ])('the bash script completes "%s"', (line, expected) => {
    const text = `${scriptOf('bash')}
      COMP_LINE='kubectl-karmada_failover ${line}' COMP_POINT=${`kubectl-karmada_failover ${line}`.length}
      compopt() { :; }
      _kubectl_karmada_failover
      printf '%s\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = inShell('bash', text);
    expect({ stdout, stderr }).toEqual({ stdout: `${expected}\n`, stderr: '' });
  });

  test.each(['zsh', 'fish'])('the %s script is valid, if that shell is installed', (shell) => {
    // fish reads no script from a socket, which is what the input of a process is here
    const file = join(mkdtempSync(join(tmpdir(), 'completion-')), `script.${shell}`);
    writeFileSync(file, scriptOf(shell));
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(scriptOf(shell)).toContain('__complete');
  });

  test('completion of an unknown shell is refused with the list of known shells', () => {
    const { code, stderr } = run(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('kubectl, bash, zsh, fish, powershell');
  });
});

describe('completion from a live control plane', () => {
  const directory = mkdtempSync(join(tmpdir(), 'completion-'));
  const env = { KUBECONFIG: join(directory, 'config'), KARMADA_FAILOVER_COMPLETION_TIMEOUT: '5000' };
  const seen: IncomingMessage[] = [];
  let answer: (path: string) => object | undefined;
  let server: Server;

  const table = (names: string[], more: { column?: string; cell?: string } = {}) => ({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: [{ name: 'Name' }, ...(more.column ? [{ name: more.column }] : [])],
    rows: names.map((name) => ({
      cells: [name, ...(more.cell ? [more.cell] : [])],
      object: { metadata: { namespace: 'shop' } },
    })),
  });
  const tables: Record<string, object> = {
    '/apis/cluster.karmada.io/v1alpha1/clusters': table(['member1', 'member2'], {
      column: 'Ready',
      cell: 'True',
    }),
    '/apis/work.karmada.io/v1alpha2/resourcebindings': table([
      'cart-deployment',
      'cart-deployment',
      'my-db-statefulset',
    ]),
    '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings': table(['cart-deployment']),
    '/apis/work.karmada.io/v1alpha2/clusterresourcebindings': table(['reader-clusterrole']),
    '/api/v1/namespaces': table(['shop', 'data', 'karmada-es-member1']),
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request);
      const body = answer(request.url!.split('?')[0]!);
      if (!body) return; // never
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(
      env.KUBECONFIG,
      JSON.stringify({
        'current-context': 'karmada',
        clusters: [{ name: 'k', cluster: { server: address } }],
        contexts: ['karmada', 'other'].map((name) => ({ name, context: { cluster: 'k' } })),
      }),
    );
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });

  test('lists clusters with their Ready condition', async () => {
    answer = (path) => tables[path];
    expect((await complete(['failover', 'status', ''], env)).lines).toEqual([
      'member1\tReady: True',
      'member2\tReady: True',
      ':4',
    ]);
    expect(seen.at(-1)!.headers.accept).toContain('as=Table');
    expect(seen.at(-1)!.url).toContain('includeObject=None');
  });

  test('redacts secrets in server output, and offers no name that contains one', async () => {
    const cells = [
      ['member1', 'https://user:s3cret@proxy.example:3128/x\u001b[2J'],
      ['HTTPS_PROXY=user:s3cret@proxy:3128', 'True'],
    ];
    answer = () => ({ ...table([], { column: 'Ready' }), rows: cells.map((row) => ({ cells: row })) });
    expect((await complete(['failover', 'status', ''], env)).lines).toEqual([
      'member1\tReady: https://***@proxy.example:3128/x^[[2J',
      ':4',
    ]);
  });

  test.each([
    [
      ['eviction', 'inspect', ''],
      ['clusterrole/reader', 'deployment/cart', 'statefulset/my-db', ':4'],
    ],
    [
      ['eviction', 'inspect', '-n', 'shop', ''],
      ['deployment/cart', ':4'],
    ],
    [
      ['eviction', 'inspect', 'deploy/'],
      ['deploy/cart', ':4'],
    ],
    [
      ['eviction', 'inspect', 'deploy', ''],
      ['cart', ':4'],
    ],
    [
      ['eviction', 'inspect', 'deploy.apps/c'],
      ['deploy.apps/cart', ':4'],
    ],
    [
      ['eviction', 'inspect', 'rb/my'],
      ['rb/my-db-statefulset', ':4'],
    ],
    [
      ['eviction', 'inspect', '-n', 'd'],
      ['data', ':4'],
    ],
    [
      ['failover', 'status', '--karmada-context', ''],
      ['karmada', 'other', ':4'],
    ],
    [
      ['failover', 'simulate', '--fail', 'member2'],
      ['member2\tReady: True', ':4'],
    ],
  ])('completes %j', async (words, lines) => {
    answer = (path) => tables[path];
    expect((await complete(words, env)).lines).toEqual(lines);
  });

  test.each<[string, object, string[]]>([
    ['does not respond', { KUBECONFIG: env.KUBECONFIG }, []],
    ['has no kubeconfig', { KUBECONFIG: '/nowhere/config' }, []],
    ['cannot be reached', { KUBECONFIG: env.KUBECONFIG }, ['--server', 'http://127.0.0.1:9']],
  ])('offers only kinds if the control plane %s, without waiting', async (_, environment, flags) => {
    answer = () => undefined;
    const { lines, stderr } = await complete(['eviction', 'inspect', ...flags, 'deploy'], environment);
    expect({ lines, stderr }).toEqual({ lines: ['deployment/', ':6'], stderr: '' });
  });
});
