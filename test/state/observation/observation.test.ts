import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/state/observation/pinoLogger.ts';
import { createMetrics } from '../../../src/state/observation/promMetrics.ts';
import { Workbench } from '../live/connecting.ts';
import { fakeTiming } from '../live/fakeTiming.ts';

const now = () => Date.parse('2026-09-01T10:00:00.250Z');
/** The output of a logger at a verbosity. */
function logging(verbosity: number, form: 'text' | 'json' = 'text') {
  const lines: string[] = [];
  return { lines, logger: createLogger({ verbosity, form, now, write: (line) => void lines.push(line) }) };
}

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

describe('a logger', () => {
  test('writes klog lines or JSON up to its verbosity', () => {
    const text = logging(4);
    text.logger.info(4, 'Attempting to acquire leader lease', { lock: 'karmada-system/controller' });
    text.logger.info(5, 'never seen');
    text.logger.error('Failed to renew lease', { tries: 3 });
    expect(text.lines).toEqual([
      'I0901 10:00:00.250 Attempting to acquire leader lease lock="karmada-system/controller"',
      'E0901 10:00:00.250 Failed to renew lease tries=3',
    ]);
    const json = logging(4, 'json');
    json.logger.info(4, 'hello', { lock: 'a' });
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 30, time: now(), v: 4, lock: 'a', msg: 'hello' },
    ]);
  });

  test('redacts secrets in messages and fields', () => {
    const { lines, logger } = logging(9, 'json');
    const fields = {
      token: 'canary-1',
      proxy: 'http://jane:canary-2@proxy',
      nested: { password: 'canary-3' },
    };
    logger.info(0, 'Authorization: Bearer canary-4', fields);
    expect(lines.join()).not.toContain('canary');
    expect(lines).toHaveLength(1);
  });
});

test('metrics redact secrets in labels, or use the configured function for labels', async () => {
  const metrics = createMetrics();
  const shown = createMetrics((label) => `<${label}>`);
  const label = { cluster_name: 'http://jane:canary@member1' };
  for (const kept of [metrics, shown]) {
    kept.count('counted', 'help', label);
    kept.set('set', 'help', 1, label);
    kept.add('added', 'help', 1, label);
    kept.observe('observed', 'help', 1, label, [2]);
  }
  const text = await metrics.text();
  expect(text.match(/cluster_name="http:\/\/\*\*\*@member1"/g)).toHaveLength(7);
  expect(text).not.toContain('canary');
  expect((await shown.text()).match(/cluster_name="<http:\/\/jane:canary@member1>"/g)).toHaveLength(7);
});

describe('requests', () => {
  async function logged(verbosity: number): Promise<string[]> {
    const { lines, logger } = logging(verbosity);
    const server = await bench.server(() => ({
      status: 201,
      headers: { 'x-kind': 'y' },
      body: { data: 'x'.repeat(1100) },
    }));
    const user = { token: 'canary-1' };
    const api = await bench.connect(server, { user, logger, timing: fakeTiming() });
    await api.create('/c', { spec: { password: 'canary-2', replicas: 3 } }, { query: { token: 'canary-3' } });
    expect(lines.join()).not.toContain('canary');
    return lines.map((line) => line.replace('I0901 10:00:00.250 ', '').replace(server.url, 'https://server'));
  }

  test('are logged from verbosity 6 on, with status and duration', async () => {
    expect(await logged(5)).toEqual([]);
    expect(await logged(6)).toEqual(['POST https://server/c?token=*** 201 Created in 0 milliseconds']);
  });

  test('are logged with headers at verbosity 7', async () => {
    const [line, request, response, ...more] = await logged(7);
    expect(line).toMatch(/^POST /);
    expect(request).toMatch(
      /^Request Headers: user-agent: karmada-failover, accept: application\/json, .*authorization: \*\*\*$/,
    );
    expect(response).toMatch(/^Response Headers: .*x-kind: y/);
    expect(more).toEqual([]);
  });

  test('are logged with bodies at verbosity 8, without truncation at 9', async () => {
    const bodies = async (verbosity: number) =>
      (await logged(verbosity)).filter((line) => / Body: /.test(line));
    const whole = `{"data":"${'x'.repeat(1100)}"}`;
    const [request, response] = await bodies(8);
    expect(request).toBe('Request Body: {"spec":{"password":"***","replicas":3}}');
    expect(response).toBe(`Response Body: ${whole.slice(0, 1024)} [truncated ${whole.length - 1024} chars]`);
    expect((await bodies(9))[1]).toBe(`Response Body: ${whole}`);
  });

  test('are logged with the error if they fail', async () => {
    const { lines, logger } = logging(6);
    const server = await bench.server();
    await server.close();
    const api = await bench.connect(server, { logger, timing: fakeTiming({ jumps: true }) });
    await expect(api.get('/a')).rejects.toThrow(/refused the connection/);
    expect(lines[0]).toMatch(
      /GET https:\/\/127\.0\.0\.1:\d+\/a failed \(connect ECONNREFUSED .*\) in 0 milliseconds$/,
    );
  });

  test('are counted and timed in the metrics of client-go', async () => {
    const metrics = createMetrics();
    const server = await bench.server(({ path }) => ({ status: path === '/a' ? 200 : 404 }));
    const api = await bench.connect(server, { metrics });
    await api.get('/a');
    await api.get('/a');
    await expect(api.get('/b')).rejects.toThrow();
    const text = await metrics.text();
    const host = `127.0.0.1:${server.port}`;
    expect(text).toContain(`rest_client_requests_total{code="200",method="GET",host="${host}"} 2`);
    expect(text).toContain(`rest_client_requests_total{code="404",method="GET",host="${host}"} 1`);
    expect(text).toContain(`rest_client_request_duration_seconds_count{verb="GET",host="${host}"} 3`);
    expect(metrics.contentType).toMatch(/^text\/plain/);
  });
});

test('a gauge has the last value that was set', async () => {
  const metrics = createMetrics();
  metrics.set('leader_election_master_status', 'Gauge of if the reporting system is master.', 1, {
    name: 'x',
  });
  metrics.set('leader_election_master_status', 'Gauge of if the reporting system is master.', 0, {
    name: 'x',
  });
  expect(await metrics.text()).toContain('leader_election_master_status{name="x"} 0');
});
