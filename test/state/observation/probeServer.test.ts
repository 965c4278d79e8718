import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  openProbeServer,
  type ProbeServer,
  type SecureOptions,
} from '../../../src/state/observation/probeServer.ts';
import type { Scraper } from '../../../src/state/observation/scrapers.ts';
import { createAuthority, issue } from '../live/certificates.ts';
import { createMetrics } from '../../../src/state/observation/promMetrics.ts';

let server: ProbeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(
  notReady: () => string | undefined = () => undefined,
  secure?: SecureOptions,
  from?: string,
) {
  const metrics = createMetrics();
  metrics.set('eviction_queue_depth', 'Current depth of the eviction queue', 3, { name: 'binding-eviction' });
  server = await openProbeServer({ host: '127.0.0.1', port: 0, metrics, notReady, secure });
  const { port } = server;
  return (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const tls = secure && { rejectUnauthorized: false };
      const where = { host: '127.0.0.1', port, path, method, agent: false, localAddress: from, ...tls };
      const asked = (secure ? secureRequest : request)(where, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      asked.on('error', reject).end();
    });
}

describe('a probe server', () => {
  test('responds with 200 if the process is healthy, for any query', async () => {
    const ask = await open();
    expect(await ask('/healthz')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('/readyz?verbose')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('/readyz', 'HEAD')).toEqual({ status: 200, body: '' });
  });

  test('responds to /readyz with the reason, and to /healthz with 200, if the process is not ready', async () => {
    const ask = await open(() => 'the API server has not been heard');
    expect(await ask('/readyz')).toEqual({ status: 500, body: 'the API server has not been heard\n' });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  test('serves probes and metrics, and nothing else', async () => {
    const ask = await open();
    expect((await ask('/metrics')).body).toContain('eviction_queue_depth{name="binding-eviction"} 3');
    expect(await ask('/')).toMatchObject({ status: 404 });
    expect(await ask('/healthz', 'POST')).toMatchObject({ status: 405 });
  });

  test('fails to start on an address in use', async () => {
    await open();
    const options = { host: '127.0.0.1', metrics: createMetrics(), notReady: () => undefined };
    await expect(openProbeServer({ ...options, port: server!.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('the metrics endpoint', () => {
  // the address from which a mesh proxy forwards other clients' requests
  test('without TLS serves only local clients', async () => {
    expect(await (await open())('/metrics')).toMatchObject({ status: 200 });
    await server?.close();
    const ask = await open(undefined, undefined, '127.0.0.6');
    expect(await ask('/metrics')).toEqual({ status: 403, body: 'Forbidden\n' });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  test.each<[Scraper, number]>([
    ['allowed', 200],
    ['unknown', 401],
    ['forbidden', 403],
    ['unreviewed', 503],
  ])('with TLS responds to a client that is %s with %d', async (scraper, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'serving-'));
    try {
      const { cert, key } = issue(createAuthority(), 'probes', { hosts: ['127.0.0.1'] });
      const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
      writeFileSync(certFile, cert);
      writeFileSync(keyFile, key);
      const mayScrape = () => Promise.resolve(scraper);
      const ask = await open(undefined, { certFile, keyFile, mayScrape, onFailure: () => undefined });
      const { status: got, body } = await ask('/metrics');
      expect(got).toBe(status);
      expect(body.includes('eviction_queue_depth')).toBe(scraper === 'allowed');
      // the kubelet has no token
      expect(await ask('/healthz')).toMatchObject({ status: 200 });
      expect(await ask('/readyz')).toMatchObject({ status: 200 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
