import { describe, expect, test } from '@jest/globals';
import type { EvictionActionName } from '../../src/analysis/evictionAction/actionOutcome.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { evictCluster } from '../../src/karmada/eviction/evictionTasks.ts';
import { cordon, uncordon } from '../../src/operations/cordon.ts';
import { cancelDrain } from '../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { changeEviction } from '../../src/operations/eviction/changeEviction.ts';
import type { Pause } from '../../src/operations/pause.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { writePolicyChange } from '../../src/useCases/taintPolicy/writePolicyChange.ts';
import { v1_18 } from '../dialects.ts';
import { evicting, onOneOf, plainWorld } from '../proposal/underDesign.ts';
import { deployment } from '../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { runOurs, ourNames } from './controllers/ours.ts';
import { cluster, drainOptions, scene, smallScene, START } from './drain/drainScene.ts';
import { contextOf } from './eviction/evictingControlPlane.ts';
import type { Client } from './fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from './fakeControlPlane.ts';
import { lyingServer, type Counted, type Lie } from './lyingServer.ts';

/** The target of a command's writes, as a process of ours. */
interface Process extends Pick<Client, 'openMirror' | 'stopwatch'> {
  server: ApiServer;
  pause: Pause;
  signal: AbortSignal;
}

/** A command on a control plane. */
interface Command {
  plane: FakeControlPlane;
  /** the server itself, if it is not that of the control plane */
  serving?: ApiServer;
  /** one of the objects that it writes */
  one: RegExp;
  touch?: (path: string) => void;
  /** Resolves with the messages: a line for each object, or for the whole. */
  run: (process: Process) => Promise<string[]>;
}

const CLUSTERS = ['member1', 'member2', 'member3'];
const MINUTE = 60_000;
/** Replacements do not become ready, so evictions stay. */
const SLOW = { workloadReadyAfter: 5 * MINUTE };

/** Writes an object as another client, without a relevant change. */
function touching({ edit }: FakeControlPlane): (path: string) => void {
  let edits = 0;
  return (path) =>
    edit(path, (object: KubernetesObject) => {
      const annotations = { ...object.metadata.annotations, edited: String(++edits) };
      return { ...object, metadata: { ...object.metadata, annotations } };
    });
}

function fleet(change: typeof cordon): Command {
  const plane = createFakeControlPlane(
    scene(
      CLUSTERS.map((name) => cluster(name)),
      [],
    ),
    { start: START },
  );
  const taint = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' as const };
  if (change === uncordon) for (const name of CLUSTERS) plane.play({ type: 'taint', cluster: name, taint });
  plane.time.run(START + MINUTE);
  return {
    plane,
    one: /member2/,
    touch: touching(plane),
    async run({ server, pause, signal }) {
      const said: string[] = [];
      try {
        for await (const { cluster: done } of change(server, CLUSTERS, { pause, signal }))
          said.push(`${done.metadata.name} done`);
      } catch (error) {
        said.push((error as Error).message);
      }
      return said;
    },
  };
}

function drain(): Command {
  const plane = createFakeControlPlane(smallScene(3), { start: START });
  return { plane, one: /w0-deployment/, touch: touching(plane), run: drainWith };
}

async function drainWith({ server, ...process }: Process): Promise<string[]> {
  const {
    outcome,
    reason = '',
    workloads,
  } = await executeDrain(server, drainOptions(), {
    configuration: v1_18.defaults,
    ...process,
  });
  const waiting = workloads.flatMap(({ phase, waitingFor }) =>
    phase === 'gone' ? 'done' : (waitingFor ?? []),
  );
  return [`${outcome} ${reason}`, ...waiting];
}

/** Cancels a drain that was stopped after five seconds. */
function cancel(): Command {
  const plane = createFakeControlPlane(smallScene(3), { start: START, members: SLOW });
  return {
    plane,
    one: /w0-deployment/,
    touch: touching(plane),
    async run({ server, pause, signal }) {
      const drained = new AbortController();
      plane.time.plan(START + 5000, () => drained.abort());
      await drainWith({ ...plane.client(), signal: drained.signal });
      await pause(MINUTE);
      const said: string[] = [];
      const {
        outcome,
        reason = '',
        left,
      } = await cancelDrain(server, ['member1'], {
        configuration: v1_18.defaults,
        pause,
        signal,
        onEvent: ({ type }) => void (type === 'cancelled' && said.push('done')),
      });
      return [`${outcome} ${reason}`, ...said, ...left.map((one) => one.reason)];
    },
  };
}

const evictions = (action: EvictionActionName) => (): Command => {
  const plane = createFakeControlPlane(smallScene(3), { start: START, members: SLOW });
  for (const binding of plane.bindings())
    plane.edit<ResourceBinding & KubernetesObject>(pathOf(binding), (one) => ({
      ...one,
      spec: evictCluster(one.spec, 'member1', {
        purgeMode: 'Gracefully',
        producer: 'somebody',
        reason: 'ByHand',
        ...(action === 'release' && { suppressDeletion: true }),
      }),
    }));
  plane.time.run(START + 3000);
  return {
    plane,
    one: /w0-deployment/,
    touch: touching(plane),
    async run({ server, pause, signal }) {
      const said: string[] = [];
      for (const binding of plane.bindings()) {
        if (signal.aborted) break;
        const question = {
          binding: await server.get<ResourceBinding>(pathOf(binding)),
          fromCluster: 'member1',
        };
        const { result, message = '' } = await changeEviction(server, action, question, {
          allowLoss: true,
          dryRun: 'none',
          pause,
          signal,
          context: () => contextOf(plane),
        });
        said.push(result === 'changed' ? 'done' : message);
      }
      return said;
    },
  };
};

function pathOf({ metadata }: ResourceBinding): string {
  return `/apis/work.karmada.io/v1alpha2/namespaces/${metadata.namespace}/resourcebindings/${metadata.name}`;
}

const policies = (change: 'applied' | 'deleted') => (): Command => {
  const plane = createFakeControlPlane(scene([], []), { start: START });
  const stored = ['network', 'power', 'disk'].map((name) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: '7' },
    spec: { taints: [{ key: name, effect: 'NoSchedule' }] },
  }));
  const serving = servingObjects(structuredClone(stored) as KubernetesObject[]);
  const wanted = stored.map(({ metadata: { name }, ...policy }) => ({
    ...policy,
    metadata: { name },
    spec: { taints: [{ key: `${name}-anew`, effect: 'NoSchedule' }] },
  })) as unknown as ClusterTaintPolicy[];
  let edits = 0;
  return {
    plane,
    serving,
    one: /power/,
    touch: (path) =>
      void serving.store.patch(path, { metadata: { annotations: { edited: String(++edits) } } }),
    async run({ server, pause, signal }) {
      const said: string[] = [];
      const given = { applied: change === 'applied' ? wanted : [], deletion: 'deleted' as const };
      const deleted = change === 'deleted' ? (stored as unknown as ClusterTaintPolicy[]) : [];
      try {
        for await (const { name, done, message = '' } of writePolicyChange(
          server,
          { ...given, deleted },
          { fieldManager: 'karmada-failover', force: true, dryRun: false, pause, signal },
        ))
          said.push(done ? `${name} done` : message);
      } catch (error) {
        said.push((error as Error).message);
      }
      return said;
    },
  };
};

/** Three minutes of our controllers on a failed cluster. */
function controllers(): Command {
  const configuration = evicting('1.18');
  const bindings = ['w0', 'w1', 'w2'].map((name) =>
    deployment(name, {
      placement: onOneOf(...CLUSTERS),
      replicas: 1,
      clusters: [{ name: 'member1', replicas: 1 }],
    }),
  );
  const plane = createFakeControlPlane(
    plainWorld(
      CLUSTERS.map((name) => cluster(name)),
      bindings,
    ),
    { start: START, configuration, without: ourNames },
  );
  return {
    plane,
    one: /w0-deployment/,
    touch: touching(plane),
    async run({ server, pause, signal, openMirror }) {
      const said = new Set<string>();
      const stop = new AbortController();
      signal.addEventListener('abort', () => stop.abort());
      plane.time.plan(START + MINUTE, () =>
        plane.play({ type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }),
      );
      plane.time.plan(START + 4 * MINUTE, () => stop.abort());
      const client: Client = { ...plane.client(), server, pause, openMirror };
      await runOurs(client, {
        configuration,
        signal: stop.signal,
        observer: { reconciled: ({ failure }) => void (failure && said.add(failure.message)) },
      });
      const moved = plane
        .bindings()
        .filter(({ spec }) => !spec.clusters?.some(({ name }) => name === 'member1'));
      return [...said, ...moved.map(() => 'done')];
    },
  };
}

interface Bounds {
  make: () => Command;
  /** how many objects it writes */
  objects: number;
  /** how often it retries an object that could not be written */
  rounds: number;
  /** how often it writes an object without errors */
  writes: number;
}

const once = (make: () => Command): Bounds => ({ make, objects: 3, rounds: 1, writes: 1 });
const COMMANDS: Record<string, Bounds> = {
  cordon: once(() => fleet(cordon)),
  uncordon: once(() => fleet(uncordon)),
  // after 10, 30 and 60 seconds
  drain: { make: drain, objects: 3, rounds: 4, writes: 2 },
  'drain --cancel': once(cancel),
  'eviction hold': once(evictions('hold')),
  'eviction release': once(evictions('release')),
  'eviction cancel': once(evictions('cancel')),
  'eviction complete': once(evictions('complete')),
  'taint-policy apply': once(policies('applied')),
  'taint-policy delete': once(policies('deleted')),
  // the taint manager's back-off is limited to ten seconds
  'controller run': { make: controllers, objects: 3, rounds: 30, writes: 3 },
};

/** How often one object is written at most before it is reported, and the message; done: the write succeeded. */
const LIES: Record<Lie, { most: number; said: RegExp | 'done' }> = {
  'returns conflicts': { most: 5, said: /conflict|changed since/ },
  'changes the version at every read': { most: 5, said: /conflict|changed since/ },
  'is overloaded': { most: 2, said: /too many requests/ },
  'sometimes fails': { most: 4, said: 'done' },
  fails: { most: 5, said: /oops/ },
  'ignores writes and loses its responses': { most: 13, said: /socket hang up/ },
  'executes writes and loses its responses': { most: 1, said: 'done' },
  'answers reads from a stale cache': { most: 5, said: /conflict|changed since/ },
  'returns 200 without a change': { most: 1, said: /accepts the change, but the object does not show it/ },
  'never answers writes': { most: 1, said: /stopped before the API server answered/ },
};

interface Played {
  said: string[];
  writes: number[];
  requests: number;
  /** milliseconds from the stop to the end; 0 if it was not stopped */
  ended: number;
}

async function played(make: () => Command, lie: Lie, oneAlone: boolean): Promise<Played> {
  const { plane, serving, one, touch, run } = make();
  const client = plane.client();
  const lying = lyingServer(serving ?? client.server, lie, {
    ...(oneAlone && { about: one }),
    ...(touch && { touch }),
  });
  const stop = new AbortController();
  const { pause, openMirror, stopwatch } = client;
  let stopped: number | undefined;
  if (lie === 'never answers writes')
    plane.time.plan(plane.time.now() + 2 * MINUTE, () => {
      stopped = plane.time.now();
      stop.abort(new Error('SIGINT'));
    });
  const said = await plane.time.until(
    run({ server: lying.server, pause, openMirror, stopwatch, signal: stop.signal }).catch(
      (error: unknown) => [(error as Error).message],
    ),
  );
  const { writes, reads } = lying.counted;
  const sum = (counts: Counted['reads']) => [...counts.values()].reduce((total, count) => total + count, 0);
  return {
    said,
    writes: [...writes.values()],
    requests: sum(writes) + sum(reads),
    ended: stopped === undefined ? 0 : plane.time.now() - stopped,
  };
}

const lies = Object.entries(LIES) as [Lie, (typeof LIES)[Lie]][];

describe.each(Object.entries(COMMANDS))('%s', (name, { make, objects, rounds, writes }) => {
  describe.each(lies)('on a server that %s', (lie, { most, said }) => {
    // server-side apply merges the fields with those of others
    const reports =
      name === 'taint-policy apply' && lie === 'answers reads from a stale cache' ? 'done' : said;
    const done = (lines: readonly string[]) => lines.filter((line) => line.endsWith('done')).length;

    test.each(['for all objects', 'for one object'])('limits requests, given this failure %s', async (to) => {
      const oneAlone = to !== 'for all objects';
      const got = await played(make, lie, oneAlone);
      for (const count of got.writes) expect(count).toBeLessThanOrEqual(most * rounds + writes - 1);
      // in addition to the writes: lists at the start, and for each write its basis and its result
      const sent = got.writes.reduce((sum, count) => sum + count, 0);
      expect(got.requests).toBeLessThanOrEqual(4 * sent + 10 * objects);
      expect(got.ended).toBeLessThan(2000);
      if (reports === 'done') expect(done(got.said)).toBe(objects);
      else {
        expect(got.said.join()).toMatch(reports);
        if (lie === 'never answers writes') return;
        expect(done(got.said)).toBe(oneAlone ? objects - 1 : 0);
      }
    });
  });
});
