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

describe('a list with a page that is too large', () => {
  test('is read in smaller pages from there on', async () => {
    const { send, asked } = heavy(1);
    const { items } = await listAll(send, '/works', { pageSize: 3 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(asked.map(({ limit, continue: token }) => [token, limit])).toEqual([
      [undefined, 3],
      ...[undefined, '1', '2', '3', '4'].map((token) => [token, 1]),
    ]);
  });

  test('ends in an error if one object is', async () => {
    const { send, asked } = heavy(0);
    await expect(listAll(send, '/works', { pageSize: 20 })).rejects.toThrow('more than 64 MiB');
    expect(asked.map(({ limit }) => limit)).toEqual([20, 3, 1]);
  });
});

describe('a list', () => {
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

  test('asks for the next page before the one in hand is given away', async () => {
    const { send, asked } = collection();
    const askedAtPage: number[] = [];
    await listAll(send, '/works', { pageSize: 2, onPage: () => askedAtPage.push(asked.length) });
    expect(askedAtPage).toEqual([2, 3, 3]);
  });

  test('has pages of 500', async () => {
    const { send, asked } = collection();
    await listAll(send, '/works', {});
    expect(asked).toEqual([{ limit: 500, continue: undefined }]);
  });

  test('gives pages away and keeps none', async () => {
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

  test('drops managedFields and nothing else', async () => {
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

  test('keeps the kind that items have themselves', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'x' } }],
    };
    const { items } = await listAll(() => Promise.resolve(JSON.stringify(body)), '/x', {});
    expect(items[0]).toMatchObject({ apiVersion: 'a/v1', kind: 'B' });
  });

  test('may be empty, also as null', async () => {
    const text = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":null}';
    expect(await listAll(() => Promise.resolve(text), '/pods', {})).toEqual({
      items: [],
      resourceVersion: '3',
    });
  });

  test('is not misled by objects that look like a list’s end or beginning', async () => {
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

describe('a continue token that has expired', () => {
  const expired = (token: string) => (token === '4' ? gone('inconsistent-4') : undefined);

  test('makes the list begin again, whole, so that all of it is of one moment', async () => {
    const { send, asked } = collection({ expired });
    const { items, resourceVersion } = await listAll(send, '/works', { pageSize: 2 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(resourceVersion).toBe('11');
    expect(asked.at(-1)).toEqual({ limit: undefined, continue: undefined });
  });

  test('makes it continue from the newest state where pages were given away, none twice', async () => {
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

  test('is an error where pages were given away and the server offers no way on', async () => {
    const { send } = collection({ expired: () => gone() });
    await expect(listAll(send, '/works', { pageSize: 2, onPage: () => undefined })).rejects.toMatchObject({
      status: 410,
    });
  });
});

test('other errors end the list', async () => {
  const forbidden = new ApiError('no', { status: 403, reason: 'Forbidden' });
  await expect(listAll(() => Promise.reject(forbidden), '/works', {})).rejects.toBe(forbidden);
});

test('a page that was asked for ahead, and fails after what got the one before has, is an error of nobody', async () => {
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
