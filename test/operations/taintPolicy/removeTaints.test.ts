import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import { removeTaints, type RemoveTaintsOptions } from '../../../src/operations/taintPolicy/removeTaints.ts';
import { servingObjects, type ServingOptions } from '../../state/live/servingObjects.ts';
import { lossyServer, type Mishap } from '../lossyServer.ts';

const PATH = '/apis/cluster.karmada.io/v1alpha1/clusters/alpha';
const time = '2026-09-01T08:00:00Z';
const down: Taint = { key: 'down', effect: 'NoSchedule', timeAdded: time };
const full: Taint = { key: 'full', value: 'disk', effect: 'NoExecute', timeAdded: time };
const person: Taint = { key: 'person', effect: 'NoSchedule' };

interface Given {
  taints?: Taint[];
  mishaps?: Mishap[];
  serving?: ServingOptions;
}

/** A cluster with these taints, and a server with some failing requests. */
function given({ taints = [down, person, full], mishaps = [], serving = {} }: Given = {}) {
  const cluster = {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'alpha', uid: 'c', resourceVersion: '8' },
    spec: { taints },
  } as KubernetesObject;
  const fake = servingObjects([cluster], serving);
  const server = lossyServer(fake, mishaps);
  return {
    store: fake.store,
    writes: fake.writes,
    /** another client writes the taints */
    write: (some: Taint[]) => void fake.store.patch(PATH, { spec: { taints: some } }),
    remove: (some: Taint[] = [down, full], options: RemoveTaintsOptions & { uid?: string } = {}) =>
      removeTaints(
        server,
        { cluster: 'alpha', taints: some, uid: options.uid },
        { pause: async () => undefined, ...options },
      ),
    left: () => (fake.store.get(PATH) as unknown as { spec: { taints: Taint[] } }).spec.taints,
  };
}

describe('the removal of taints', () => {
  test('is one write, and keeps other taints', async () => {
    const { remove, left, writes } = given();
    expect(await remove()).toEqual({ cluster: 'alpha', removed: [down, full], left: [] });
    expect(left()).toEqual([person]);
    expect(writes).toEqual([`patch ${PATH}`]);
  });

  test('skips and names taints that were added again, changed or removed', async () => {
    const again = { ...down, timeAdded: '2026-09-01T09:00:00Z' };
    const other = { ...full, value: 'memory' };
    const gone: Taint = { key: 'gone', effect: 'NoSchedule' };
    const { remove, left } = given({ taints: [again, person, full] });
    expect(await remove([down, full, gone])).toEqual({
      cluster: 'alpha',
      removed: [full],
      left: [down, gone],
    });
    expect(left()).toEqual([again, person]);

    const changed = given({ taints: [again, other] });
    expect(await changed.remove()).toEqual({ cluster: 'alpha', removed: [], left: [down, full] });
    expect(changed.writes).toEqual([]);
  });

  test('is recomputed after a conflict', async () => {
    const again = { ...down, timeAdded: '2026-09-01T09:00:00Z' };
    const scene = given({
      mishaps: [
        { verb: 'patch', when: 'before', status: 409, then: () => scene.write([again, person, full]) },
      ],
    });
    expect(await scene.remove()).toEqual({ cluster: 'alpha', removed: [full], left: [down] });
    expect(scene.left()).toEqual([again, person]);
  });

  test('is found on the server after a lost response, despite later writes', async () => {
    const scene = given({
      mishaps: [{ verb: 'patch', when: 'after', then: () => scene.write([person, { ...person, key: 'b' }]) }],
    });
    expect(await scene.remove()).toEqual({ cluster: 'alpha', removed: [down, full], left: [] });
    expect(scene.writes).toEqual([`patch ${PATH}`]);
  });

  test('is repeated after a lost request, despite writes of another client', async () => {
    const scene = given({
      mishaps: [
        {
          verb: 'patch',
          when: 'before',
          then: () => scene.write([down, person, full, { ...person, key: 'b' }]),
        },
      ],
    });
    expect(await scene.remove()).toMatchObject({ removed: [down, full] });
    expect(scene.left()).toEqual([person, { ...person, key: 'b' }]);
  });

  test('skips the taints of a deleted cluster', async () => {
    const before = given();
    before.store.delete(PATH);
    expect(await before.remove()).toEqual({ cluster: 'alpha', removed: [], left: [down, full] });
    const meanwhile = given({
      mishaps: [
        { verb: 'patch', when: 'before', status: 404, then: () => void meanwhile.store.delete(PATH) },
      ],
    });
    expect(await meanwhile.remove()).toEqual({ cluster: 'alpha', removed: [], left: [down, full] });
  });

  test('skips a cluster that was deleted and joined again, even if a conflict reveals it', async () => {
    const message = 'it was deleted and joined again; run the command again';
    const nothing = { cluster: 'alpha', removed: [], left: [down, full], message };
    expect(await given().remove(undefined, { uid: 'other' })).toEqual(nothing);
    const scene = given({
      mishaps: [
        {
          verb: 'patch',
          when: 'before',
          status: 409,
          then: () => {
            const again = { ...scene.store.get(PATH), metadata: { name: 'alpha' } };
            scene.store.delete(PATH);
            scene.store.create(PATH.replace('/alpha', ''), again);
          },
        },
      ],
    });
    expect(await scene.remove(undefined, { uid: 'c' })).toEqual(nothing);
    expect(scene.left()).toEqual([down, person, full]);
  });

  test('reports the message of a server that refuses it, and as a dry run removes nothing', async () => {
    const refused = given({ mishaps: [{ verb: 'patch', when: 'before', status: 422, message: 'no' }] });
    expect(await refused.remove()).toMatchObject({ removed: [], left: [down, full], message: 'no' });
    const dry = given();
    expect(await dry.remove(undefined, { dryRun: true })).toMatchObject({ removed: [down, full] });
    expect(dry.left()).toEqual([down, person, full]);
  });

  test('fails for a user without permission to read or write the cluster', async () => {
    const write = given({ serving: { readOnly: ['clusters.cluster.karmada.io'] } });
    await expect(write.remove()).rejects.toThrow('resources [clusters], verbs [get patch]');
    const read = given({ mishaps: [{ verb: 'get', when: 'before', status: 403, message: 'forbidden' }] });
    await expect(read.remove()).rejects.toThrow('forbidden');
  });
});
