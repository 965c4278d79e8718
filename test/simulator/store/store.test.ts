import { describe, expect, test } from '@jest/globals';
import { clusterOfWork } from '../../../src/karmada/objects/worksOfBinding.ts';
import { workKey } from '../../../src/karmada/objects/identities.ts';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { needsAction } from '../../../src/karmada/works/workConditions.ts';
import type { Write } from '../../../src/karmada/controllers/write.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { onStage } from '../../karmada/controllers/onStage.ts';
import { cluster, deployment, START, world } from '../simulation/controlPlane.ts';

const everywhere = { replicaScheduling: { replicaSchedulingType: 'Duplicated' as const } };

function on(name: string, ...clusters: string[]): ResourceBinding {
  return deployment(name, {
    placement: everywhere,
    replicas: 1,
    clusters: clusters.map((one) => ({ name: one, replicas: 1 })),
  });
}

function withHealth(binding: ResourceBinding, health: 'Healthy' | 'Unhealthy'): ResourceBinding {
  const items = binding.status!.aggregatedStatus!.map((item) => ({ ...item, health }));
  return { ...binding, status: { ...binding.status, aggregatedStatus: items } };
}

function unready(one: Cluster): Cluster {
  return { ...one, status: { ...one.status, conditions: [{ type: 'Ready', status: 'False' }] } };
}

/** Settled workloads, one that is not healthy, one on a cluster that is not Ready, one that is evicting, and a dependent. */
function state(): World {
  const evicted = on('evicted', 'east-1');
  evicted.spec.gracefulEvictionTasks = [{ fromCluster: 'west-1', reason: 'r', producer: 'p' }];
  const secret = on('secret');
  secret.spec.requiredBy = [{ namespace: 'shop', name: 'settled', clusters: [{ name: 'east-2' }] }];
  return world(
    [cluster('east-1'), cluster('east-2'), cluster('west-1'), unready(cluster('north-1'))],
    [
      on('settled', 'east-1', 'west-1'),
      withHealth(on('starting', 'east-2', 'west-1'), 'Unhealthy'),
      on('cut-off', 'north-1', 'east-1'),
      evicted,
      secret,
    ],
  );
}

const openOf = (view: View) =>
  [...view.all('Work')]
    .filter((work) => needsAction(work, view.get('Cluster', clusterOfWork(work)!)))
    .map(workKey);

describe('the Works of a capture without Works', () => {
  test('are open if nothing shows that they have settled', () => {
    const { store } = onStage(state());
    const open = [...store.openWorks()].map(workKey);
    expect(open).toHaveLength(4);
    expect(open).toEqual(openOf(store));
  });

  test('are open once their cluster is not Ready, or after a write', () => {
    const { store, write } = onStage(state());
    const east = store.get('Cluster', 'east-1')!;
    const settled = [...store.worksOn('west-1')].find(({ metadata }) => metadata.name.startsWith('settled'))!;
    write(
      {
        verb: 'update',
        kind: 'Cluster',
        key: 'east-1',
        part: 'status',
        lock: true,
        base: east,
        object: unready(east),
      },
      { verb: 'delete', kind: 'Work', key: workKey(settled), base: settled },
    );
    const open = [...store.openWorks()].map(workKey);
    expect(open).toHaveLength(8);
    expect(open).toEqual(openOf(store));
  });

  test('are found by key and by cluster in any order of reads', () => {
    const keys = [...onStage(state()).store.all('Work')].map(workKey);
    expect(keys).toHaveLength(9);
    for (const key of keys) {
      const { store } = onStage(state());
      const work = store.get('Work', key)!;
      expect(workKey(work)).toBe(key);
      expect(store.worksOn(clusterOfWork(work)!)).toContain(work);
    }
  });
});

describe('a list of a kind', () => {
  test('includes new objects in order: bindings by age, other kinds by key', () => {
    const { store, write } = onStage(state());
    const create = (name: string, creationTimestamp: string): Write => {
      const { metadata, ...rest } = on(name, 'east-1');
      const object = { ...rest, metadata: { ...metadata, creationTimestamp } };
      return { verb: 'create', kind: 'Binding', key: `shop/${object.metadata.name}`, object };
    };
    write(create('young', '2026-08-31T00:00:00Z'), create('old', '2026-07-01T00:00:00Z'), {
      verb: 'create',
      kind: 'Cluster',
      key: 'east-10',
      object: cluster('east-10'),
    });
    const bindings = [...store.all('Binding')].map(({ spec }) => spec.resource.name);
    expect(bindings).toEqual(['old', 'cut-off', 'evicted', 'secret', 'settled', 'starting', 'young']);
    const clusters = [...store.all('Cluster')].map(({ metadata }) => metadata.name);
    expect(clusters).toEqual(['east-1', 'east-10', 'east-2', 'north-1', 'west-1']);
  });
});

test('a captured Pull member that reports its own failure has a running agent', () => {
  const pull = (status: 'False' | 'Unknown') => {
    const one = cluster('east-1');
    one.spec!.syncMode = 'Pull';
    one.status!.conditions = [{ type: 'Ready', status, lastTransitionTime: rfc3339(START) }];
    return onStage(world([one], [])).store.get('Member', 'east-1')!;
  };
  const { agent, downSince } = pull('False');
  // the threshold is 30 s, and probes come every 10 s
  expect({ agent, downSince }).toEqual({
    agent: { running: true, since: START - 35_000 },
    downSince: START - 35_000,
  });
  expect(pull('Unknown').agent).toEqual({ running: false, since: START });
});
