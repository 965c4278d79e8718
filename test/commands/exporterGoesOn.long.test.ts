import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { answering } from '../state/live/answering.ts';
import { createAuthority, issue } from '../state/live/certificates.ts';
import { servingObjects, type ServingObjects } from '../state/live/servingObjects.ts';
import { openApi } from '../useCases/controller/openApi.ts';
import { ask, fleet, startExporter, until } from './exporterRun.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

// An exporter runs for months: whatever its control plane does, it serves what it knows, reports how old that is, and reconnects.

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const authority = createAuthority();

interface Plane {
  fake: ServingObjects;
  /** 'away': no server; 'gone': each watch is too old, once per path; 'here': normal */
  state: 'here' | 'away' | 'gone';
  /** the required token, or name on the certificate */
  who: string;
  server: Server;
  directory: string;
}

async function plane(): Promise<Plane> {
  const fake = servingObjects(fleet('east-1', 'west-1'), { documents: openApi(), now: Date.now() });
  const answer = answering(fake);
  const expired = new Set<string>();
  const tls = { ...issue(authority, 'server', { hosts: ['127.0.0.1'] }), ca: authority.cert };
  const server = createServer(
    { ...tls, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      if (made.state === 'away') return void request.socket.destroy();
      const refuse = (code: number, reason: string) =>
        response
          .writeHead(code, { 'content-type': 'application/json' })
          .end(JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message: reason }));
      const { CN: named } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
      if (request.headers.authorization !== `Bearer ${made.who}` && named !== made.who)
        return void refuse(401, 'Unauthorized');
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
      if (made.state === 'gone' && searchParams.has('watch') && !expired.has(pathname)) {
        expired.add(pathname);
        return void refuse(410, 'Expired');
      }
      answer(request, response);
    },
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const directory = temporaryFolder('exporter-goes-on-');
  const made: Plane = { fake, state: 'here', who: 'first', server, directory };
  return made;
}

/** A kubeconfig's user with these files. */
const USERS = {
  'a token file': ({ token }: Files) => ({ tokenFile: token }),
  'a client certificate': ({ cert, key }: Files) => ({ 'client-certificate': cert, 'client-key': key }),
  'an exec plugin': ({ token }: Files) => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: process.execPath,
      args: [
        '-e',
        `const token = require('node:fs').readFileSync(${JSON.stringify(token)}, 'utf8');
         console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: { token } }))`,
      ],
    },
  }),
};

/** Where a user's credentials are. */
interface Files {
  token: string;
  cert: string;
  key: string;
}

const filesIn = (directory: string): Files => ({
  token: join(directory, 'token'),
  cert: join(directory, 'tls.crt'),
  key: join(directory, 'tls.key'),
});

/** Writes a user's credentials, replacing the existing ones. */
function login({ directory }: Plane, who: string): void {
  const files = filesIn(directory);
  const { cert, key } = issue(authority, who);
  writeFileSync(files.token, who);
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

describe.each([
  ['a token file', 21_371],
  ['an exec plugin', 21_372],
  ['a client certificate', 21_373],
] as const)('exporter run with %s', (user, port) => {
  let made: Plane;
  let exporter: ReturnType<typeof startExporter>;
  const metrics = async () => (await ask(port, '/metrics'))?.body ?? '';
  const says = (line: string) => until(line, async () => (await metrics()).split('\n').includes(line));
  const clusters = (count: number) =>
    until(
      `${count} clusters`,
      async () => (await metrics()).match(/^karmada_failover_loss_workloads\{.*"lost"/gm)?.length === count,
    );
  const create = (name: string) => {
    const [object] = fleet(name);
    made.fake.store.create(CLUSTERS, object as KubernetesObject);
  };

  beforeAll(async () => {
    made = await plane();
    login(made, 'first');
    const { port: own } = made.server.address() as AddressInfo;
    const ca = Buffer.from(authority.cert).toString('base64');
    const kubeconfig = join(made.directory, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'karmada',
        clusters: [
          {
            name: 'karmada',
            cluster: { server: `https://127.0.0.1:${own}`, 'certificate-authority-data': ca },
          },
        ],
        users: [{ name: 'reader', user: USERS[user](filesIn(made.directory)) }],
        contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'reader' } }],
      }),
    );
    exporter = startExporter({ kubeconfig }, port);
    const up = says('karmada_failover_exporter_up 1');
    await Promise.race([up, exporter.ended.then(() => Promise.reject(new Error(exporter.stderr())))]);
  });
  afterAll(async () => {
    exporter.stop('SIGKILL');
    await exporter.ended;
    made.server.closeAllConnections();
    made.server.close();
  });

  test('continues after its credentials are replaced', async () => {
    login(made, 'second');
    made.who = 'second';
    made.server.closeAllConnections();
    create('east-2');
    await clusters(3);
    await says('karmada_failover_exporter_up 1');
  });

  test('continues after its resource versions expire (410)', async () => {
    made.state = 'gone';
    made.server.closeAllConnections();
    create('east-3');
    await clusters(4);
    made.state = 'here';
  });

  test('serves its last audit without a server, reports its growing age, and recovers', async () => {
    made.state = 'away';
    made.server.closeAllConnections();
    await says('karmada_failover_exporter_up 0');
    expect((await ask(port, '/readyz'))?.status).toBe(500);
    expect((await ask(port, '/healthz'))?.status).toBe(200);
    expect(await metrics()).toMatch(/^karmada_failover_audit_age_seconds [1-9]/m);
    expect((await ask(port, '/api/audit'))?.status).toBe(200);
    create('east-4');
    made.state = 'here';
    await clusters(5);
    await says('karmada_failover_exporter_up 1');
  });

  test('keeps its last audit while an object is unreadable, and recovers when the object is deleted', async () => {
    const path = `${CLUSTERS}/east-4`;
    const sound = made.fake.store.get(path);
    const broken = { ...sound, status: { resourceSummary: { allocatable: { cpu: 'lots' } } } };
    made.fake.store.replace(path, broken, { subresource: 'status' });
    await says('karmada_failover_exporter_up 0');
    expect((await ask(port, '/readyz'))?.status).toBe(500);
    expect((await ask(port, '/'))?.status).toBe(200);
    made.fake.store.delete(path);
    await clusters(4);
    await says('karmada_failover_exporter_up 1');
  });

  test('ends on SIGTERM', async () => {
    exporter.stop();
    expect(await exporter.ended).toBe(0);
  });
});
