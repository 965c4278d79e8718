import { describe, expect, test } from '@jest/globals';
import { drainMarkOf, isCordoned } from '../../../src/analysis/drain/cordon.ts';
import type { DrainEvent } from '../../../src/analysis/drain/decide/drainStep.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import {
  configurationOfRecording,
  createRecordedPlane,
  standingText,
  type RecordedPlane,
} from '../recordedPlane.ts';
import { play, recordingOf, recordings } from './playRecording.ts';

const names = (events: readonly DrainEvent[], type: DrainEvent['type']) =>
  events.flatMap((event) => (event.type === type && 'workload' in event ? [event.workload.name] : []));
/** "web: on member3=2, held on member1" for each binding. */
const standing = (plane: RecordedPlane) =>
  plane
    .bindings()
    .map(({ spec }) => standingText(spec))
    .sort();
const cluster = (plane: RecordedPlane, name: string) =>
  plane.clusters().find(({ metadata }) => metadata.name === name) as unknown as Cluster;

describe.each(recordings)('the recorded drain %s', (name) => {
  test('repeats the recorded writes with the same results', async () => {
    const recording = recordingOf(name);
    const { plane, ends } = await play(recording);
    expect(ends).toEqual(recording.turns.flatMap((turn) => ('ended' in turn ? [turn.ended] : [])));
    expect(plane.missing()).toEqual([]);
  });

  test('deletes an old copy only after Karmada has reported its replacement', async () => {
    const { reported } = await play(recordingOf(name));
    for (const { events } of reported)
      for (const workload of names(events, 'released')) {
        const at = (type: DrainEvent['type']) =>
          events.findIndex(
            (event) => event.type === type && 'workload' in event && event.workload.name === workload,
          );
        const gone = at('gone');
        expect({ workload, inOrder: gone === -1 || at('released') < gone }).toEqual({
          workload,
          inOrder: true,
        });
        // the evictions of an earlier run are scheduled by now
        if (at('evicted') !== -1) expect(at('evicted')).toBeLessThan(at('released'));
      }
  });
});

test('a replayed drain fails at a write that the recording does not contain', async () => {
  const recording = recordingOf('whole');
  const plane = createRecordedPlane(recording);
  const { server, openMirror, pause, stopwatch } = plane.client();
  const [turn] = recording.turns;
  if (!turn || !('drain' in turn)) throw new Error('it begins with a drain');
  const options = { ...turn.drain, hold: false };
  const configuration = configurationOfRecording(recording);
  const ending = executeDrain(server, options, { configuration, openMirror, pause, stopwatch });
  await expect(plane.time.until(ending)).rejects.toThrow(
    'the recording knows no such write of /apis/cluster.karmada.io',
  );
});

test('a drain evicts dependent workloads in order, and workloads without replicas last', async () => {
  const { reported } = await play(recordingOf('whole'));
  expect(names(reported[0]!.events, 'evicted')).toEqual(['copied', 'halves', 'needing', 'web', 'settings']);
});

describe('a drain while the scheduler is down', () => {
  const played = () => play(recordingOf('silentScheduler'));

  test('pauses evictions after 30 seconds and reports the reason', async () => {
    const { reported } = await played();
    const { events, progress } = reported[0]!;
    const pace = events.find((event) => event.type === 'pace');
    expect(pace).toMatchObject({
      pace: {
        mode: 'paused',
        cause: 'scheduler',
        reason: 'the scheduler has not rescheduled any eviction for 30s',
      },
    });
    const after = events.filter((event) => event.time > pace!.time);
    expect(names(after, 'evicted')).toEqual([]);
    expect(names(events, 'evicted')).toEqual(['a', 'b', 'c']);
    expect(progress.at(-1)!.workloads.filter(({ phase }) => phase === 'queued')).toHaveLength(3);
  });

  test('keeps old copies, and evicts nothing twice once the scheduler is back', async () => {
    const recording = recordingOf('silentScheduler');
    const plane = createRecordedPlane(recording);
    const [down, first, ...rest] = recording.turns;
    await play({ ...recording, turns: [down!, first!] }, plane);
    expect(standing(plane)).toEqual([
      ...['a', 'b', 'c'].map((name) => `${name}: on none, held on member1`),
      ...['d', 'e', 'f'].map((name) => `${name}: on member1=2`),
    ]);
    const { reported } = await play({ ...recording, turns: rest }, plane);
    const { events } = reported[0]!;
    expect(events[0]).toMatchObject({ type: 'started', resumed: true });
    expect(names(events, 'evicted').filter((name) => ['d', 'e', 'f'].includes(name))).toEqual([
      'd',
      'e',
      'f',
    ]);
    expect(standing(plane)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}: on member3=2`));
  });
});

describe('the cancellation of a recorded drain', () => {
  test('restores only evicting workloads, with their dependents', async () => {
    const { plane } = await play(recordingOf('cancelled'));
    expect(standing(plane)).toEqual([
      'halves: on member1=2 member3=2',
      'needed: on none',
      'needing: on member1=2',
      'quick: on member2=2',
      'web: on member1=2',
    ]);
    expect(isCordoned(cluster(plane, 'member1'))).toBe(false);
    expect(drainMarkOf(cluster(plane, 'member1'))).toBeUndefined();
  });

  test('keeps the old copy of a dependent by its own eviction task', async () => {
    const recording = recordingOf('cancelled');
    const plane = createRecordedPlane(recording);
    await play({ ...recording, turns: recording.turns.slice(0, 1) }, plane);
    expect(standing(plane)).toContain('needed: on none, held on member1');
    const copies = () =>
      plane
        .works()
        .filter(({ metadata }) => metadata.name.startsWith('needed-') && !metadata.deletionTimestamp)
        .map(({ metadata }) => metadata.namespace);
    expect(copies()).toContain('karmada-es-member1');
    await play({ ...recording, turns: recording.turns.slice(1) }, plane);
    expect(copies()).toEqual(['karmada-es-member1']);
  });

  test('for one of two clusters keeps the second cluster cordoned, with its held copies', async () => {
    const recording = recordingOf('partlyCancelled');
    const plane = createRecordedPlane(recording);
    const { reported } = await play({ ...recording, turns: recording.turns.slice(0, 2) }, plane);
    expect(standing(plane)).toEqual([
      'both: on member1=1 member3=3, held on member2',
      'first: on member1=2',
      'needed: on none',
      'needing: on member1=2',
      'second: on member3=2, held on member2',
    ]);
    expect(names(reported[1]!.events, 'cancelled').sort()).toEqual(['both', 'first', 'needed', 'needing']);
    expect(drainMarkOf(cluster(plane, 'member1'))).toBeUndefined();
    expect(drainMarkOf(cluster(plane, 'member2'))).toMatchObject({ clusters: ['member2'] });
    expect(['member1', 'member2'].map((name) => isCordoned(cluster(plane, name)))).toEqual([false, true]);
  });

  test('by taint restores the workloads that Karmada evicted', async () => {
    const recording = recordingOf('byTaintCancelled');
    const plane = createRecordedPlane(recording);
    await play({ ...recording, turns: recording.turns.slice(0, 1) }, plane);
    expect(standing(plane)).toEqual([
      'halves: on member3=4, leaves member1',
      'quick: on member2=2',
      'web: on member3=2, leaves member1',
    ]);
    await play({ ...recording, turns: recording.turns.slice(1) }, plane);
    expect(standing(plane)).toEqual([
      'halves: on member1=2 member3=2',
      'quick: on member2=2',
      'web: on member1=2',
    ]);
    expect(cluster(plane, 'member1').spec?.taints ?? []).toEqual([]);
  });
});

test('a recorded drain by taint reports every evicted workload as gone, even if an eviction ends between two reads', async () => {
  const { reported } = await play(recordingOf('byTaint'));
  const { events } = reported[0]!;
  expect(names(events, 'gone').sort()).toEqual(names(events, 'evicted').sort());
  expect(names(events, 'gone').sort()).toEqual(['copied', 'web']);
  expect(names(events, 'stays')).toEqual(['stays']);
});
