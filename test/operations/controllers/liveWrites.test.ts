import { describe, expect, test } from '@jest/globals';
import type { Write } from '../../../src/karmada/controllers/write.ts';
import { removeCluster } from '../../../src/karmada/eviction/evictionTasks.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { createLiveWrites } from '../../../src/operations/controllers/liveWrites.ts';
import { LeadershipLost, isUncontested, type Leadership } from '../../../src/operations/leadership.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { lossyServer, type Mishap } from '../lossyServer.ts';

const CLUSTER = '/apis/cluster.karmada.io/v1alpha1/clusters/east-1';
const BINDING = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment';
const web = deployment('web', {
  placement: {},
  replicas: 2,
  clusters: [
    { name: 'east-1', replicas: 2 },
    { name: 'west-1', replicas: 2 },
  ],
});

/** A server with a cluster and a binding, and our view of it. */
function scene(
  { mishaps = [], leadership = isUncontested(new AbortController().signal), heardAt = 0 } = {} as {
    mishaps?: Mishap[];
    leadership?: Leadership;
    heardAt?: number;
  },
) {
  const versioned = (object: object) => {
    const { metadata } = object as KubernetesObject;
    return { ...object, metadata: { ...metadata, uid: `uid-${metadata.name}`, resourceVersion: '7' } };
  };
  const fake = servingObjects([versioned(cluster('east-1')), versioned(web)] as KubernetesObject[]);
  const seen: string[] = [];
  let known = fake.store.get(CLUSTER) as Cluster;
  const api = createLiveWrites(lossyServer(fake, mishaps), {
    live: {
      view: { get: () => known } as never,
      clustersHeardAt: () => heardAt,
      observe(object) {
        seen.push(`${object.kind} ${object.metadata.resourceVersion}`);
        if (object.kind === 'Cluster') known = object as Cluster;
      },
    },
    leadership,
    pause: () => Promise.resolve(),
    localNow: () => 0,
  });
  const base = fake.store.get(BINDING) as unknown as ResourceBinding;
  const eviction: Write = {
    verb: 'update',
    kind: 'Binding',
    key: 'shop/web-deployment',
    part: 'object',
    lock: true,
    base,
    object: { ...base, spec: removeCluster(base.spec, 'east-1') },
  };
  return { fake, seen, api, eviction, write: () => api.write(eviction, 'binding-eviction') };
}

describe('a write of a controller', () => {
  test('is conditional on the version of its decision, and updates the view with its response', async () => {
    const { fake, seen, write } = scene();
    expect(await write()).toEqual({ result: 'written' });
    const stored = fake.store.get(BINDING) as unknown as ResourceBinding;
    expect(stored.spec.clusters).toEqual([{ name: 'west-1', replicas: 2 }]);
    expect(seen).toEqual([`ResourceBinding ${stored.metadata.resourceVersion}`]);
  });

  test('conflicts with an earlier write of another client, and adds that write to the view', async () => {
    const { fake, seen, write } = scene();
    fake.store.patch(BINDING, { metadata: { labels: { by: 'somebody' } } });
    expect(await write()).toMatchObject({ result: 'conflict' });
    expect(seen).toEqual([`ResourceBinding ${fake.store.get(BINDING).metadata.resourceVersion}`]);
    expect((fake.store.get(BINDING) as unknown as ResourceBinding).spec.clusters).toHaveLength(2);
  });

  test('with a lost response is found on the server and not repeated', async () => {
    const { fake, write } = scene({ mishaps: [{ verb: 'patch', when: 'after' }] });
    expect(await write()).toEqual({ result: 'written' });
    expect(fake.writes).toHaveLength(1);
  });

  test('reports the reason if the server refuses it', async () => {
    const message = 'admission webhook denied the request: quota';
    const { write } = scene({ mishaps: [{ verb: 'patch', when: 'before', status: 403, message }] });
    expect(await write()).toEqual({ result: 'refused', message });
  });

  test('of a deleted object is refused', async () => {
    const { fake, write } = scene();
    fake.store.delete(BINDING);
    expect(await write()).toEqual({ result: 'refused', message: 'it is gone' });
  });

  test('is not sent without leadership', async () => {
    const lost = new AbortController();
    lost.abort(new LeadershipLost('the lease was not renewed in time'));
    const { fake, write } = scene({
      heardAt: -60_000,
      leadership: {
        signal: lost.signal,
        lost: lost.signal,
        assert() {
          throw new LeadershipLost('the lease was not renewed in time');
        },
      },
    });
    // the fake accepts every write: only the layer in front of it can hold one back
    expect(await write()).toEqual({ result: 'lost', message: 'the lease was not renewed in time' });
    expect(fake.writes).toEqual([]);
    expect(fake.requests).toEqual([]);
  });

  test('is not sent if leadership is lost during the read of a cluster', async () => {
    let asked = 0;
    const { fake, write } = scene({
      heardAt: -60_000,
      leadership: {
        ...isUncontested(new AbortController().signal),
        assert() {
          if (++asked > 1) throw new LeadershipLost('the lease was not renewed in time');
        },
      },
    });
    expect(await write()).toEqual({ result: 'lost', message: 'the lease was not renewed in time' });
    expect(fake.requests).toEqual([CLUSTER]);
    expect(fake.writes).toEqual([]);
  });

  test('with an unknown result is reported as lost', async () => {
    const away: Mishap[] = Array.from({ length: 30 }, () => ({ verb: 'get', when: 'before' }));
    const { write } = scene({ mishaps: [{ verb: 'patch', when: 'after' }, ...away] });
    expect(await write()).toEqual({ result: 'lost', message: 'socket hang up' });
  });

  test('trusts the last report of a cluster for ten seconds', async () => {
    const results = [-9_999, -10_000].map(async (heardAt) => {
      const { fake, write } = scene({ heardAt });
      fake.store.patch(CLUSTER, { metadata: { labels: { mended: 'yes' } } });
      return (await write()).result;
    });
    expect(await Promise.all(results)).toEqual(['written', 'conflict']);
  });

  test('reads a cluster without recent reports first, and conflicts if the cluster has changed', async () => {
    const { fake, seen, write } = scene({ heardAt: -60_000 });
    fake.store.patch(CLUSTER, { spec: { taints: [] }, metadata: { labels: { mended: 'yes' } } });
    expect(await write()).toEqual({ result: 'conflict' });
    expect(fake.writes).toEqual([]);
    expect(seen).toEqual([`Cluster ${fake.store.get(CLUSTER).metadata.resourceVersion}`]);
    // now it is known
    expect(await write()).toEqual({ result: 'written' });
  });

  test('with an unsupported verb is an internal error', async () => {
    const { api, eviction } = scene();
    const { base } = eviction as { base: ResourceBinding };
    const deletion: Write = { verb: 'delete', kind: 'Binding', key: 'shop/web-deployment', base };
    await expect(api.write(deletion, 'binding-eviction')).rejects.toThrow('may delete a Binding');
  });
});
