import { describe, expect, test } from '@jest/globals';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { bindingKey, workKey } from '../../../src/karmada/objects/identities.ts';
import { emptyWorld } from '../../../src/karmada/world.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { createStore } from '../../../src/simulator/store/store.ts';
import { failoverOn, START } from '../simulation/controlPlane.ts';

const ID = 'resourcebinding.karmada.io/permanent-id';
const binding = (id = 'a') =>
  ({
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'web', namespace: 'shop', uid: id, labels: { [ID]: id } },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' } },
  }) as ResourceBinding;
const work = (cluster: string, resourceVersion = '1') =>
  ({
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'web', namespace: `karmada-es-${cluster}`, resourceVersion, labels: { [ID]: 'a' } },
    spec: { workload: { manifests: [] } },
  }) as unknown as Work;

function liveStore() {
  const members = { workloadReadyAfter: 0, neverReady: [] };
  return createStore(createStartingWorld(emptyWorld(), failoverOn, { start: START, members }));
}

describe('on a live control plane with one connection per kind', () => {
  test('a binding has the current version of the Works that were read before it', () => {
    const store = liveStore();
    for (const one of [work('east'), work('west'), work('north'), work('west', '2')])
      store.observe('Work', workKey(one), one);
    store.observe('Work', workKey(work('north')), undefined);
    store.observe('Binding', bindingKey(binding()), binding());
    expect([...store.worksOf(binding())]).toEqual([
      ['east', work('east')],
      ['west', work('west', '2')],
    ]);
    store.observe('Work', workKey(work('east')), undefined);
    expect([...store.worksOf(binding()).keys()]).toEqual(['west']);
  });

  test('a recreated binding has no Works of the old binding', () => {
    const store = liveStore();
    store.observe('Work', workKey(work('east')), work('east'));
    store.observe('Binding', bindingKey(binding('b')), binding('b'));
    expect([...store.worksOf(binding('b'))]).toEqual([]);
  });
});
