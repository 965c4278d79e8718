import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { deleteObject, type DeleteObjectOptions } from '../../src/operations/deleteObject.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import { CLUSTERS } from '../../src/state/live/resources.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { lossyServer, type Mishap } from './lossyServer.ts';

const PATH = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';
const member1: KubernetesObject = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'member1', uid: 'u', resourceVersion: '5' },
};

function given({ mishaps = [], object = member1 }: { mishaps?: Mishap[]; object?: KubernetesObject } = {}) {
  const serving = servingObjects([object]);
  const server = lossyServer(serving, mishaps);
  const erase = (options: DeleteObjectOptions = {}) =>
    deleteObject(server, CLUSTERS, object, { pause: async () => undefined, ...options });
  return { serving, store: serving.store, writes: serving.writes, erase };
}
const anew = (store: ReturnType<typeof servingObjects>['store']) => () =>
  void store.create(PATH.replace('/member1', ''), { ...member1, metadata: { name: 'member1' } });

describe('a deletion', () => {
  test('deletes the object', async () => {
    const { store, erase } = given();
    expect(await erase()).toEqual({ result: 'deleted' });
    expect(store.has(PATH)).toBe(false);
  });

  test('reports that the object is already gone', async () => {
    const { store, erase } = given();
    store.delete(PATH);
    expect(await erase()).toEqual({ result: 'gone' });
  });

  test('reports that finalizers delay it', async () => {
    const object = { ...member1, metadata: { ...member1.metadata, finalizers: ['karmada.io/cluster'] } };
    const { erase } = given({ object });
    expect(await erase()).toMatchObject({
      result: 'deleting',
      object: { metadata: { deletionTimestamp: '2026-09-01T10:00:00Z' } },
    });
  });

  test('reports that a grace period delays it, and ignores finalizers of a deleted object', async () => {
    const answering = (metadata: object) => {
      const { serving } = given();
      const left = { ...member1, metadata: { ...member1.metadata, ...metadata } };
      const gone = new ApiError('"member1" not found', { status: 404, reason: 'NotFound' });
      const server = {
        ...serving,
        delete: () => Promise.resolve(left as never),
        get: () => Promise.reject(gone),
      };
      return deleteObject(server, CLUSTERS, member1);
    };
    const deletionTimestamp = '2026-09-01T10:00:00Z';
    const kept = { deletionTimestamp, deletionGracePeriodSeconds: 30 };
    expect(await answering(kept)).toMatchObject({ result: 'deleting' });
    expect(await answering({ deletionTimestamp, deletionGracePeriodSeconds: 0 })).toEqual({
      result: 'deleted',
    });
    // the server returns the object as it was, with its finalizers: they kept it only if it is being deleted
    expect(await answering({ finalizers: ['karmada.io/cluster'] })).toEqual({ result: 'deleted' });
    expect(await answering({ deletionTimestamp })).toEqual({ result: 'deleted' });
  });

  test('keeps a recreated object of the same name', async () => {
    const { store, erase } = given();
    store.delete(PATH);
    anew(store)();
    expect(await erase()).toMatchObject({ result: 'conflict', object: { metadata: { uid: 'uid-1' } } });
    expect(store.has(PATH)).toBe(true);
  });

  test('ignores the version of the object unless it must be unchanged', async () => {
    const { store, erase } = given();
    store.patch(PATH, { metadata: { labels: { theirs: 'yes' } } });
    expect(await erase({ unchanged: true })).toMatchObject({
      result: 'conflict',
      object: { metadata: { labels: { theirs: 'yes' } } },
    });
    expect(await erase()).toEqual({ result: 'deleted' });
  });

  test('as a dry run deletes nothing', async () => {
    const { store, erase } = given();
    expect(await erase({ dryRun: true })).toEqual({ result: 'deleted' });
    expect(store.has(PATH)).toBe(true);
  });

  test('without permission names the missing permission', async () => {
    const server = servingObjects([member1], { readOnly: ['clusters.cluster.karmada.io'] });
    await expect(deleteObject(server, CLUSTERS, member1)).rejects.toThrow(
      'needed: apiGroups [cluster.karmada.io], resources [clusters], verbs [get delete]',
    );
  });

  test('reports the message of a webhook that denies it', async () => {
    const message = 'admission webhook "guard" denied the request: in use';
    const { erase } = given({ mishaps: [{ verb: 'delete', when: 'before', status: 403, message }] });
    expect(await erase()).toEqual({ result: 'refused', message });
  });
});

describe('a deletion whose response is lost', () => {
  test('is sent once if a read shows that the server has deleted the object', async () => {
    const { writes, erase } = given({ mishaps: [{ verb: 'delete', when: 'after' }] });
    expect(await erase()).toEqual({ result: 'deleted' });
    expect(writes).toEqual([`delete ${PATH}`]);
  });

  test('is sent again if the server has not received it', async () => {
    const { store, writes, erase } = given({ mishaps: [{ verb: 'delete', when: 'before' }] });
    expect(await erase()).toEqual({ result: 'deleted' });
    expect(store.has(PATH)).toBe(false);
    expect(writes).toHaveLength(1);
  });

  test('keeps a recreated object of the same name', async () => {
    const serving = servingObjects([member1]);
    const { store } = serving;
    const server = lossyServer(serving, [{ verb: 'delete', when: 'after', then: anew(store) }]);
    expect(await deleteObject(server, CLUSTERS, member1, { pause: async () => undefined })).toEqual({
      result: 'deleted',
    });
    expect(store.get(PATH).metadata.uid).toBe('uid-1');
  });

  test('is reported as in progress if finalizers delay it, and is not sent again', async () => {
    const object = { ...member1, metadata: { ...member1.metadata, finalizers: ['karmada.io/cluster'] } };
    const { writes, erase } = given({ object, mishaps: [{ verb: 'delete', when: 'after' }] });
    expect(await erase()).toMatchObject({ result: 'deleting', object: { metadata: { uid: 'u' } } });
    expect(writes).toHaveLength(1);
  });

  test('with a version precondition is not sent again if another client has changed the object', async () => {
    const edit = () => void changed.store.patch(PATH, { metadata: { labels: { theirs: 'yes' } } });
    const mishaps: Mishap[] = [{ verb: 'delete', when: 'before', then: () => edit() }];
    const changed = given({ mishaps });
    expect(await changed.erase({ unchanged: true })).toMatchObject({
      result: 'conflict',
      object: { metadata: { labels: { theirs: 'yes' } } },
    });
    expect(changed.store.has(PATH)).toBe(true);
  });

  test('has an unknown result if the server stops responding', async () => {
    const away: Mishap[] = Array.from({ length: 30 }, () => ({ verb: 'get', when: 'before' }));
    const { erase } = given({ mishaps: [{ verb: 'delete', when: 'after' }, ...away] });
    expect(await erase({ patience: 5_000 })).toEqual({ result: 'unknown', message: 'socket hang up' });
  });

  test('as a dry run keeps the object', async () => {
    const { store, erase } = given({ mishaps: [{ verb: 'delete', when: 'after' }] });
    expect(await erase({ dryRun: true })).toEqual({ result: 'deleted' });
    expect(store.has(PATH)).toBe(true);
  });
});
