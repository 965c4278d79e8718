import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { ApiServer, WatchEvent } from '../../../src/state/live/apiServer.ts';
import { Workbench } from './connecting.ts';
import { status } from './fakeHttpServer.ts';
import { fakeTiming } from './fakeTiming.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const object = (name: string, resourceVersion: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, resourceVersion },
});
const line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;

async function collect(api: ApiServer, options = {}): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of api.watch('/pods', '7', options)) events.push(event);
  return events;
}

async function answering(answer: (response: ServerResponse) => unknown) {
  const server = await bench.server((_, response) => {
    response.writeHead(200);
    answer(response);
    return undefined;
  });
  return { server, api: await bench.connect(server, { timing: fakeTiming({ random: 0.5 }) }) };
}

test('a watch requests a version, bookmarks and a timeout', async () => {
  const { server, api } = await answering((response) => response.end());
  let opened = 0;
  expect(await collect(api, { query: { fieldSelector: 'a=b' }, opened: () => opened++ })).toEqual([]);
  expect(opened).toBe(1);
  expect(Object.fromEntries(server.requests[0]!.query)).toEqual({
    fieldSelector: 'a=b',
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '7',
    timeoutSeconds: '450',
  });
});

test('a watch returns events in any chunks, without managedFields', async () => {
  const added = { ...object('ü', '8'), metadata: { name: 'ü', resourceVersion: '8', managedFields: [{}] } };
  const bytes = Buffer.from(
    line('ADDED', added) + line('DELETED', object('b', '9')) + line('BOOKMARK', object('', '12')),
  );
  const { api } = await answering(async (response) => {
    for (let at = 0; at < bytes.length; at += 37) {
      response.write(bytes.subarray(at, at + 37));
      await new Promise(setImmediate);
    }
    response.end();
  });
  expect(await collect(api)).toEqual([
    { type: 'ADDED', object: object('ü', '8') },
    { type: 'DELETED', object: object('b', '9') },
    { type: 'BOOKMARK', resourceVersion: '12' },
  ]);
});

test('a watch fails with 410 for an expired version, as a status or as an event', async () => {
  const { server, api } = await answering((response) => {
    response.end(line('ERROR', status(410, 'Expired', 'too old resource version: 7 (9)').body));
  });
  await expect(collect(api)).rejects.toMatchObject({ status: 410, reason: 'Expired' });
  server.handle = () => status(410, 'Gone', 'too old');
  await expect(collect(api)).rejects.toMatchObject({ status: 410, reason: 'Gone' });
});

test('a watch fails after its last event if the connection is closed', async () => {
  const { api } = await answering((response) => {
    response.write(line('ADDED', object('a', '8')));
    setTimeout(() => response.socket?.destroy(), 20);
  });
  const events: WatchEvent[] = [];
  const watching = (async () => {
    for await (const event of api.watch('/pods', '7')) events.push(event);
  })();
  await expect(watching).rejects.toMatchObject({ status: 0, reason: 'ECONNRESET', exitCode: 4 });
  expect(events).toHaveLength(1);
});

test('an aborted watch closes its connection', async () => {
  const stop = new AbortController();
  let closed: Promise<unknown> = Promise.resolve();
  const { api } = await answering((response) => {
    response.write(line('ADDED', object('a', '8')));
    closed = new Promise((resolve) => response.on('close', resolve));
  });
  const watching = (async () => {
    for await (const _ of api.watch('/pods', '7', { signal: stop.signal })) stop.abort(new Error('enough'));
  })();
  await expect(watching).rejects.toThrow('enough');
  await closed;
});

test('the end of the loop over a watch closes its connection', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const { api } = await answering((response) => {
    response.write(line('ADDED', object('a', '8')));
    closed = new Promise((resolve) => response.on('close', resolve));
  });
  for await (const _ of api.watch('/pods', '7')) break;
  await closed;
});
