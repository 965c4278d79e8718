import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { connect, type ConnectionOptions } from '../../src/state/live/connect.ts';
import { mirror } from '../../src/state/live/mirrors/reflector.ts';
import { apiPath, CLUSTERS } from '../../src/state/live/resources.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { issue } from './controlPlane/certificates.ts';
import { eventually } from './controlPlane/processes.ts';

const APISERVER = 'karmada-apiserver';
const POLICIES = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';

let bed: Bed;
const open: ApiServer[] = [];
const ended = new AbortController();

beforeAll(async () => {
  bed = await up({ ...defaultOptions, members: [] });
});
afterAll(async () => {
  ended.abort();
  for (const server of open) server.close();
  await bed.down();
});

async function reach(options: ConnectionOptions = {}): Promise<ApiServer> {
  const server = await connect({ kubeconfig: bed.kubeconfig, ...options });
  open.push(server);
  return server;
}

/** A kubeconfig of the same server for another user. */
function kubeconfigOf(name: string, user: object): string {
  const file = join(bed.file.directory, `${name}.config`);
  const cluster = { server: bed.file.servers['karmada'], 'certificate-authority': bed.file.caFile };
  const config = {
    'current-context': name,
    clusters: [{ name: 'karmada', cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: 'karmada', user: name } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

const policy = (name: string) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }], placement: {} },
});

test('a token of the kubeconfig authenticates', async () => {
  const server = await reach();
  expect(server.context).toBe('karmada');
  expect((await server.list(apiPath(CLUSTERS))).items).toEqual([]);
  expect(Math.abs(server.now() - Date.now())).toBeLessThan(2000);
});

test('a wrong token is refused with an instruction to log in again', async () => {
  const refused = (await reach({ token: 'wrong' })).get('/api/v1/namespaces');
  await expect(refused).rejects.toThrow(/does not accept the credentials of user "admin"; log in again/);
});

test('a client certificate identifies the user, and RBAC authorizes it', async () => {
  const { cert, key } = await issue(bed.file.directory, 'jane', []);
  const kubeconfig = kubeconfigOf('jane', { 'client-certificate': cert, 'client-key': key });
  const jane = await reach({ kubeconfig });
  const list = { verb: 'list', group: 'cluster.karmada.io', resource: 'clusters' } as const;
  expect(await jane.can(list)).toBe(false);
  await expect(jane.list(apiPath(CLUSTERS))).rejects.toThrow(
    /\(context jane\): clusters\.cluster\.karmada\.io is forbidden: User "jane" cannot list .*; ask for this right/,
  );
  const admin = await reach();
  await admin.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'jane' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  await eventually('jane may list', () => jane.can(list));
  expect((await jane.list(apiPath(CLUSTERS))).items).toEqual([]);
});

test('impersonation uses --as, and requires a permission of its own', async () => {
  const { cert, key } = await issue(bed.file.directory, 'joe', []);
  const kubeconfig = kubeconfigOf('joe', { 'client-certificate': cert, 'client-key': key });
  const joeAsAdmin = await reach({ kubeconfig, as: 'admin', asGroups: ['system:masters'] });
  const refused = joeAsAdmin.list(apiPath(CLUSTERS));
  await expect(refused).rejects.toMatchObject({ status: 403, exitCode: 4 });
  await expect(refused).rejects.toThrow(/User "joe" cannot impersonate resource "users"/);
  const adminAsNobody = await reach({ as: 'nobody' });
  await expect(adminAsNobody.list(apiPath(CLUSTERS))).rejects.toThrow(/User "nobody" cannot list/);
  const inGroups = await reach({ as: 'nobody', asGroups: ['a', 'system:masters'], asUid: '7' });
  expect((await inGroups.list(apiPath(CLUSTERS))).items).toEqual([]);
});

test('an exec plugin is called again after its token is refused', async () => {
  const calls = join(bed.file.directory, 'plugin.calls');
  const script = `const fs = require('fs');
    const again = fs.existsSync(${JSON.stringify(calls)});
    fs.appendFileSync(${JSON.stringify(calls)}, '.');
    const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token: again ? process.env.TOKEN : 'old' } }));`;
  const kubeconfig = kubeconfigOf('plugin', {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      env: [{ name: 'TOKEN', value: bed.file.token }],
      interactiveMode: 'Never',
    },
  });
  const server = await reach({ kubeconfig });
  await server.get('/api/v1/namespaces/default');
  await server.get('/api/v1/namespaces/default');
  expect(readFileSync(calls, 'utf8')).toBe('..');
});

test('a mirror recovers from a restart of the API server that loses the watch history', async () => {
  const server = await reach();
  let lists = 0;
  const counted = {
    url: server.url,
    list: (...args: Parameters<ApiServer['list']>) => {
      lists++;
      return server.list(...args);
    },
    watch: server.watch,
  };
  for (const name of ['first', 'second']) await server.create(POLICIES, policy(name));
  const changes: string[] = [];
  const policies = mirror(counted, POLICIES, {
    signal: ended.signal,
    listener: ({ before, after }) => changes.push(`${before ? '-' : '+'}${(after ?? before)!.metadata.name}`),
  });
  await policies.synced;
  await eventually('the watch', () => Promise.resolve(policies.staleSince() === undefined));
  await server.create(POLICIES, policy('third'));
  await eventually('the third', () => Promise.resolve(policies.objects.has('default/third')));

  await bed.kill(APISERVER);
  await eventually('staleness', () => Promise.resolve(policies.staleSince() !== undefined));
  await compactEtcd();
  bed.restart(APISERVER);
  await eventually('the server', () => server.get('/version').then(() => true), { within: 120_000 });
  await server.create(POLICIES, policy('fourth'));
  await eventually('the fourth', () => Promise.resolve(policies.objects.has('default/fourth')), {
    within: 120_000,
  });
  expect(policies.staleSince()).toBeUndefined();
  expect([...policies.objects.keys()].sort()).toEqual(
    ['first', 'fourth', 'second', 'third'].map((name) => `default/${name}`),
  );
  expect(new Set(changes).size).toBe(changes.length);
  expect(lists).toBe(2);
});

test('watching from a compacted version fails with status 410', async () => {
  const server = await reach();
  const watching = (async () => {
    for await (const _ of server.watch(POLICIES, '1')) return;
  })();
  await expect(watching).rejects.toMatchObject({ status: 410 });
});

test('a list is complete even if its revision is compacted between pages', async () => {
  const server = await reach();
  const seen: string[] = [];
  let pages = 0;
  await server.list(POLICIES, {
    pageSize: 1,
    onPage: (objects) => {
      seen.push(...objects.map(({ metadata }) => metadata.name));
      pages++;
    },
  });
  expect(pages).toBe(4);
  const compacted = await server.list(POLICIES, { pageSize: 1 });
  expect(compacted.items.map(({ metadata }) => metadata.name)).toEqual(seen);
});

/** Makes etcd discard old revisions, through its HTTP gateway. */
async function compactEtcd(): Promise<void> {
  const flag = '--listen-client-urls=';
  const etcd = bed
    .process('etcd')
    .args.find((arg) => arg.startsWith(flag))!
    .slice(flag.length);
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as { header?: { revision?: string } };
  };
  const { header } = await ask('range', { key: Buffer.from('/').toString('base64') });
  await ask('compaction', { revision: header!.revision, physical: true });
}
