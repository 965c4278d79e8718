import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { freePort } from '../freePort.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { readControllerLog } from '../../src/state/controllerLog.ts';
import { openRecording } from '../../src/state/recording/recording.ts';
import { cluster, deployment } from '../simulator/simulation/controlPlane.ts';
import { openApi } from '../useCases/controller/openApi.ts';
import { root, run, type Ran } from './cli.ts';
import { createAuthority, issue } from '../state/live/certificates.ts';
import type { ServingOptions } from '../state/live/servingObjects.ts';
import { servedWithPolicies } from './exporterRun.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';
import { breaches } from './schema.ts';
import { program } from '../program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const OFF = ['--assume', 'controllers=none'];
const ON = ['--feature-gates=Failover=true', '--enable-no-execute-taint-eviction=true', '--bind-address=0'];
const BINDING = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment';
const EAST = '/apis/cluster.karmada.io/v1alpha1/clusters/east-1';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-failover-controller';

/** Two clusters, one of them not ready, a policy that taints it, and a workload on both. */
function objects(): KubernetesObject[] {
  const down = cluster('east-1');
  down.status!.conditions![0]!.status = 'False';
  const web = deployment('web', {
    placement: {},
    replicas: 2,
    clusters: [
      { name: 'east-1', replicas: 2 },
      { name: 'west-1', replicas: 2 },
    ],
  });
  return servedWithPolicies([down, cluster('west-1'), web]);
}

let server: LiveServer | undefined;
let served: LiveServer;
const running = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  server?.close();
  server = undefined;
});

const serve = async (options: ServingOptions = {}) =>
  void (served = server = await liveServer(objects(), { documents: openApi(), now: Date.now(), ...options }));

interface Running extends Ran {
  /** resolves when it has ended */
  ended: Promise<Ran>;
  stop(): void;
}

function start(...argv: string[]): Running {
  const child = spawn(...program('controller', 'run', ...argv), {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], KUBECONFIG: served.kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text));
  const ended = new Promise<Ran>((resolve) =>
    child.on('close', (code) => {
      running.delete(child);
      resolve({ ...ran, code });
    }),
  );
  return Object.assign(ran, { ended, stop: () => void child.kill('SIGTERM') });
}

async function until(what: string, done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await done()); tries++) {
    // ten minutes: processes beside others may get little time
    if (tries > 12_000) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const taintsOf = (path: string) =>
  ((served.store.get(path) as unknown as Cluster).spec?.taints ?? []).map(({ key }) => key);
const tasks = () =>
  (served.store.get(BINDING) as unknown as ResourceBinding).spec.gracefulEvictionTasks ?? [];
const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('controller run', () => {
  test('taints, evicts and stamps eviction tasks instead of Karmada, logs it, and ends on SIGTERM', async () => {
    await serve();
    const one = start(...OFF, ...ON, '-o', 'json');
    await until('a task with a time', () => tasks()[0]?.creationTimestamp !== undefined);
    expect(taintsOf(EAST)).toEqual(['cluster.karmada.io/not-ready']);
    expect(tasks()).toMatchObject([
      {
        fromCluster: 'east-1',
        producer: 'TaintManager',
        reason: 'TaintUntolerated',
        purgeMode: 'Gracefully',
      },
    ]);
    expect(served.store.get(LEASE)).toMatchObject({
      spec: { holderIdentity: expect.stringMatching(/_/) },
    });
    one.stop();
    const { code, stdout, stderr } = await one.ended;
    expect(code).toBe(0);

    const reported = lines(stdout);
    expect(reported.map(({ type, kind }) => type ?? kind)).toEqual(
      expect.arrayContaining(['started', 'leader', 'tainted', 'evicted', 'task-begun', 'ControllerReport']),
    );
    expect(reported.at(-1)).toMatchObject({
      kind: 'ControllerReport',
      written: true,
      clusters: [{ cluster: 'east-1', taintsAdded: 1, evicted: 1 }],
    });
    for (const line of reported)
      expect(
        breaches(line.kind === 'ControllerReport' ? 'controller-report' : 'controller-event', line),
      ).toBe('');
    // the dashboard can replay it
    const { decisions } = readControllerLog(stdout, 'stdout');
    expect(decisions.map(({ line, type }) => [line, type]).sort()).toEqual(
      reported.flatMap(({ type }, index) => (type === undefined ? [] : [[index + 1, type]])).sort(),
    );
    // the log is JSON, on stderr
    expect(lines(stderr).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['Started', 'Updated cluster taints', 'Evicted cluster from binding']),
    );
    // the Lease is free for the next one, and the Events are written as by Karmada's controller
    expect(served.store.get(LEASE)).toMatchObject({ spec: { holderIdentity: '' } });
    const events = served.store.all().filter(({ kind }) => kind === 'Event');
    expect(events).toMatchObject([
      {
        involvedObject: { kind: 'Cluster', name: 'east-1' },
        reason: 'TaintClusterSucceed',
        source: { component: 'cluster-taint-policy-controller' },
      },
    ]);
  });

  test('with --observe writes nothing, and prints the omitted writes at the end', async () => {
    await serve();
    const one = start('--observe', ...ON);
    await until('an eviction', () => one.stdout.includes('would evict'));
    one.stop();
    const { code, stdout, stderr } = await one.ended;
    expect(code).toBe(0);
    expect(served.writes).toEqual([]);
    expect(stdout).toMatch(/would taint east-1 with cluster\.karmada\.io\/not-ready:NoExecute/);
    expect(stdout).toMatch(/would evict shop\/deployment\/web from east-1 \(Gracefully\)/);
    expect(stdout).toMatch(/this would have been written:\n\n(.*\n)?CLUSTER/);
    expect(stdout).toMatch(/^east-1 +1 +0 +1/m);
    // it still warns that Karmada's own controllers may be running
    expect(stderr).toContain('It would not run without --observe');
  });

  test('with --record records the control plane from before its first write', async () => {
    await serve();
    const file = join(served.directory, 'run.rec');
    const one = start(...OFF, ...ON, '--record', file);
    await until('a task with a time', () => tasks()[0]?.creationTimestamp !== undefined);
    one.stop();
    const { code, stderr } = await one.ended;
    expect(code).toBe(0);
    // the log stays valid JSON
    expect(lines(stderr).map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/run\.rec: \d+ changes? in/),
    );
    const recording = await openRecording([file]);
    expect(recording.ended).toBe('the controllers have ended');
    const tasksAt = (instant: number) =>
      recording.worldAt(instant).bindings[0]!.spec.gracefulEvictionTasks?.length ?? 0;
    expect([tasksAt(recording.from - 1), tasksAt(recording.to)]).toEqual([0, 1]);
  });

  test('does not start if the file of --record exists, and creates no file if it is refused', async () => {
    await serve();
    const file = join(served.directory, 'there.rec');
    const refused = await runLive(['controller', 'run', ...ON, '--record', file], served);
    expect([refused.code, existsSync(file)]).toEqual([1, false]);
    writeFileSync(file, 'mine');
    const { code, stderr } = await runLive(['controller', 'run', ...OFF, ...ON, '--record', file], served);
    expect(code).toBe(2);
    expect(stderr).toContain('there.rec');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(served.writes).toEqual([]);
  });

  test('reads settings from a file, and reports all errors with line and column', async () => {
    await serve();
    const file = join(served.directory, 'controller.yaml');
    writeFileSync(
      file,
      [
        'controllers: [taint-manager]',
        'feature-gates:',
        '  Failover: maybe',
        '  GracefulEviction: {enabled: true}',
        'resource-eviction-rate: -1',
        'leader-elect-lease: 3s',
        '',
      ].join('\n'),
    );
    const { code, stderr } = await runLive(['controller', 'run', ...OFF, '--config', file], served);
    expect(code).toBe(2);
    expect(stderr.split('\n').filter((line) => line.startsWith('error: '))).toEqual([
      `error: --config ${file}:6:1: leader-elect-lease: is not a setting, did you mean leader-elect or leader-elect-lease-duration?`,
      `error: --config ${file}:3:3: feature-gates.Failover: Failover: "maybe" is not true or false`,
      `error: --config ${file}:4:3: feature-gates.GracefulEviction: GracefulEviction: "{\\"enabled\\":true}" is not true or false`,
      `error: --config ${file}:5:1: resource-eviction-rate: -1 is not a number, 0 or from 1.1e-10 to 3.4e+38`,
    ]);
  });

  test.each([
    [['--controllers=none'], 2, /--controllers: there is no controller "none"/],
    [
      [...OFF, '--controllers=taint-manager'],
      1,
      /taint-manager needs --feature-gates=Failover=true --enable-no-execute-taint-eviction=true/,
    ],
    [[...ON], 1, /there is no Lease karmada-system\/karmada-controller-manager.*--host-context/],
    [
      [...ON, '--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'],
      1,
      /taint-manager: Karmada's own controller does this already.*--enable-taint-manager=false/,
    ],
    [[...ON, '--karmada-version', 'newest'], 2, /"newest" is not a version/],
    [[...ON, '-o', 'yaml'], 2, /--output "yaml" is not known/],
  ])('exits for %j with %i', async (argv, expected, message) => {
    await serve();
    const ran = await runLive(
      ['controller', 'run', ...argv, '--controllers=taint-manager'].slice(0, -1),
      served,
    );
    expect(ran.stderr).toMatch(message);
    expect(ran.code).toBe(expected);
    expect(served.writes).toEqual([]);
  });

  test('logs a repeated failure once, with its count', async () => {
    await serve({ readOnly: ['resourcebindings.work.karmada.io'] });
    const one = start(...OFF, ...ON);
    await until('tries', () => served.writes.filter((write) => write === `patch ${BINDING}`).length > 3);
    one.stop();
    const { stderr } = await one.ended;
    const failures = lines(stderr).filter(({ level }) => level === 50);
    const [first, counted, ...others] = failures;
    expect(others).toEqual([]);
    expect(first).toMatchObject({ level: 50, msg: expect.stringContaining('is forbidden') });
    expect(counted).toMatchObject({ ...first, time: expect.any(Number) });
    expect(counted!['time']).toBeGreaterThan(Number(first!['time']));
    expect(counted!['repeated']).toBeGreaterThanOrEqual(2);
  });

  test('serves readiness and metrics', async () => {
    await serve();
    const port = await freePort();
    const one = start(...OFF, ...ON.slice(0, 2), `--bind-address=127.0.0.1:${port}`);
    await until('readiness', async () => (await get(port, '/readyz')).status === 200);
    await until('a task', () => tasks().length > 0);
    const { body } = await get(port, '/metrics');
    for (const name of [
      'eviction_queue_depth{name="binding-eviction"} 0',
      'eviction_processing_total{name="binding-eviction",result="success"} 1',
      'workqueue_adds_total{name="taint-manager"}',
      'leader_election_master_status{name="karmada-failover-controller"} 1',
      'rest_client_requests_total{',
    ])
      expect(body).toContain(name);
    one.stop();
    expect((await one.ended).code).toBe(0);
  });
});

describe('metrics of controller run', () => {
  test('over TLS require a client that the API server authorizes, and never log its token', async () => {
    await serve();
    const port = await freePort();
    const { cert, key } = issue(createAuthority(), 'probes', { hosts: ['127.0.0.1'] });
    const [certFile, keyFile] = ['tls.crt', 'tls.key'].map((name) => join(served.directory, name));
    writeFileSync(certFile!, cert);
    writeFileSync(keyFile!, key);
    const tls = [`--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`];
    const one = start(...OFF, ...ON.slice(0, 2), `--bind-address=127.0.0.1:${port}`, ...tls, '-v=9');
    const ask = (path: string, token?: string) =>
      get(port, path, { ...(token !== undefined && { authorization: `Bearer ${token}` }) }, true);
    await until('readiness', async () => (await ask('/readyz')).status === 200);
    expect(await ask('/metrics')).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect(await ask('/metrics', 'canary-other')).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect(await ask('/metrics', 'canary-weak')).toEqual({ status: 403, body: 'Forbidden\n' });
    const { status, body } = await ask('/metrics', 'canary-known');
    expect(status).toBe(200);
    expect(body).toContain('leader_election_master_status');
    one.stop();
    const { stderr } = await one.ended;
    expect(stderr).toContain('tokenreviews');
    expect(stderr).not.toContain('canary');
  });

  test.each([
    [['--tls-cert-file', 'a'], /--tls-cert-file: needs tls-private-key-file/],
    [
      ['--tls-cert-file', '/nowhere', '--tls-private-key-file', '/nowhere'],
      /--tls-cert-file \/nowhere.*ENOENT|no such file/,
    ],
  ])('%j is rejected', async (more, message) => {
    await serve();
    const { code, stderr } = await runLive(['controller', 'run', ...OFF, ...ON.slice(0, 2), ...more], served);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('controller manifests', () => {
  const printed = (...argv: string[]) => run(['controller', 'manifests', ...argv]);

  test('prints manifests for kubectl in parts, without redaction', () => {
    const { code, stdout, stderr } = printed(
      '--for',
      'host',
      '--image=registry.example/karmada-failover:v1',
      `--image-digest=${DIGEST}`,
      '--tls-secret=serving',
      '--feature-gates=Failover=true',
      '--replicas=3',
      '--assume=controllers=none',
    );
    expect([code, stderr]).toEqual([0, '']);
    const objects = loadAll(stdout) as KubernetesObject[];
    expect(objects.map(({ kind }) => kind)).toEqual([
      ...['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'NetworkPolicy', 'Service', 'ConfigMap'],
    ]);
    expect(stdout).not.toContain('***');
    expect(objects[1]).toMatchObject({
      spec: {
        replicas: 3,
        template: { spec: { containers: [{ image: `registry.example/karmada-failover:v1@${DIGEST}` }] } },
      },
    });
    expect(stdout).toContain("- '--assume=controllers=none'");
    const asJson = JSON.parse(printed('--for', 'karmada', '-o', 'json').stdout) as { items: unknown[] };
    expect(asJson.items).toHaveLength(5);
  });

  test('accepts a settings file with empty feature gates', () => {
    const file = join(temporaryFolder('settings-'), 'controller.yaml');
    writeFileSync(file, 'feature-gates: {}\n');
    const { code, stdout } = printed('--for', 'host', '--image', 'a', '--config', file);
    expect(code).toBe(0);
    expect(stdout).not.toContain('object Object');
  });

  test.each([
    [['--for', 'nowhere'], /--for "nowhere" is not known/],
    [['--for', 'host'], /--image is missing.*docker build/],
    [
      ['--image', 'a', '--image-digest', 'sha256:12'],
      /--image-digest "sha256:12" is not a digest.*docker push/,
    ],
    [['--image', `a@${DIGEST}`, '--image-digest', DIGEST], /has a digest already/],
    [['--image', 'a', '--tls-secret', 'A'], /"A" \(--tls-secret\) cannot be the name of an object/],
    [['--image', 'a b'], /--image "a b" is not the name of an image/],
    [
      ['--namespace', 'Bad Name', '--image', 'a'],
      /--namespace "Bad Name" cannot be the name of a namespace; give lower/,
    ],
    [
      ['--kubeconfig-secret', 'a_b', '--image', 'a'],
      /"a_b" \(--kubeconfig-secret\) cannot be the name of an object; give lower/,
    ],
    [['--replicas', '0', '--image', 'a'], /--replicas "0" is not a whole number, 1 or more/],
    [['--resource-eviction-rate', 'x', '--image', 'a'], /--resource-eviction-rate: "x" is not a number/],
    [
      ['--for', 'karmada', '--karmada-version', 'proposal', '-f', 'test/fixtures/taint-policy-world.yaml'],
      /there is no CRD for ClusterTaintPolicy.*charts\/karmada\/_crds/,
    ],
  ])('%j is rejected', (argv, message) => {
    const { code, stderr } = printed(...argv);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  secure = false,
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve) => {
    const where = { host: '127.0.0.1', port, path, headers, agent: false, rejectUnauthorized: false };
    const asked = (secure ? secureRequest : request)(where, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    asked.on('error', () => resolve({ status: undefined, body: '' }));
    asked.end();
  });
}
