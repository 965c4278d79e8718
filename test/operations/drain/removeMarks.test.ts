import { expect, test } from '@jest/globals';
import { cordoned, drainMarkOf, isCordoned, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { removeMarks } from '../../../src/operations/drain/removeMarks.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { lossyServer, type Mishap } from '../lossyServer.ts';
import { cluster, drainOptions } from './drainScene.ts';

const PATH = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';
const marked = (started: string): Cluster =>
  cordoned(cluster('member1'), markOfDrain(drainOptions(), started));
const own = marked('2026-09-01T08:00:00Z');

/** A cluster with the annotation of an ended drain, which removes it while another client writes. */
async function ended(mishap?: Partial<Mishap>): Promise<Cluster> {
  const object = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', ...own } as KubernetesObject;
  const fake = servingObjects([
    { ...object, metadata: { ...object.metadata, uid: 'c', resourceVersion: '8' } },
  ]);
  const then = mishap?.then;
  const mishaps: Mishap[] = mishap
    ? [
        {
          verb: 'patch',
          when: 'before',
          status: 409,
          ...mishap,
          ...(then && { then: () => then.call(fake) }),
        },
      ]
    : [];
  await removeMarks(lossyServer(fake, mishaps), [fake.store.get(PATH) as Cluster], {
    pause: async () => undefined,
    signal: new AbortController().signal,
  });
  return fake.store.get(PATH) as Cluster;
}
const annotate = (annotations: object) =>
  function (this: unknown) {
    (this as ReturnType<typeof servingObjects>).store.patch(PATH, { metadata: { annotations } });
  };

test('a finished drain removes its mark and keeps the cordon', async () => {
  const left = await ended();
  expect([drainMarkOf(left), isCordoned(left)]).toEqual([undefined, true]);
});

test('a finished drain removes only its mark after a write of another client', async () => {
  const left = await ended({ then: annotate({ theirs: 'yes' }) });
  expect(drainMarkOf(left)).toBeUndefined();
  expect(left.metadata.annotations).toEqual({ theirs: 'yes' });
});

test('a finished drain keeps the mark of another drain', async () => {
  const other = marked('2026-09-01T09:00:00Z');
  const left = await ended({ then: annotate(other.metadata.annotations!) });
  expect(drainMarkOf(left)).toMatchObject({ started: '2026-09-01T09:00:00Z' });
});

test('a finished drain ignores a refusal to remove its mark', async () => {
  const left = await ended({ status: 422, message: 'no' });
  expect(drainMarkOf(left)).toMatchObject({ started: '2026-09-01T08:00:00Z' });
});
