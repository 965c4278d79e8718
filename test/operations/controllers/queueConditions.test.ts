import { describe, expect, test } from '@jest/globals';
import type { Reconciled } from '../../../src/karmada/running/controllerNews.ts';
import type { ControllerName } from '../../../src/karmada/controllers/karmada.ts';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import type { EvictionPace } from '../../../src/karmada/controllers/controller.ts';
import type { Condition } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { queueEventsOf } from '../../../src/operations/controllers/controllerEvents.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { evicting, onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { createQueueConditions } from '../../../src/operations/controllers/queueConditions.ts';
import { isUncontested } from '../../../src/operations/leadership.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import type { Client } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { ourNames, runOurs } from './ours.ts';
import { playWithKills, type Play } from './playWithKills.ts';

const configuration = evicting('proposal');
const clusters = ['a', 'b', 'c', 'd'].map((name) => cluster(name));
const active = (tolerationSeconds: number) => ({ failover: { cluster: { tolerationSeconds } } });
const workload = (name: string, spec: object = active(0), on = 'a', places = ['a', 'b', 'c', 'd']) =>
  deployment(name, {
    placement: onOneOf(...places),
    replicas: 1,
    clusters: [{ name: on, replicas: 1 }],
    spec,
  });

interface Played {
  plane: FakeControlPlane;
  condition: (name: string) => Condition | undefined;
  events: string[];
}

/** Plays until a second after the start; events and kills are in seconds, too. */
async function played(bindings: ResourceBinding[], play: Play): Promise<Played> {
  const plane = createFakeControlPlane(plainWorld(clusters, bindings), {
    start: START,
    configuration,
    without: ourNames,
  });
  const stop = new AbortController();
  const events: string[] = [];
  const byKey = (key: string) => plane.bindings().find((one) => bindingKey(one) === key);
  const begin = (): Client => {
    const client = plane.client();
    void runOurs(client, {
      configuration,
      signal: stop.signal,
      conditions: true,
      observer: {
        reconciled: (look: Reconciled<ControllerName>) => {
          const view = { get: (_: string, key: string) => byKey(key) } as never;
          for (const { subject, reason, type, message } of queueEventsOf(look, view))
            if (subject.kind === 'ResourceBinding')
              events.push(
                `${Math.round((look.now - START) / 1000)}s ${type} ${reason} ${subject.name.replace('-deployment', '')}: ${message}`,
              );
        },
      },
    });
    return client;
  };
  await playWithKills(plane, begin, play);
  stop.abort();
  const condition = (name: string) =>
    byKey(`shop/${name}-deployment`)!.status!.conditions!.find(({ type }) => type === 'EvictionQueued');
  return { plane, condition, events };
}

const PREFER = { key: 'fault', effect: 'PreferNoExecute' } as const;
const taintAt =
  (seconds: number, name = 'a') =>
  (plane: FakeControlPlane) =>
    plane.time.plan(START + seconds * 1000, () =>
      plane.play({ type: 'taint', cluster: name, taint: PREFER }),
    );
const untaintAt = (seconds: number) => (plane: FakeControlPlane) =>
  plane.time.plan(START + seconds * 1000, () =>
    plane.play({ type: 'untaint', cluster: 'a', key: 'fault', effect: 'PreferNoExecute' }),
  );

describe('001 observability: conditions and Events of the eviction queue', () => {
  const four = [workload('w1'), workload('w2'), workload('w3'), workload('later', active(60))];

  test('001 conditions: EvictionQueued is True while a binding waits, then False with its outcome', async () => {
    const { plane, condition } = await played(four, { happens: taintAt(10), until: 13 });
    expect(condition('w1')).toMatchObject({ status: 'False', reason: 'Evicted' });
    expect(condition('w3')).toMatchObject({
      status: 'True',
      reason: 'Waiting',
      message: 'Waits in the eviction queue for its turn to leave cluster a.',
      lastTransitionTime: expect.stringMatching(rfc3339(START + 10_000).slice(0, -3)),
    });
    expect(condition('later')).toMatchObject({ status: 'True', reason: 'Tolerating' });
    expect(plane.bindings()[0]!.status!.conditions!.map(({ type }) => type)).toContain('Scheduled');
  });

  test('001 conditions: the reasons Abandoned and Dropped have an explanation', async () => {
    const { condition } = await played([workload('pinned', active(0), 'a', ['a']), ...four], {
      happens(plane) {
        taintAt(10)(plane);
        untaintAt(13)(plane);
      },
      until: 16,
    });
    expect(condition('pinned')).toMatchObject({
      status: 'False',
      reason: 'Abandoned',
      message: expect.stringContaining('no cluster besides a matches its affinity'),
    });
    expect(condition('w3')).toMatchObject({
      status: 'False',
      reason: 'Dropped',
      message: 'Leaves the eviction queue without a turn: a has recovered.',
    });
  });

  test('001 conditions: a new process keeps lastTransitionTime, and updates bindings that left the queue before its start', async () => {
    const waits = await played(four, { happens: taintAt(10), kills: [12.5], until: 13.5 });
    expect(waits.condition('w3')).toMatchObject({
      status: 'True',
      lastTransitionTime: expect.stringMatching(rfc3339(START + 10_000).slice(0, -3)),
    });
    const marked = four.map((one) => ({
      ...one,
      status: {
        ...one.status,
        conditions: [
          ...one.status!.conditions!,
          { type: 'EvictionQueued', status: 'True' as const, reason: 'Waiting', message: 'as before' },
        ],
      },
    }));
    const settled = await played(marked, { happens: () => undefined, until: 20 });
    expect(settled.condition('w1')).toMatchObject({ status: 'False', reason: 'Left' });
  });

  test('001 events: a binding gets an Event for each step and for its outcome', async () => {
    const { events } = await played(
      [workload('w1'), workload('later', active(2)), workload('pinned', active(0), 'a', ['a'])],
      {
        happens: taintAt(10),
        until: 30,
      },
    );
    expect(events.map((line) => line.split(':')[0]!.replace(/^\d+s /, ''))).toEqual(
      expect.arrayContaining([
        'Normal EvictionQueued w1',
        'Normal EvictionQueued later',
        'Normal EvictionBegun w1',
        'Normal EvictionBegun later',
        'Warning EvictionAbandoned pinned',
      ]),
    );
    expect(new Set(events).size).toBe(events.length);
  });

  test('001 events: a dropped binding gets one Event', async () => {
    const { events } = await played(four, {
      happens(plane) {
        taintAt(10)(plane);
        untaintAt(13)(plane);
      },
      until: 30,
    });
    expect(events.filter((line) => line.includes('EvictionDropped'))).toEqual([
      '13s Normal EvictionDropped w3: Leaves the eviction queue without a turn: a has recovered.',
    ]);
  });
});

test('a condition requested at the end of another write is also written', async () => {
  const written: string[] = [];
  const view = { all: () => [], get: (_: string, key: string) => void written.push(key) } as unknown as View;
  const signal = new AbortController().signal;
  const options = { view, leadership: isUncontested(signal), pause: () => Promise.resolve() };
  const pace: EvictionPace = { mode: 'normal', rate: 1, faulty: ['a'], clusters: 4, reason: '' };
  const queued = (binding: string): Reconciled<ControllerName> => ({
    controller: 'taint-manager',
    key: 'a',
    now: START,
    failure: undefined,
    evidence: [],
    dequeued: [],
    step: { writes: [], notes: [{ type: 'EvictionsQueued', cluster: 'a', bindings: [binding], pace }] },
  });
  // given two that are requested this many turns of the process apart
  for (let turns = 0; turns < 12; turns++) {
    const conditions = createQueueConditions({} as ApiServer, { ...options, presentable: (text) => text });
    conditions.reconciled(queued(`first ${turns}`));
    for (let i = 0; i < turns; i++) await Promise.resolve();
    conditions.reconciled(queued(`second ${turns}`));
    await new Promise(setImmediate);
  }
  // then none of them is forgotten
  const all = Array.from({ length: 12 }, (_, turns) => [`first ${turns}`, `second ${turns}`]).flat();
  expect(written).toEqual(all);
});
