import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { writeObject, type WriteObjectOptions } from '../../src/operations/writeObject.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { RESOURCE_BINDINGS } from '../../src/state/live/resources.ts';

const error = (status: number, message = 'no', retryAfter?: number) =>
  new ApiError(message, { status, reason: 'Reason', retryAfter });

const object = (
  resourceVersion: string,
  labels: Record<string, string> = {},
  uid = 'u',
): KubernetesObject => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { name: 'cart', namespace: 'shop', uid, resourceVersion, labels },
});
const before = object('5');
const after = object('5', { wanted: 'yes' });
const written = object('6', { wanted: 'yes' });

/** A server with these responses one after another, which records its requests and the pauses. */
function scripted(answers: (KubernetesObject | ApiError)[]) {
  const asked: string[] = [];
  const patches: unknown[] = [];
  const pauses: number[] = [];
  const answer = async (verb: string, path: string, dryRun?: boolean) => {
    asked.push(`${verb}${dryRun ? ' dry' : ''}`);
    expect(path).toBe('/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/cart');
    const next = answers.shift();
    if (!next) throw new Error(`nobody expected ${asked.join(', ')}`);
    if (next instanceof ApiError) throw next;
    return next;
  };
  const server = {
    get: (path: string) => answer('get', path),
    patch: (path: string, patch: unknown, options: { dryRun?: boolean }) => {
      patches.push(patch);
      return answer('patch', path, options.dryRun);
    },
  } as unknown as ApiServer;
  const write = (options: WriteObjectOptions<KubernetesObject> = {}) =>
    writeObject(server, RESOURCE_BINDINGS, before, after, {
      pause: async (milliseconds) => void pauses.push(milliseconds),
      ...options,
    });
  return { write, asked, patches, pauses };
}

describe('a change of an object', () => {
  test('is a merge patch of the differences, with version and uid as preconditions', async () => {
    const { write, patches } = scripted([written]);
    expect(await write()).toEqual({ result: 'written', object: written });
    expect(patches).toEqual([{ metadata: { labels: { wanted: 'yes' }, resourceVersion: '5', uid: 'u' } }]);
  });

  test('is not sent if nothing differs', async () => {
    const nobody = {} as ApiServer;
    expect(await writeObject(nobody, RESOURCE_BINDINGS, before, before)).toEqual({
      result: 'unchanged',
      object: before,
    });
  });

  test('conflicts with a write of another client, and returns the current object', async () => {
    const theirs = object('7', { theirs: 'yes' });
    const { write, asked } = scripted([error(409), theirs]);
    expect(await write()).toEqual({ result: 'conflict', object: theirs });
    expect(asked).toEqual(['patch', 'get']);
  });

  test('conflicts with the same write of another client', async () => {
    const { write } = scripted([error(409), written]);
    expect(await write()).toEqual({ result: 'conflict', object: written });
  });

  test('is refused with the message of validation or of a webhook, and is not retried', async () => {
    for (const [status, message] of [
      [422, 'spec.clusters: Invalid value'],
      [400, 'cannot be read'],
      [403, 'admission webhook "guard" denied the request: not on Fridays'],
      [403, 'clusters "a" is forbidden: ValidatingAdmissionPolicy "p" with binding "b" denied request: no'],
      [403, 'works "a" is forbidden: exceeded quota: few, requested: 1, used: 1, limited: 1'],
    ] as const)
      expect(await scripted([error(status, message)]).write()).toEqual({ result: 'refused', message });
  });

  test('without permission names the missing rule', async () => {
    const { write } = scripted([error(403, 'User "eve" cannot patch resource "resourcebindings"')]);
    await expect(write()).rejects.toThrow(
      'User "eve" cannot patch resource "resourcebindings"; needed: apiGroups [work.karmada.io], resources [resourcebindings], verbs [get patch] in namespace shop',
    );
  });

  test('reports that the object is gone', async () => {
    expect(await scripted([error(404)]).write()).toEqual({ result: 'gone' });
    expect(await scripted([error(409), error(404)]).write()).toEqual({ result: 'gone' });
  });

  test('waits as long as an overloaded server requests', async () => {
    const { write, pauses } = scripted([error(429, 'busy', 7), error(429, 'busy'), written]);
    expect((await write()).result).toBe('written');
    expect(pauses[0]).toBe(7000);
  });

  test('is refused if the server stays overloaded', async () => {
    const { write } = scripted([error(429, 'busy', 40), error(429, 'busy', 40), error(429, 'still busy')]);
    expect(await write()).toEqual({ result: 'refused', message: 'still busy' });
  });

  test('is refused if it is interrupted while the server is overloaded', async () => {
    const stop = new AbortController();
    const { write, asked } = scripted([error(429, 'busy', 5)]);
    const pause = async () => stop.abort();
    expect(await write({ signal: stop.signal, pause })).toEqual({ result: 'refused', message: 'busy' });
    expect(asked).toEqual(['patch']);
  });

  test('fails immediately with invalid credentials', async () => {
    const { write, asked, pauses } = scripted([error(401, 'Unauthorized')]);
    await expect(write()).rejects.toThrow('Unauthorized');
    expect([asked, pauses]).toEqual([['patch'], []]);
  });

  test('conflicts although the object still has the old version', async () => {
    const { write, asked } = scripted([error(409), before]);
    expect(await write()).toEqual({ result: 'conflict', object: before });
    expect(asked).toEqual(['patch', 'get']);
  });

  test('as a dry run is validated by the server', async () => {
    const { write, asked } = scripted([written]);
    await write({ dryRun: true });
    expect(asked).toEqual(['patch dry']);
  });
});

describe('a change whose response is lost', () => {
  for (const status of [0, 500, 503, 504])
    test(`is verified by a read after ${status || 'a reset'}`, async () => {
      const { write, asked } = scripted([error(status), written]);
      expect(await write()).toEqual({ result: 'written', object: written });
      expect(asked).toEqual(['patch', 'get']);
    });

  test('is sent again with the same preconditions if the object is unchanged', async () => {
    const { write, asked, patches } = scripted([error(0), before, written]);
    expect((await write()).result).toBe('written');
    expect(asked).toEqual(['patch', 'get', 'patch']);
    expect(patches[1]).toEqual(patches[0]);
  });

  test('counts as written if its second try conflicts with its first', async () => {
    const { write } = scripted([error(0), before, error(409), written]);
    expect(await write()).toEqual({ result: 'written', object: written });
  });

  test('counts as written if the object contains it, despite later writes of other clients', async () => {
    const both = object('8', { wanted: 'yes', theirs: 'yes' });
    expect(await scripted([error(0), both]).write()).toEqual({ result: 'written', object: both });
  });

  test('conflicts with a write of another client', async () => {
    const theirs = object('6', { theirs: 'yes' });
    expect(await scripted([error(0), theirs]).write()).toEqual({ result: 'conflict', object: theirs });
  });

  test('conflicts with a recreated object of any content', async () => {
    const anew = object('9', { wanted: 'yes' }, 'other');
    expect(await scripted([error(0), anew]).write()).toEqual({ result: 'conflict', object: anew });
  });

  test('is verified by a check of the caller if controllers change the object', async () => {
    const stamped = object('7', { wanted: 'stamped' });
    const { write } = scripted([error(500), stamped]);
    const holds = ({ metadata }: KubernetesObject) => metadata.labels?.['wanted'] !== undefined;
    expect((await write({ holds })).result).toBe('written');
  });

  test('is verified by repeated reads with growing pauses', async () => {
    const { write, pauses } = scripted([error(0), error(0), error(503), error(0), written]);
    expect((await write()).result).toBe('written');
    expect(pauses).toEqual([250, 500, 1000]);
  });

  test('has an unknown result if the server stops responding', async () => {
    const away = Array.from({ length: 20 }, () => error(0, 'connect ECONNREFUSED'));
    const { write, asked } = scripted(away);
    expect(await write({ patience: 20_000 })).toEqual({ result: 'unknown', message: 'connect ECONNREFUSED' });
    expect(asked[0]).toBe('patch');
    expect(new Set(asked.slice(1))).toEqual(new Set(['get']));
  });

  test.each([401, 403])('has an unknown result without permission to read: %i', async (status) => {
    const { write, asked, pauses } = scripted([error(0), error(status, 'not you')]);
    expect(await write()).toEqual({ result: 'unknown', message: 'not you' });
    expect([asked, pauses]).toEqual([['patch', 'get'], []]);
  });

  test('has an unknown result if it is interrupted before the next try', async () => {
    const stop = new AbortController();
    const { write, asked } = scripted([error(0), before]);
    const pause = async () => stop.abort();
    expect(await write({ signal: stop.signal, pause })).toEqual({ result: 'unknown', message: 'no' });
    expect(asked).toEqual(['patch', 'get']);
  });

  test('is read once more after an interruption', async () => {
    const { write, asked } = scripted([error(0), written]);
    expect((await write({ signal: AbortSignal.abort() })).result).toBe('written');
    expect(asked).toEqual(['patch', 'get']);
  });

  test('is refused after five tries, because an unreachable webhook returns the same error', async () => {
    const failing = () => error(500, 'failed calling webhook "guard"');
    const { write } = scripted([1, 2, 3, 4, 5].flatMap(() => [failing(), before]));
    expect(await write()).toEqual({ result: 'refused', message: 'failed calling webhook "guard"' });
  });
});
