import { describe, expect, test } from '@jest/globals';
import { reconcileNews, type ControllerNews } from '../../../src/karmada/running/controllerNews.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { evicting, onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import type { Client } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { ourNames, runOurs } from './ours.ts';
import { playWithKills, type Play } from './playWithKills.ts';

const proposal = evicting('proposal');
const PREFER = { key: 'fault', effect: 'PreferNoExecute' } as const;

const fleetOf = (count: number): Cluster[] =>
  Array.from({ length: count }, (_, at) => cluster(`c${String(at).padStart(2, '0')}`));

/** This many workloads on the first cluster; those with failover.cluster may move for PreferNoExecute. */
function workloads(count: number, clusters: readonly Cluster[], asks = (_: number) => true) {
  const names = clusters.map(({ metadata }) => metadata.name);
  return Array.from({ length: count }, (_, at) =>
    deployment(`w${String(at).padStart(2, '0')}`, {
      placement: onOneOf(...names),
      replicas: 1,
      clusters: [{ name: names[0]!, replicas: 1 }],
      spec: asks(at) ? { failover: { cluster: { purgeMode: 'Gracefully', tolerationSeconds: 0 } } } : {},
    }),
  );
}

interface Played {
  plane: FakeControlPlane;
  /** seconds after the start at which each eviction was made, by all processes together */
  evictions: number[];
  news: ControllerNews[];
}

/** Plays events on a control plane where only our controllers evict; kills are seconds after the start. */
async function played(
  clusters: readonly Cluster[],
  bindings: ReturnType<typeof workloads>,
  play: Play,
): Promise<Played> {
  const plane = createFakeControlPlane(plainWorld([...clusters], bindings), {
    start: START,
    configuration: proposal,
    without: ourNames,
  });
  const news: ControllerNews[] = [];
  const stop = new AbortController();
  const begin = (): Client => {
    const client = plane.client();
    void runOurs(client, {
      configuration: proposal,
      signal: stop.signal,
      observer: { reconciled: (look) => void news.push(...reconcileNews(look)) },
    });
    return client;
  };
  await playWithKills(plane, begin, play);
  stop.abort();
  const evictions = news.filter(({ type }) => type === 'evicted').map(({ time }) => (time - START) / 1000);
  return { plane, evictions, news };
}

const taint = (names: readonly string[]) => (plane: FakeControlPlane) => {
  for (const name of names)
    plane.time.plan(START + 10_000, () => plane.play({ type: 'taint', cluster: name, taint: PREFER }));
};
const names = (clusters: readonly Cluster[], count: number) =>
  clusters.slice(0, count).map(({ metadata }) => metadata.name);

describe('the proposed eviction queue on a live control plane', () => {
  test('evicts only workloads with failover.cluster, one workload every two seconds', async () => {
    const clusters = fleetOf(4);
    const bindings = workloads(8, clusters, (at) => at % 2 === 0);
    const { plane, evictions } = await played(clusters, bindings, {
      happens: taint(names(clusters, 1)),
      until: 120,
    });
    expect(plane.history.tasks.sort()).toEqual(
      ['w00', 'w02', 'w04', 'w06'].map((name) => `${name}-deployment from c00`),
    );
    const gaps = evictions.slice(1).map((at, index) => at - evictions[index]!);
    expect(gaps.every((gap) => gap >= 1.99 && gap < 2.5)).toBe(true);
  });

  test('evicts one workload every ten seconds if 12 of 20 clusters fail, and stops if 6 of 10 fail', async () => {
    const large = fleetOf(20);
    const slow = await played(large, workloads(6, large), {
      happens: taint(names(large, 12).reverse()),
      until: 60,
    });
    const gaps = slow.evictions.slice(1).map((at, index) => at - slow.evictions[index]!);
    expect(gaps.length).toBeGreaterThan(2);
    expect(gaps.every((gap) => gap >= 9.99)).toBe(true);

    const small = fleetOf(10);
    const stopped = await played(small, workloads(6, small), {
      happens: taint(names(small, 6).reverse()),
      until: 600,
    });
    expect(stopped.evictions).toEqual([]);
    expect(stopped.news.findLast((one) => one.type === 'pace')).toMatchObject({ pace: { mode: 'paused' } });
  });

  test('evicts each workload once, even if the process is killed during the queue', async () => {
    const clusters = fleetOf(4);
    const { plane, evictions } = await played(clusters, workloads(20, clusters), {
      happens: taint(names(clusters, 1)),
      kills: [15, 16.5, 23, 24, 31],
      until: 240,
    });
    const tasks = plane.history.tasks;
    expect(new Set(tasks).size).toBe(tasks.length);
    expect(tasks).toHaveLength(20);
    // a new process waits for a turn that the previous one may have used
    const sorted = evictions.toSorted((a, b) => a - b);
    expect(sorted.slice(1).every((at, index) => at - sorted[index]! >= 1.99)).toBe(true);
  });

  test('drops waiting evictions if the cluster recovers, and completes evictions that have begun', async () => {
    const clusters = fleetOf(4);
    const { plane } = await played(clusters, workloads(20, clusters), {
      happens(plane) {
        taint(names(clusters, 1))(plane);
        plane.time.plan(START + 25_000, () =>
          plane.play({ type: 'untaint', cluster: 'c00', key: 'fault', effect: 'PreferNoExecute' }),
        );
      },
      until: 600,
    });
    const moved = plane.history.tasks.length;
    expect(moved).toBeGreaterThan(4);
    expect(moved).toBeLessThan(10);
    expect(plane.bindings().every(({ spec }) => !spec.gracefulEvictionTasks?.length)).toBe(true);
    const left = plane.bindings().filter(({ spec }) => spec.clusters?.[0]?.name === 'c00');
    expect(left).toHaveLength(20 - moved);
  });
});
