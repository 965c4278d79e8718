import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../../src/state/live/apiError.ts';
import type { ObjectList, WatchEvent, WatchOptions } from '../../../../src/state/live/apiServer.ts';
import { brokenObject } from '../../../../src/state/live/brokenObject.ts';
import type { KubernetesObject } from '../../../../src/karmada/api/meta.ts';
import { compareVersions } from '../../../../src/state/resourceVersions.ts';
import { mirror, type MirrorOptions } from '../../../../src/state/live/mirrors/reflector.ts';
import { fakeTiming } from '../fakeTiming.ts';

const pod = (name: string, resourceVersion: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', resourceVersion },
});
const added = (name: string, version: string): WatchEvent => ({ type: 'ADDED', object: pod(name, version) });
const modified = (name: string, version: string): WatchEvent => ({
  type: 'MODIFIED',
  object: pod(name, version),
});
const deleted = (name: string, version: string): WatchEvent => ({
  type: 'DELETED',
  object: pod(name, version),
});
const bookmark = (resourceVersion: string): WatchEvent => ({ type: 'BOOKMARK', resourceVersion });

const expired = () => new ApiError('too old', { status: 410, reason: 'Expired' });
const broken = () => brokenObject({ server: { url: 'https://karmada' }, path: '/pods' }, 'Pod a: spec: 5');
const reset = () => new ApiError('cut', { status: 0, reason: 'ECONNRESET' });

/** One watch connection that the test writes to and ends. */
class Connection {
  readonly from: string;
  readonly signal: AbortSignal | undefined;
  readonly #waiting: (WatchEvent | Error | 'end')[] = [];
  #wake: () => void = () => undefined;

  constructor(from: string, signal: AbortSignal | undefined) {
    this.from = from;
    this.signal = signal;
    signal?.addEventListener('abort', () => this.#put(signal.reason as Error));
  }

  #put(next: WatchEvent | Error | 'end'): void {
    this.#waiting.push(next);
    this.#wake();
  }

  send(...events: WatchEvent[]): void {
    events.forEach((event) => this.#put(event));
  }

  end(error?: Error): void {
    this.#put(error ?? 'end');
  }

  async *events(): AsyncGenerator<WatchEvent> {
    for (;;) {
      while (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      const next = this.#waiting.shift()!;
      if (next === 'end') return;
      if (next instanceof Error) throw next;
      yield next;
    }
  }
}

function following(
  first: ObjectList | Error = { items: [pod('a', '5'), pod('b', '6')], resourceVersion: '10' },
  options: Pick<MirrorOptions<KubernetesObject>, 'withoutBookmarks'> = {},
) {
  const timing = fakeTiming();
  const lists: (ObjectList | Promise<ObjectList> | Error)[] = [first];
  const connections: Connection[] = [];
  const refused: Error[] = [];
  let listed = 0;
  const server = {
    list() {
      listed++;
      const next = lists.shift()!;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    async *watch(_: string, from: string, { signal, opened }: WatchOptions = {}): AsyncGenerator<WatchEvent> {
      const error = refused.shift();
      if (error) throw error;
      const connection = new Connection(from, signal);
      connections.push(connection);
      opened?.();
      yield* connection.events();
    },
  };
  const changes: string[] = [];
  const copy = mirror(server, '/pods', {
    ...options,
    timing,
    listener: ({ before, after }) => {
      const version = (object?: KubernetesObject) => object?.metadata.resourceVersion ?? '-';
      changes.push(`${(after ?? before)!.metadata.name} ${version(before)}>${version(after)}`);
    },
  });
  const state = () =>
    [...copy.objects.values()].map(({ metadata }) => `${metadata.name}${metadata.resourceVersion}`);
  return {
    copy,
    timing,
    lists,
    refused,
    connections,
    changes,
    state,
    listed: () => listed,
    /** the newest connection, once everything in progress has happened */
    async connection() {
      await timing.advance(0);
      return connections.at(-1)!;
    },
    settle: () => timing.advance(0),
  };
}

describe('a mirror', () => {
  test('lists the objects, then watches from the version of the list', async () => {
    const { copy, connection, settle, state, changes } = following();
    await copy.synced;
    expect(state()).toEqual(['a5', 'b6']);
    expect([...copy.objects.keys()]).toEqual(['shop/a', 'shop/b']);
    const watch = await connection();
    expect(watch.from).toBe('10');
    watch.send(modified('a', '11'), added('c', '12'), deleted('b', '13'));
    await settle();
    expect(state()).toEqual(['a11', 'c12']);
    expect(changes).toEqual(['a ->5', 'b ->6', 'a 5>11', 'c ->12', 'b 6>-']);
    copy.stop();
  });

  test.each([
    ['newer first', ['7', '5']],
    ['older first', ['5', '7']],
  ])('keeps the newest version of an object that its list contains twice, %s', async (_, versions) => {
    const items = versions.map((one) => pod('a', one));
    const { copy, state, changes } = following({ items, resourceVersion: '10' });
    await copy.synced;
    expect(state()).toEqual(['a7']);
    expect(changes).toEqual(['a ->7']);
    copy.stop();
  });

  test('is stale after an event with an invalid object, until a valid list', async () => {
    const { copy, connection, connections, settle, state, lists, timing, listed } = following();
    await copy.synced;
    (await connection()).end(broken());
    await settle();
    expect(state()).toEqual(['a5', 'b6']);
    expect(copy.staleSince()).toBeDefined();
    expect(copy.failure!()).toBeInstanceOf(Error);
    lists.push(broken(), { items: [pod('a', '12'), pod('b', '6')], resourceVersion: '12' });
    await timing.advance(1000);
    expect(copy.staleSince()).toBeDefined();
    await timing.advance(2000);
    expect([listed(), connections.at(-1)!.from]).toEqual([3, '12']);
    expect(state()).toEqual(['a12', 'b6']);
    expect([copy.staleSince(), copy.failure!()]).toEqual([undefined, undefined]);
    copy.stop();
  });

  test('fails and stops if its first list is refused', async () => {
    const forbidden = new ApiError('no', { status: 403, reason: 'Forbidden' });
    const { copy, connections, settle } = following(forbidden);
    await expect(copy.synced).rejects.toBe(forbidden);
    await settle();
    expect(connections).toHaveLength(0);
  });

  test('closes its watch when it is stopped', async () => {
    const { copy, connection, settle, connections, timing } = following();
    const watch = await connection();
    copy.stop();
    await settle();
    await timing.advance(200_000);
    expect(watch.signal!.aborted).toBe(true);
    expect(connections).toHaveLength(1);
  });
});

describe('a mirror after an interruption', () => {
  test('continues from the last event or bookmark, without a pause after a regular end', async () => {
    const { copy, connection, timing, connections } = following();
    const first = await connection();
    first.send(modified('a', '11'), bookmark('20'));
    await timing.advance(60_000);
    first.send(bookmark('30'));
    await timing.advance(30_000);
    first.end();
    const second = await connection();
    expect(connections).toHaveLength(2);
    expect(second.from).toBe('30');
    expect(copy.staleSince()).toBeUndefined();
    copy.stop();
  });

  test('reconnects with growing pauses, which are reset after a good connection', async () => {
    const { copy, connection, timing, refused, connections } = following();
    (await connection()).send(bookmark('11'));
    await timing.advance(10_000);
    const pausesOf = async (failures: number) => {
      const known = timing.pauses.length;
      const open = connections.length;
      refused.push(...Array.from({ length: failures }, reset));
      connections.at(-1)!.end(reset());
      while (connections.length === open) await timing.advance(100);
      return timing.pauses.slice(known).filter((pause) => pause <= 30_000);
    };
    expect(await pausesOf(7)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    await timing.advance(6000);
    (await connection()).send(bookmark('12'));
    await timing.advance(1);
    expect(await pausesOf(1)).toEqual([800, 1600]);
    copy.stop();
  });

  test('pauses between watches that the server ends immediately', async () => {
    const { copy, connection, timing, connections } = following();
    (await connection()).end();
    await timing.advance(799);
    expect(connections).toHaveLength(1);
    await timing.advance(1);
    connections.at(-1)!.end();
    await timing.advance(1599);
    expect(connections).toHaveLength(2);
    await timing.advance(1);
    expect(connections).toHaveLength(3);
    copy.stop();
  });

  test('reports the time of the last event until it is connected again', async () => {
    const { copy, connection, timing, refused } = following();
    const began = timing.now();
    const watch = await connection();
    watch.send(bookmark('11'));
    await timing.advance(10_000);
    expect(copy.staleSince()).toBeUndefined();
    refused.push(reset(), reset());
    watch.end(reset());
    await timing.advance(900);
    expect(copy.staleSince()).toBe(began);
    await timing.advance(10_000);
    expect(copy.staleSince()).toBeUndefined();
    copy.stop();
  });
});

describe('a mirror after a 410', () => {
  test('lists again and reports only the differences', async () => {
    const { copy, connection, connections, lists, changes, state, settle } = following();
    const watch = await connection();
    watch.send(modified('a', '11'));
    await settle();
    changes.length = 0;
    lists.push({ items: [pod('a', '11'), pod('c', '40')], resourceVersion: '50' });
    watch.end(expired());
    const next = await connection();
    expect(state()).toEqual(['a11', 'c40']);
    expect(changes).toEqual(['b 6>-', 'c ->40']);
    expect([next.from, connections.length]).toEqual(['50', 2]);
    copy.stop();
  });

  test('lists without a pause, and is stale until the list is complete', async () => {
    // given a server that was away for some attempts
    const { copy, connection, timing, lists, refused, connections, settle } = following();
    const watch = await connection();
    const heard = timing.now();
    await timing.advance(10_000);
    refused.push(reset(), reset(), reset(), reset());
    watch.end(reset());
    while (connections.length < 2) await timing.advance(100);
    // when it accepts the watch, and then has forgotten the time before
    let answer: (list: ObjectList) => void = () => undefined;
    lists.push(new Promise<ObjectList>((resolve) => (answer = resolve)));
    connections.at(-1)!.end(expired());
    await settle();
    // then that is known to be old, and it is listed again without a pause
    expect(copy.staleSince()).toBeGreaterThanOrEqual(heard);
    answer({ items: [], resourceVersion: '50' });
    const next = await connection();
    expect([next.from, copy.staleSince()]).toEqual(['50', undefined]);
    copy.stop();
  });

  test('retries a failed list', async () => {
    const { copy, connection, lists, timing, state, listed } = following();
    lists.push(reset(), new ApiError('no', { status: 403, reason: 'Forbidden' }), {
      items: [],
      resourceVersion: '50',
    });
    (await connection()).end(expired());
    await timing.advance(60_000);
    expect([state(), listed()]).toEqual([[], 4]);
    copy.stop();
  });

  test('accepts a list with an older version, as after a restore of etcd', async () => {
    const { copy, connection, lists, state, settle } = following();
    lists.push({ items: [pod('a', '2')], resourceVersion: '3' });
    (await connection()).end(expired());
    await settle();
    expect(state()).toEqual(['a2']);
    copy.stop();
  });
});

test('a mirror pauses between lists if the server returns 410 for every version', async () => {
  const list = (): ObjectList => ({ items: [], resourceVersion: '10' });
  const { copy, connection, timing, lists, refused, listed } = following();
  lists.push(...Array.from({ length: 1000 }, list));
  refused.push(...Array.from({ length: 1000 }, expired));
  await connection();
  await timing.advance(60_000);
  expect(listed()).toBeLessThan(12);
  copy.stop();
});

test('a mirror reconnects after 150 s without an event', async () => {
  const { copy, connection, timing, connections } = following();
  const first = await connection();
  await timing.advance(60_000);
  first.send(bookmark('15'));
  await timing.advance(149_999);
  expect(first.signal!.aborted).toBe(false);
  await timing.advance(1);
  expect(first.signal!.aborted).toBe(true);
  await timing.advance(1000);
  expect(connections).toHaveLength(2);
  expect(connections[1]!.from).toBe('15');
  expect(copy.staleSince()).toBeUndefined();
  copy.stop();
});

describe('a mirror of a kind without bookmarks', () => {
  test('reconnects after 150 s without an event, and is not stale', async () => {
    const { copy, connection, timing, connections } = following(undefined, { withoutBookmarks: true });
    const first = await connection();
    await timing.advance(149_999);
    expect([first.signal!.aborted, copy.staleSince()]).toEqual([false, undefined]);
    await timing.advance(1);
    expect(connections).toHaveLength(2);
    expect([connections[1]!.from, copy.staleSince()]).toEqual(['10', undefined]);
    copy.stop();
  });

  test('is stale if the server does not respond to that connection', async () => {
    const { copy, connection, timing, refused } = following(undefined, { withoutBookmarks: true });
    await connection();
    const heard = timing.now();
    refused.push(reset());
    await timing.advance(150_000);
    expect(copy.staleSince()).toBe(heard);
    await timing.advance(1000);
    expect(copy.staleSince()).toBeUndefined();
    copy.stop();
  });
});

describe('the result of our own write', () => {
  test('is visible immediately, and older events do not replace it', async () => {
    const { copy, connection, settle, state, changes } = following();
    const watch = await connection();
    copy.observe(pod('a', '15'));
    expect(state()).toEqual(['a15', 'b6']);
    watch.send(modified('a', '12'), modified('a', '15'));
    await settle();
    expect(state()).toEqual(['a15', 'b6']);
    watch.send(modified('a', '16'));
    await settle();
    expect(changes.slice(2)).toEqual(['a 5>15', 'a 15>16']);
    copy.stop();
  });

  test('does not restore an object that a later event has deleted', async () => {
    const { copy, connection, settle, state } = following();
    (await connection()).send(deleted('a', '20'));
    await settle();
    copy.observe(pod('a', '15'));
    expect(state()).toEqual(['b6']);
    copy.stop();
  });

  test('is removed by a later deletion, not by an earlier one', async () => {
    const { copy, connection, settle, state } = following();
    const watch = await connection();
    copy.observe(pod('a', '15'));
    watch.send(deleted('a', '14'));
    await settle();
    expect(state()).toEqual(['a15', 'b6']);
    watch.send(deleted('a', '16'));
    await settle();
    expect(state()).toEqual(['b6']);
    copy.stop();
  });

  test('remains after an older list without the object', async () => {
    const { copy, connection, lists, settle, state } = following();
    const watch = await connection();
    copy.observe(pod('new', '60'));
    lists.push({ items: [pod('a', '5')], resourceVersion: '50' });
    watch.end(expired());
    await settle();
    expect(state()).toEqual(['a5', 'new60']);
    copy.stop();
  });
});

test('resource versions are compared as numbers of any length', () => {
  expect(compareVersions('9', '10')).toBeLessThan(0);
  expect(compareVersions('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
  expect(compareVersions('7', '7')).toBe(0);
});
