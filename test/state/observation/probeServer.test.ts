import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openProbeServer, type ProbeServer } from '../../../src/state/observation/probeServer.ts';
import { createMetrics } from '../../../src/state/observation/promMetrics.ts';

let server: ProbeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(notReady: () => string | undefined = () => undefined) {
  const metrics = createMetrics();
  metrics.set('eviction_queue_depth', 'Current depth of the eviction queue', 3, { name: 'binding-eviction' });
  server = await openProbeServer({ host: '127.0.0.1', port: 0, metrics, notReady });
  const { port } = server;
  return (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      asked.on('error', reject).end();
    });
}

describe('probes', () => {
  test('are answered with 200 if all is well, whatever the query', async () => {
    const ask = await open();
    expect(await ask('/healthz')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('/readyz?verbose')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('/readyz', 'HEAD')).toEqual({ status: 200, body: '' });
  });

  test('tell why it is not ready; it lives all the same', async () => {
    const ask = await open(() => 'the API server has not been heard');
    expect(await ask('/readyz')).toEqual({ status: 500, body: 'the API server has not been heard\n' });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  test('come beside the metrics; nothing else is served, and nothing is taken', async () => {
    const ask = await open();
    expect((await ask('/metrics')).body).toContain('eviction_queue_depth{name="binding-eviction"} 3');
    expect(await ask('/')).toMatchObject({ status: 404 });
    expect(await ask('/healthz', 'POST')).toMatchObject({ status: 405 });
  });

  test('need an address that is free', async () => {
    await open();
    const options = { host: '127.0.0.1', metrics: createMetrics(), notReady: () => undefined };
    await expect(openProbeServer({ ...options, port: server!.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
