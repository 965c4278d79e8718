import { describe, expect, test } from '@jest/globals';
import type { QueueStanding } from '../../../src/analysis/explanation/waitingEvictions.ts';
import { createQueueWatch } from '../../../src/operations/eviction/queueWatch.ts';
import { watchEvictions } from '../../../src/operations/eviction/watchEvictions.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { evictionQueueChanges } from '../../../src/views/eviction/evictionQueueChanges.ts';
import { breaches } from '../../commands/schema.ts';
import { evicting, onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { answerText } from '../../views/shownText.ts';
import { createFakeControlPlane } from '../fakeControlPlane.ts';

const configuration = evicting('proposal');
const members = { workloadReadyAfter: 1000, neverReady: [] };
const workload = (name: string, tolerationSeconds = 10) =>
  deployment(name, {
    placement: onOneOf('member1', 'member2', 'member3'),
    clusters: [{ name: 'member1', replicas: 1 }],
    replicas: 1,
    spec: { failover: { cluster: { tolerationSeconds } } },
  });
const faulty = cluster('member1', [{ key: 'fault', effect: 'PreferNoExecute', timeAdded: rfc3339(START) }]);
const clusters = [faulty, cluster('member2'), cluster('member3')];
const bindings = ['a', 'b', 'c'].map((name) => workload(name));

const brief = ({ clusters: counts }: QueueStanding) =>
  counts.map(({ waiting, tolerating }) => `${waiting} wait, ${tolerating} tolerated`).join();

/** Watches a control plane that follows the design for some seconds; what is told of the queue, with the second. */
async function watched(
  concerns: (name: string) => boolean,
  seconds: number,
  { rate = 0.5, workloads = bindings, onPause = (): void => undefined } = {},
) {
  const configuration = evicting('proposal', { 'resource-eviction-rate': rate });
  const plane = createFakeControlPlane(plainWorld(clusters, workloads), {
    ...{ start: START, configuration, members },
  });
  const client = plane.client();
  const abort = new AbortController();
  const told: string[] = [];
  const over = watchEvictions((path, listener) => client.openMirror(client.server, path, { listener }), {
    concerns: ({ metadata }) => concerns(metadata.name),
    configuration,
    now: () => plane.time.now(),
    pause: (milliseconds, signal) => {
      onPause();
      return client.pause(milliseconds, signal);
    },
    signal: abort.signal,
    onChanges: () => undefined,
    onQueue: (standing, now) => told.push(`${Math.floor((now - START) / 1000)}s ${brief(standing)}`),
    onSilence: () => undefined,
    onWarning: () => undefined,
  });
  await plane.time.until(client.pause(seconds * 1000));
  abort.abort();
  await plane.time.until(over);
  return told;
}

describe('a watch of evictions tells of the eviction queue', () => {
  test('from the start on, when tolerations end, and with each turn', async () => {
    expect(await watched(() => true, 20)).toEqual([
      '0s 0 wait, 3 tolerated',
      '10s 2 wait, 0 tolerated',
      '12s 1 wait, 0 tolerated',
      '14s ',
    ]);
  });

  test('once a second at most, however fast it goes: each time all that waits is counted', async () => {
    const workloads = Array.from({ length: 30 }, (_, at) => workload(`w${at}`));
    const told = await watched(() => true, 20, { rate: 10, workloads });
    const seconds = told.map((line) => line.split(' ')[0]);
    expect(seconds).toEqual([...new Set(seconds)]);
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toMatch(/^1[34]s $/);
  });

  test('without looking again and again while a toleration has ended, and the next look is put off', async () => {
    const early = Array.from({ length: 30 }, (_, at) => workload(`w${at}`));
    let pauses = 0;
    const onPause = () => {
      if (++pauses > 5000) throw new Error('it never rests');
    };
    const told = await watched(() => true, 20, {
      rate: 10,
      onPause,
      workloads: [...early, workload('late', 11), workload('later', 12)],
    });
    expect(told.at(-1)).toMatch(/^1[34]s $/);
  });

  test('only of the workloads that are asked for', async () => {
    expect(await watched((name) => name === 'c-deployment', 20)).toEqual([
      '0s 0 wait, 1 tolerated',
      expect.stringMatching(/^1[01]s 1 wait, 0 tolerated$/),
      '14s ',
    ]);
  });
});

describe('how the queue stands', () => {
  const queue = () => createQueueWatch({ configuration, partial: false, concerns: () => true })!;

  test('is told once as long as only time passes', () => {
    const watch = queue();
    expect(watch.look(clusters, bindings, START + 30_000)).toMatchObject({ waiting: 3 });
    expect(watch.look(clusters, bindings, START + 60_000)).toBeUndefined();
    expect(watch.look(clusters, bindings.slice(1), START + 60_000)).toMatchObject({ waiting: 2 });
  });

  test('is not told as long as nothing waits, nor by releases', () => {
    expect(queue().look(clusters.slice(1), bindings, START)).toBeUndefined();
    const released = { configuration: evicting('v1.18'), partial: false, concerns: () => true };
    expect(createQueueWatch(released)).toBeUndefined();
  });

  test('is a sentence, and a document of its own', () => {
    const watch = queue();
    const views = evictionQueueChanges('proposal');
    const standing = watch.look(clusters, bindings, START + 30_000)!;
    expect(breaches('eviction-queue-change', views.document(standing, START))).toBe('');
    expect(answerText(views.answer([standing], START + 30_000))).toMatch(
      /The eviction queue lets 0\.5 evictions per second go: 1 of 3.*\s+3 workloads wait in the eviction queue \(member1 3\)/,
    );
    const nothing = watch.look(clusters, [], START + 30_000)!;
    expect(answerText(views.answer([nothing], START))).toContain(
      'Nothing waits in the eviction queue any more.',
    );
  });
});
