import { describe, expect, jest, test } from '@jest/globals';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { listAll as listAllParsedBy } from '../../../src/state/live/listPages.ts';
import type { Send } from '../../../src/state/live/requests/call.ts';
import type { ListOptions, Query } from '../../../src/state/live/apiServer.ts';

interface Asked {
  limit: Query[string];
  continue: Query[string];
}

const listAll = (send: Send, path: string, options: ListOptions) =>
  listAllParsedBy(send, <T>(text: string) => JSON.parse(text) as T, path, options);

const names = ['a', 'b', 'c', 'd', 'e'];
const item = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

/** A collection of five served page by page; tokens are indexes. `metadata` first or last, as servers do. */
function collection({
  last = false,
  expired,
}: { last?: boolean; expired?: (token: string) => ApiError | undefined } = {}) {
  const asked: Asked[] = [];
  let version = 10;
  const send = (_: string, { query = {} }: { query?: Query | undefined }): Promise<string> => {
    const { limit, continue: token } = query;
    asked.push({ limit, continue: token });
    const error = token === undefined ? undefined : expired?.(String(token));
    if (error) return Promise.reject(error);
    const start = Number(String(token ?? 0).replace('inconsistent-', ''));
    const end = limit === undefined ? names.length : Math.min(names.length, start + Number(limit));
    const metadata = {
      ...(end < names.length ? { continue: String(end) } : {}),
      resourceVersion: String(token === undefined ? version++ : 10),
    };
    const items = names.slice(start, end).map((name) => item(name));
    const head = { kind: 'WorkList', apiVersion: 'work.karmada.io/v1alpha1' };
    return Promise.resolve(
      JSON.stringify(
        last
          ? { apiVersion: head.apiVersion, items, kind: head.kind, metadata }
          : { ...head, metadata, items },
      ) + '\n',
    );
  };
  return { send, asked };
}

const gone = (token?: string) =>
  new ApiError('too old', {
    status: 410,
    reason: 'Expired',
    cause: token === undefined ? undefined : { metadata: { continue: token } },
  });

const tooLarge = () => new ApiError('its answer has more than 64 MiB', { status: 0, reason: 'ETOOLARGE' });

/** A collection whose pages are too large if they have more than this many objects. */
function heavy(most: number) {
  const { send, asked } = collection();
  const refusing = async (path: string, call: Parameters<Send>[1]) => {
    const text = await send(path, call);
    return (JSON.parse(text) as { items: unknown[] }).items.length > most ? Promise.reject(tooLarge()) : text;
  };
  return { send: refusing, asked };
}

describe('a list with a page above the size limit', () => {
  test('is read in smaller pages', async () => {
    const { send, asked } = heavy(1);
    const { items } = await listAll(send, '/works', { pageSize: 3 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(asked.map(({ limit, continue: token }) => [token, limit])).toEqual([
      [undefined, 3],
      ...[undefined, '1', '2', '3', '4'].map((token) => [token, 1]),
    ]);
  });

  test('fails if a single object exceeds the limit', async () => {
    const { send, asked } = heavy(0);
    await expect(listAll(send, '/works', { pageSize: 20 })).rejects.toThrow('more than 64 MiB');
    expect(asked.map(({ limit }) => limit)).toEqual([20, 3, 1]);
  });
});

describe('a paginated list', () => {
  test.each([false, true])('is read page by page (metadata last: %s)', async (last) => {
    const { send, asked } = collection({ last });
    const { items, resourceVersion } = await listAll(send, '/works', { pageSize: 2 });
    expect(items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      names.map((name) => `Work ${name}`),
    );
    expect(items[0]!.apiVersion).toBe('work.karmada.io/v1alpha1');
    expect(resourceVersion).toBe('10');
    expect(asked).toEqual([
      { limit: 2, continue: undefined },
      { limit: 2, continue: '2' },
      { limit: 2, continue: '4' },
    ]);
  });

  test('requests the next page before it returns the current page', async () => {
    const { send, asked } = collection();
    const askedAtPage: number[] = [];
    await listAll(send, '/works', { pageSize: 2, onPage: () => askedAtPage.push(asked.length) });
    expect(askedAtPage).toEqual([2, 3, 3]);
  });

  test('has 500 objects per page', async () => {
    const { send, asked } = collection();
    await listAll(send, '/works', {});
    expect(asked).toEqual([{ limit: 500, continue: undefined }]);
  });

  test('passes each page to a callback and returns no items', async () => {
    const pages: string[][] = [];
    const { items } = await listAll(collection().send, '/works', {
      pageSize: 3,
      onPage: (objects) => pages.push(objects.map(({ metadata }) => metadata.name)),
    });
    expect([items, pages]).toEqual([
      [],
      [
        ['a', 'b', 'c'],
        ['d', 'e'],
      ],
    ]);
  });

  test('drops managedFields only', async () => {
    const metadata = { name: 'a', labels: { managedFields: 'mine' }, managedFields: [{}], uid: 'u' };
    const body = {
      apiVersion: 'v1',
      kind: 'PodList',
      metadata: { resourceVersion: '1' },
      items: [{ metadata, x: 1 }],
    };
    const { items } = await listAll(() => Promise.resolve(JSON.stringify(body)), '/pods', {});
    expect(items).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', labels: { managedFields: 'mine' }, uid: 'u' },
        x: 1,
      },
    ]);
  });

  test('keeps the kind of each item', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'x' } }],
    };
    const { items } = await listAll(() => Promise.resolve(JSON.stringify(body)), '/x', {});
    expect(items[0]).toMatchObject({ apiVersion: 'a/v1', kind: 'B' });
  });

  test('may have null as items', async () => {
    const text = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":null}';
    expect(await listAll(() => Promise.resolve(text), '/pods', {})).toEqual({
      items: [],
      resourceVersion: '3',
    });
  });

  test('ignores annotations that look like the end of a list', async () => {
    const trap = '],"kind":"WorkList","metadata":{"continue":"9"}}';
    const pages = [
      {
        apiVersion: 'v1',
        items: [item('a', { annotations: { trap } })],
        kind: 'XList',
        metadata: { resourceVersion: '1' },
      },
    ];
    const { items } = await listAll(() => Promise.resolve(JSON.stringify(pages.shift())), '/x', {});
    expect(items).toHaveLength(1);
  });
});

describe('an expired continue token', () => {
  const expired = (token: string) => (token === '4' ? gone('inconsistent-4') : undefined);

  test('restarts the list without pages, for one consistent state', async () => {
    const { send, asked } = collection({ expired });
    const { items, resourceVersion } = await listAll(send, '/works', { pageSize: 2 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(resourceVersion).toBe('11');
    expect(asked.at(-1)).toEqual({ limit: undefined, continue: undefined });
  });

  test('continues the list from the newest state, without repeated objects, if pages were passed to a callback', async () => {
    const { send } = collection({ expired });
    const seen: string[] = [];
    const { resourceVersion } = await listAll(send, '/works', {
      pageSize: 2,
      onPage: (objects) => seen.push(...objects.map(({ metadata }) => metadata.name)),
    });
    expect(seen).toEqual(names);
    // a watch from the first page on misses nothing
    expect(resourceVersion).toBe('10');
  });

  test('fails the list if pages were passed to a callback and the server returns no new token', async () => {
    const { send } = collection({ expired: () => gone() });
    await expect(listAll(send, '/works', { pageSize: 2, onPage: () => undefined })).rejects.toMatchObject({
      status: 410,
    });
  });
});

test('a list fails with the error of a server that refuses it', async () => {
  const forbidden = new ApiError('no', { status: 403, reason: 'Forbidden' });
  await expect(listAll(() => Promise.reject(forbidden), '/works', {})).rejects.toBe(forbidden);
});

test('a failed request for the next page causes no unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const page = { apiVersion: 'v1', kind: 'PodList', items: [item('a')], metadata: { continue: '1' } };
  const send = jest
    .fn<Send>()
    .mockResolvedValueOnce(
      JSON.stringify(page, ['apiVersion', 'items', 'metadata', 'name', 'continue', 'kind']),
    )
    .mockImplementation(async () => {
      await new Promise(setImmediate);
      throw new Error('This operation was aborted');
    });
  const onPage = () => {
    throw new Error('a broken object');
  };
  await expect(listAll(send, '/pods', { onPage })).rejects.toThrow('a broken object');
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(send).toHaveBeenCalledTimes(2);
  expect(unhandled).not.toHaveBeenCalled();
  process.off('unhandledRejection', unhandled);
});
