import { getEventListeners, getMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { pause } from '../../../src/operations/pause.ts';
import type { WatchEvent, WatchOptions } from '../../../src/state/live/apiServer.ts';
import { linkedSignal } from '../../../src/state/live/requests/linkedSignal.ts';
import { mirror } from '../../../src/state/live/mirrors/reflector.ts';
import { Workbench } from './connecting.ts';
import { fakeTiming } from './fakeTiming.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Live heap bytes. */
function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const pod = (version: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${version % 100}`, namespace: 'shop', resourceVersion: String(version) },
});

describe('a process that runs for months', () => {
  test('removes the listeners of a released signal', () => {
    const { signal } = new AbortController();
    const before = listeners(signal);
    for (let n = 0; n < 1000; n++) linkedSignal(signal, undefined).release();
    expect(listeners(signal)).toBe(before);
  });

  test('aborts a linked signal with its source until the linked signal is released', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const both = linkedSignal(one.signal, two.signal);
    const released = linkedSignal(one.signal);
    released.release();
    one.abort('why');
    expect([both.signal.aborted, both.signal.reason]).toEqual([true, 'why']);
    expect(released.signal.aborted).toBe(false);
    expect(linkedSignal(one.signal).signal.reason).toBe('why');
  });

  test('removes the listeners of pauses', async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 100; n++) await pause(0, signal);
    expect(listeners(signal)).toBe(0);
  });

  for (const requestTimeout of [undefined, '30s'])
    test(`removes the listeners of requests and watches with --request-timeout ${requestTimeout ?? 'not given'}`, async () => {
      const bench = new Workbench();
      try {
        const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } };
        const server = await bench.server(({ query }) => ({
          body: query.has('watch') ? `${JSON.stringify(bookmark)}\n` : {},
        }));
        const api = await bench.connect(server, { requestTimeout });
        const { signal } = new AbortController();
        for (let n = 0; n < 30; n++) {
          await api.get('/a', { signal });
          for await (const event of api.watch('/a', '5', { signal })) expect(event.type).toBe('BOOKMARK');
        }
        for (let turn = 0; listeners(signal) > 0 && turn < 2000; turn++)
          await new Promise((resolve) => setTimeout(resolve, 5));
        expect(listeners(signal)).toBe(0);
      } finally {
        await bench.end();
      }
    });

  test('sends concurrent requests without a listener warning of Node.js', async () => {
    const bench = new Workbench();
    try {
      const server = await bench.server(() => ({ body: {} }));
      const api = await bench.connect(server);
      const { signal } = new AbortController();
      await Promise.all(Array.from({ length: 15 }, () => api.get('/a', { signal })));
      expect(getMaxListeners(signal)).toBeGreaterThan(100);
      expect(listeners(signal)).toBe(0);
    } finally {
      await bench.end();
    }
  });

  test('keeps listeners and heap constant while the server ends watches repeatedly', async () => {
    const timing = fakeTiming({ jumps: true });
    const { signal, ...life } = linkedSignal();
    const wanted = 40_000;
    let version = 100;
    let connections = 0;
    const seen: { heap: number; listeners: number; at: number }[] = [];
    let over: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (over = resolve));
    const server = {
      list: () => Promise.resolve({ items: [pod(version)], resourceVersion: String(version) }),
      async *watch(_: string, __: string, { signal: own }: WatchOptions = {}): AsyncGenerator<WatchEvent> {
        connections++;
        if (connections % (wanted / 4) === 0) {
          seen.push({ heap: heap(), listeners: listeners(signal) + listeners(own!), at: timing.now() });
          timing.pauses.length = 0;
        }
        if (connections === wanted) over();
        for (let n = 0; n < 3; n++) yield { type: 'MODIFIED', object: pod(++version) };
        yield { type: 'BOOKMARK', resourceVersion: String(version) };
      },
    };
    const pods = mirror(server, '/api/v1/pods', { signal, timing });
    await pods.synced;
    await ended;
    life.abort();
    const [, first, , last] = seen as [object, ...typeof seen];
    expect(pods.objects.size).toBe(100);
    expect(last!.at - first!.at).toBeGreaterThan(24 * 3600 * 1000);
    expect(last!.listeners).toBe(first!.listeners);
    // AbortSignal.any for each of these 20,000 connections kept megabytes
    expect(last!.heap - first!.heap).toBeLessThan(300_000);
  });
});
