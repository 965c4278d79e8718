import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { SnapshotHeader } from '../../src/state/snapshot/snapshot.ts';
import { heldTask, workOf } from '../analysis/drain/aDrain.ts';
import { cluster, workload } from '../operations/drain/drainScene.ts';
import { json, run } from './cli.ts';
import { withoutTarget } from '../nextCommands.ts';
import { breaches } from './schema.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';
import { preloading } from '../program.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'shop', name: 'password' },
  data: { password: 'aHVudGVyMg==' },
};

/** Every command that reads, with arguments that make it read a lot. */
const READING = [
  ['failover', 'status'],
  ['failover', 'status', 'frankfurt'],
  ['failover', 'explain', 'sts/ledger', '-n', 'data'],
  ['failover', 'explain', 'deploy/pricing', '-n', 'shop', '--if-fails', 'virginia', '--cluster', 'tokyo'],
  ['failover', 'simulate', '--fail', 'virginia'],
  ['failover', 'simulate', '--apply', 'test/commands/moved-policy.yaml'],
  ['eviction', 'inspect'],
  ['eviction', 'inspect', 'sts/session-cache', '-n', 'data'],
  ['eviction', 'inspect', '-l', 'app=checkout'],
];

/** Many command lines, one after another. */
const MANY = 60_000;

let server: LiveServer;
beforeAll(async () => {
  server = await liveServer([...items, secret]);
});
afterAll(() => server.close());

async function answer(argv: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runLive([...argv, '-o', 'json'], server);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

describe('on a live control plane', () => {
  test.each(READING)('%s %s %s … answers as for files of the same objects', async (...argv) => {
    const same = ['--at', '2026-09-01T09:33:00Z', '--karmada-version', 'v1.18'];
    expect(withoutTarget((await answer([...argv, ...same])) as object)).toEqual(
      withoutTarget(json([...argv, ...same, '--state', file])),
    );
  });

  test('the instant is from the clock of the API server, so it is not an assumption', async () => {
    expect(await answer(['failover', 'status'])).toMatchObject({
      assumptions: expect.arrayContaining([
        expect.objectContaining({ name: 'now', source: 'the clock of the API server', assumed: false }),
      ]),
    });
  });
});

describe('the Karmada version', () => {
  const schemas = (spec: object) => ({
    components: {
      schemas: {
        'io.karmada.policy.v1alpha1.PropagationPolicy': { properties: { spec: { properties: spec } } },
        'io.karmada.policy.v1alpha1.ClusterTaintPolicy': {},
      },
    },
  });

  test('is detected from the API, unless --karmada-version is given', async () => {
    const older = await liveServer(items, {
      documents: { '/openapi/v3/apis/policy.karmada.io/v1alpha1': schemas({}) },
    });
    const { stdout, stderr } = await runLive(['failover', 'status', '-o', 'json'], older);
    const asked = await runLive(['failover', 'status', '--karmada-version', 'v1.18'], older);
    older.close();
    const found = 'the API has ClusterTaintPolicy and no spec.failover.cluster, as in v1.14';
    expect(stderr).toBe(
      'warning: v1.14 does not know spec.failover.cluster; it is left out of ResourceBinding data/session-cache-statefulset, PropagationPolicy data/session-cache\n',
    );
    expect((JSON.parse(stdout) as { assumptions: object[] }).assumptions).toContainEqual({
      name: 'karmadaVersion',
      value: 'v1.14',
      source: expect.stringContaining(`${found}; its newest patch release is assumed`),
      assumed: true,
    });
    expect(asked.stderr).toBe('');
  });
});

describe('a snapshot', () => {
  test(
    'of a live control plane gives the same answers at the same instant',
    async () => {
      const snapshot = join(server.directory, 'live.json.gz');
      const saved = await runLive(['snapshot', 'save', snapshot], server);
      expect(saved).toEqual({
        code: 0,
        stdout: `${snapshot}: 5 clusters, 14 bindings, 32 Works\n\nkubectl karmada-failover status --state=${snapshot}\n`,
        stderr: '',
      });
      const { captured } = JSON.parse(gunzipSync(readFileSync(snapshot)).toString()) as SnapshotHeader;
      for (const argv of READING) {
        const [then, live] = [
          json([...argv, '--state', snapshot]),
          await answer([...argv, '--at', captured!.time]),
        ].map((document) => withoutTarget(withoutInstant(document as Record<string, unknown>)));
        expect({ argv, answer: live }).toEqual({ argv, answer: then });
      }
    },
    MANY,
  );

  test(
    'of files gives the same answers, with the same component flags',
    async () => {
      const snapshot = join(server.directory, 'files.json');
      expect(run(['snapshot', 'save', snapshot, '--state', 'examples/incident']).code).toBe(0);
      for (const argv of READING)
        expect(withoutTarget(json([...argv, '--state', snapshot]))).toEqual(
          withoutTarget(json([...argv, '--state', 'examples/incident'])),
        );
    },
    MANY,
  );

  test(
    'gives the same answers as files and the live control plane about failures in Events and host components',
    async () => {
      const at = Date.parse('2026-09-01T09:33:00Z');
      const event = (name: string, reason: string, lastTimestamp: string) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'data', name: `${name}.${reason}` },
        involvedObject: { kind: 'StatefulSet', namespace: 'data', name },
        type: reason.endsWith('Failed') ? 'Warning' : 'Normal',
        reason,
        lastTimestamp,
        message: 'error: token=hunter2',
      });
      const failing = [
        ...[...items, secret],
        event('ledger', 'ApplyPolicyFailed', '2026-09-01T09:30:00Z'),
        event('ledger', 'GetReplicasFailed', '2026-09-01T09:30:00Z'),
        event('ledger', 'GetReplicasSucceed', '2026-09-01T09:31:00Z'),
      ];
      const component = (name: string, readyReplicas: number) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name },
        spec: {
          replicas: 1,
          template: {
            spec: {
              containers: [{ name, image: `a/${name}:v1.18.2`, command: [name, '--kubeconfig=/hidden'] }],
            },
          },
        },
        status: { replicas: 1, readyReplicas },
      });
      const components = [
        component('karmada-controller-manager', 1),
        component('karmada-scheduler', 0),
        component('karmada-descheduler', 1),
      ];
      const plane = await liveServer(failing, { now: at, clock: () => at });
      const host = await liveServer(components);
      const live = (...argv: string[]) => runLive([...argv, '--host-kubeconfig', host.kubeconfig], plane);
      const snapshot = join(plane.directory, 'checked.json');
      const dump = join(plane.directory, 'dump.json');
      writeFileSync(
        dump,
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...failing, ...components] }),
      );
      expect(await live('snapshot', 'save', snapshot)).toMatchObject({ code: 0 });
      expect(readFileSync(snapshot, 'utf8')).not.toMatch(/hidden|hunter2/);
      const then = ['--at', '2026-09-01T09:33:00Z'];
      const explain = ['explain', 'sts/ledger', '-n', 'data', ...then];
      const explained = JSON.parse((await live(...explain, '-o', 'json')).stdout) as {
        brokenLinks: { check: string }[];
      };
      expect(explained.brokenLinks.map(({ check }) => check)).toEqual(
        expect.arrayContaining(['component-down', 'failure-reported']),
      );
      for (const file of [snapshot, dump])
        expect(withoutTarget(json([...explain, '--state', file]))).toEqual(withoutTarget(explained));
      const diagnosed = await live('doctor', '-o', 'json', ...then);
      expect(withoutTarget(json(['doctor', ...then, '--state', snapshot]))).toEqual(
        withoutTarget(JSON.parse(diagnosed.stdout) as object),
      );
      plane.close();
      host.close();
    },
    MANY,
  );

  test('of a snapshot has the same content', async () => {
    const first = join(server.directory, 'first.json');
    expect((await runLive(['snapshot', 'save', first], server)).code).toBe(0);
    const { stdout } = run(['snapshot', 'save', '-', '--state', first]);
    const [again, before] = [stdout, readFileSync(first, 'utf8')].map((text) => JSON.parse(text) as object);
    expect(again).toEqual({ ...before, served: undefined });
    expect([breaches('snapshot', before), breaches('snapshot', again)]).toEqual(['', '']);
  });

  test('contains no Secret', async () => {
    const { stdout } = await runLive(['snapshot', 'save', '-'], server);
    expect(stdout).toContain('"kind":"ResourceBinding"');
    expect(stdout).not.toContain('aHVudGVyMg==');
  });

  test('cannot be combined with another snapshot', () => {
    const snapshot = join(server.directory, 'one.json');
    run(['snapshot', 'save', snapshot, '--state', 'examples/shop']);
    const other = join(server.directory, 'other.json');
    run(['snapshot', 'save', other, '--state', 'examples/incident']);
    const { code, stderr } = run(['failover', 'status', '--state', snapshot, '--state', other]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: .* (is also in|are two snapshots)/),
    });
  });
});

describe('a missing right to list objects', () => {
  test('causes a warning, and unknown values in the answer', async () => {
    const guarded = await liveServer(items, { forbidden: ['clustertaintpolicies.policy.karmada.io'] });
    const argv = ['failover', 'status', '-o', 'json', '--assume', 'Failover=true'];
    const { code, stdout, stderr } = await runLive(argv, guarded);
    guarded.close();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: .*list on clustertaintpolicies\.policy\.karmada\.io is granted by the Cluster/,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      failover: {
        certainty: 'unknown',
        missing: expect.stringContaining('list on clustertaintpolicies.policy.karmada.io'),
      },
    });
  });

  test('ends a command that needs the objects with exit code 4', async () => {
    const guarded = await liveServer(items, { forbidden: ['resourcebindings.work.karmada.io'] });
    const { code, stdout, stderr } = await runLive(['eviction', 'inspect'], guarded);
    guarded.close();
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: .*resourcebindings\.work\.karmada\.io is granted by the ClusterRole/,
      ),
    });
  });
});

describe('the source of a state', () => {
  test('is either files or a live control plane', () => {
    const { code, stderr } = run([
      'failover',
      'status',
      '--state',
      file,
      '--karmada-context',
      'karmada',
      '-s',
      'x',
    ]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: --state reads files, --karmada-context, --server a live control plane; give one or the other\n',
    });
  });

  test('is not changed without confirmation, and the command exits with 1', async () => {
    const cordon = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
    const cordoned = items.map((item) =>
      item.kind === 'Cluster' ? { ...item, spec: { syncMode: 'Push', taints: [cordon] } } : item,
    );
    const other = await liveServer(cordoned);
    const asTerminal = preloading(join(import.meta.dirname, 'asTerminal.cjs'));
    for (const argv of [
      ['drain', 'tokyo'],
      ['drain', 'tokyo', '--cancel'],
    ]) {
      const { code, stderr } = await runLive(argv, other, { ...asTerminal, TERM: 'xterm' });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/\[y\/N\].*Nothing was changed\.\n$/s),
      });
    }
    other.close();
  });

  test('is required without a kubeconfig', () => {
    const { code, stderr } = run(['failover', 'status'], { env: { HOME: '/nonexistent' } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: no kubeconfig at .*--kubeconfig FILE.*--state FILE/),
    });
    const { stderr: ofWriting } = run(['cordon', 'member1'], { env: { HOME: '/nonexistent' } });
    expect(ofWriting).toMatch(/^error: no kubeconfig at .*--kubeconfig FILE or KUBECONFIG\n$/);
  });

  test('needs --host-context or --host-kubeconfig with --host-namespace', () => {
    const { code, stderr } = run(['failover', 'status', '--host-namespace', 'karmada'], {
      env: { KUBECONFIG: server.kubeconfig },
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: --host-namespace .* --host-context or --host-kubeconfig/),
    });
  });

  test('is refused if it is not a Karmada API server', async () => {
    const member = await liveServer([], { absent: ['cluster.karmada.io', 'work.karmada.io'] });
    const { code, stderr } = await runLive(['failover', 'status'], member);
    member.close();
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(
        /^error: context karmada \(.*\) is not a Karmada API server: .*--context/,
      ),
    });
  });
});

/** --at and the server's clock are known in different ways. */
function withoutInstant(document: Record<string, unknown>): Record<string, unknown> {
  const assumptions = (document['assumptions'] as { name: string }[]).filter(({ name }) => name !== 'now');
  return { ...document, assumptions };
}

describe('cancellation of a drain', () => {
  /** Evicted from member1, where it is no longer ready; its replacement is not ready either. */
  const left = workload('web', [{ name: 'member2', replicas: 2 }]);
  const held = { ...left, spec: { ...left.spec, gracefulEvictionTasks: [heldTask('member1')] } };
  const works = ['member1', 'member2'].map((name) => {
    const work = workOf(name, { ready: 1, written: 2 });
    const metadata = { ...work.metadata, labels: held.metadata.labels };
    return { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work', ...work, metadata };
  });
  const withClusters = (...names: string[]) =>
    liveServer([...names.map((name) => cluster(name)), held, ...works] as unknown as KubernetesObject[]);

  test('holds a copy until its replacement is ready, and asks for a second --cancel after that', async () => {
    const other = await withClusters('member1', 'member2');
    const { code, stdout } = await runLive(['drain', 'member1', '--cancel', '--yes'], other);
    other.close();
    expect(code).toBe(3);
    expect(stdout).toMatch(/held until the replacement is ready; then cancel again to release it/);
  });

  test('is possible for a drained cluster that no longer exists', async () => {
    const other = await withClusters('member2');
    const looking = await runLive(['drain', 'member1', '--cancel', '--dry-run'], other);
    const { code, stderr } = await runLive(['drain', 'member3', '--cancel', '--dry-run'], other);
    other.close();
    expect(looking).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /cluster\/member1 does not exist[^]*Not restored:\n +shop\/deployment\/web/,
      ),
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no cluster "member3"/),
    });
  });
});

test('an accepted drain plan suggests the command that executes it, with the same flags', async () => {
  const { stdout } = await runLive(['drain', 'tokyo', '--dry-run', '--max-concurrent=3'], server);
  expect(stdout).toMatch(/^kubectl karmada-failover drain tokyo --max-concurrent=3$/m);
  expect(stdout).not.toMatch(/^kubectl .*dry-run/m);
});

describe('-v', () => {
  test('logs requests on stderr from level 6, without a change of stdout and without secrets', async () => {
    // the losses in a status change with time
    const quiet = await runLive(['failover', 'status', '-o', 'name', '-v', '5'], server);
    expect(quiet.stderr).not.toContain('GET ');
    const loud = await runLive(['failover', 'status', '-o', 'name', '-v=6'], server);
    expect(loud.stdout).toBe(quiet.stdout);
    expect(loud.stderr).toMatch(
      /^I\d{4} \d\d:\d\d:\d\d\.\d{3} GET http:\/\/127\.0\.0\.1:\d+\/apis\/\S+ 200 OK in \d+ milliseconds$/m,
    );
    expect(loud.stderr).not.toContain('Request Headers');
    const all = await runLive(['failover', 'status', '-v=8', '--token', 'canary-token'], server);
    expect(all.stderr).toMatch(/ Request Headers: .*accept: /);
    expect(all.stderr).toMatch(/ Response Body: .* \[truncated \d+ chars\]$/m);
    expect(all.stderr).not.toContain('canary');
  });
});
