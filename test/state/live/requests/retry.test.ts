import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mayRepeat, pauseBefore, retryAfterSeconds } from '../../../../src/state/live/requests/retry.ts';
import type { Outcome } from '../../../../src/state/live/requests/retry.ts';
import { Workbench } from '../connecting.ts';
import { status } from '../fakeHttpServer.ts';
import type { Reply } from '../fakeHttpServer.ts';
import { fakeTiming } from '../fakeTiming.ts';

describe('the retry rule', () => {
  test.each<[outcome: Outcome, read: boolean, write: boolean]>([
    [{ status: 0, code: 'ECONNREFUSED', sent: false }, true, true],
    [{ status: 0, code: 'EAI_AGAIN', sent: false }, true, true],
    [{ status: 0, code: 'ETIMEDOUT', sent: false }, true, true],
    [{ status: 0, code: 'ECONNRESET', sent: false }, true, true],
    [{ status: 0, code: 'ECONNRESET', sent: true }, true, false],
    [{ status: 0, code: 'EPIPE', sent: true }, true, false],
    [{ status: 0, code: 'ETIMEDOUT', sent: true }, true, false],
    [{ status: 0, code: 'ENOTFOUND', sent: false }, false, false],
    [{ status: 0, code: 'CERT_HAS_EXPIRED', sent: false }, false, false],
    [{ status: 0, code: 'SELF_SIGNED_CERT_IN_CHAIN', sent: false }, false, false],
    [{ status: 0, code: 'ERR_TLS_CERT_ALTNAME_INVALID', sent: false }, false, false],
    [{ status: 0, code: 'EPROXY', sent: false }, false, false],
    [{ status: 429, sent: true, retryAfter: 1 }, true, true],
    [{ status: 429, sent: true }, true, false],
    [{ status: 500, sent: true }, true, false],
    [{ status: 502, sent: true }, true, false],
    [{ status: 503, sent: true, retryAfter: 1 }, true, false],
    [{ status: 503, sent: true, unseen: true }, true, true],
    [{ status: 504, sent: true }, true, false],
    [{ status: 400, sent: true }, false, false],
    [{ status: 401, sent: true }, false, false],
    [{ status: 403, sent: true }, false, false],
    [{ status: 404, sent: true }, false, false],
    [{ status: 409, sent: true }, false, false],
    [{ status: 410, sent: true }, false, false],
    [{ status: 422, sent: true }, false, false],
  ])('for %j: retry a read %s, retry a write %s', (outcome, read, write) => {
    expect(mayRepeat(false, outcome)).toBe(read);
    expect(mayRepeat(true, outcome)).toBe(write);
  });
});

test('pauses between retries grow to a limit, are random, and respect Retry-After', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7].map((failures) => pauseBefore(failures, 1, undefined));
  expect(longest).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
  expect(pauseBefore(3, 0, undefined)).toBe(500);
  expect(pauseBefore(1, 1, 5)).toBe(5000);
});

test('Retry-After is read in seconds', () => {
  const headers = ['1', ' 30 ', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined];
  expect(headers.map((header) => retryAfterSeconds(header))).toEqual([1, 30, undefined, undefined]);
  expect(retryAfterSeconds(undefined, 7)).toBe(7);
});

test('Retry-After is limited to one minute', () => {
  expect(retryAfterSeconds('2000000')).toBe(60);
  expect(retryAfterSeconds('9'.repeat(400))).toBe(60);
  expect(retryAfterSeconds(undefined, 1e12)).toBe(60);
  expect([-1, NaN].map((seconds) => retryAfterSeconds(undefined, seconds))).toEqual([undefined, undefined]);
});

describe('a request', () => {
  let bench: Workbench;
  beforeEach(() => {
    bench = new Workbench();
  });
  afterEach(() => bench.end());

  const busy: Reply = { ...status(429, 'TooManyRequests', 'too many'), headers: { 'retry-after': '3' } };
  const starting = status(
    503,
    'ServiceUnavailable',
    'the request has been made before all known HTTP paths have been installed, please try again',
    { details: { retryAfterSeconds: 5 } },
  );
  const broken = status(503, 'ServiceUnavailable', 'not now');

  async function answeredWith(...replies: (Reply | 'reset')[]) {
    const timing = fakeTiming({ jumps: true });
    const server = await bench.server((_, response) => {
      const reply = replies.shift() ?? { body: { fine: true } };
      if (reply !== 'reset') return reply;
      response.socket?.destroy();
      return undefined;
    });
    return { api: await bench.connect(server, { timing }), server, timing };
  }

  test('that reads is retried after resets, 429 and 5xx', async () => {
    const { api, server, timing } = await answeredWith(
      broken,
      'reset',
      busy,
      status(500, 'InternalError', 'etcd'),
    );
    expect(await api.get('/a')).toEqual({ fine: true });
    expect(server.requests).toHaveLength(5);
    expect(timing.pauses).toEqual([250, 500, 3000, 2000]);
  });

  test('that reads fails with the last error after 30 s of retries', async () => {
    const { api, timing } = await answeredWith({}, ...Array<Reply>(20).fill(broken));
    await api.get('/first');
    await expect(api.get('/a')).rejects.toMatchObject({ status: 503, reason: 'ServiceUnavailable' });
    const tried = timing.pauses.reduce((sum, pause) => sum + pause, 0);
    expect(tried).toBeGreaterThan(20_000);
    expect(tried).toBeLessThanOrEqual(30_000);
  });

  test('that reads is retried once after a response time above the retry limit', async () => {
    const { api, server, timing } = await answeredWith({}, 'reset');
    await api.get('/first');
    const { handle } = server;
    server.handle = (...asked) => {
      void timing.sleep(75_000);
      return handle(...asked);
    };
    expect(await api.get('/a')).toEqual({ fine: true });
    expect(server.requests).toHaveLength(3);
  });

  test('fails after 3 s if the server has never responded', async () => {
    const { server, timing } = await answeredWith();
    await server.close();
    const api = await bench.connect(server, { timing });
    await expect(api.get('/a')).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
    expect(timing.pauses).toEqual([250, 500, 1000]);
  });

  test('that writes is retried only if the server has not processed it', async () => {
    const turnedAway = await answeredWith(busy, starting);
    expect(await turnedAway.api.patch('/a', {})).toEqual({ fine: true });
    expect(turnedAway.timing.pauses).toEqual([3000, 5000]);
    for (const reply of [broken, 'reset'] as const) {
      const unsure = await answeredWith(reply);
      await expect(unsure.api.patch('/a', {})).rejects.toMatchObject({ exitCode: 4 });
      expect(unsure.server.requests).toHaveLength(1);
    }
  });

  test('that writes calls its check before each try', async () => {
    const { api, server } = await answeredWith(busy, busy);
    let left = 2;
    const beforeSent = () => {
      if (left-- === 0) throw new Error('no longer the leader');
    };
    await expect(api.patch('/a', {}, { beforeSent })).rejects.toThrow('no longer the leader');
    expect(server.requests).toHaveLength(2);
  });

  test('that writes waits until the server is reachable', async () => {
    const { server, timing } = await answeredWith();
    const api = await bench.connect(server, { timing });
    await api.get('/first');
    await server.close();
    // until the client has seen the end of its connection
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { port } = server;
    timing.sleep = async (milliseconds) => {
      timing.pauses.push(milliseconds);
      if (timing.pauses.length === 2) await bench.server(() => ({ body: { back: true } }), { port });
    };
    expect(await api.create('/a', {})).toEqual({ back: true });
    expect(timing.pauses).toEqual([250, 500]);
  });
});
