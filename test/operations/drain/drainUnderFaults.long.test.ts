import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isCordoned } from '../../../src/analysis/drain/cordon.ts';
import type { DrainResult } from '../../../src/analysis/drain/decide/drainStep.ts';
import { DRAIN_ANNOTATION, type DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import type { World } from '../../../src/karmada/world.ts';
import { v1_18 } from '../../dialects.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import type { Client } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { cluster, drainOptions, scene, smallScene, START, workload } from './drainScene.ts';
import { clientWith, mishaps, type Mishaps } from './faults.ts';

const RUNS = Number(process.env['FAULT_RUNS'] ?? 30);

function execute(client: Client, options: DrainOptions): Promise<DrainResult> {
  return executeDrain(client.server, options, {
    configuration: v1_18.defaults,
    openMirror: client.openMirror,
    pause: client.pause,
    stopwatch: client.stopwatch,
  });
}

/** One process after another, each until it is killed or done; the last one is not killed. */
async function drainThrough(
  plane: FakeControlPlane,
  options: DrainOptions,
  processes: readonly Mishaps[],
): Promise<DrainResult> {
  for (const mishap of processes) {
    const client = plane.client(clientWith(mishap, plane.time.now()));
    const ended = await Promise.race([execute(client, options), client.killed]);
    if (ended) return ended;
  }
  return execute(plane.client(), options);
}

/** A writer that annotates bindings all the time. */
function annotate(plane: FakeControlPlane, seconds: readonly number[]): void {
  seconds.forEach((second, at) =>
    plane.time.plan(START + second * 1000, () => {
      const { namespace, name } = plane.bindings()[at % plane.bindings().length]!.metadata;
      plane.edit(
        `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/${name}`,
        (object) => ({
          ...object,
          metadata: {
            ...object.metadata,
            annotations: { ...object.metadata.annotations, [`person/note-${at}`]: String(second) },
          },
        }),
      );
    }),
  );
}

function expectDrained(plane: FakeControlPlane, clusters: readonly string[], notes: readonly number[]): void {
  const started = plane.history.readyAtStart;
  for (const { metadata, spec } of plane.bindings()) {
    expect(spec.gracefulEvictionTasks ?? []).toEqual([]);
    expect((spec.clusters ?? []).map(({ name }) => name).filter((name) => clusters.includes(name))).toEqual(
      [],
    );
    expect((spec.clusters ?? []).reduce((sum, { replicas }) => sum + (replicas ?? 0), 0)).toBe(spec.replicas);
    expect(plane.history.leastReady.get(metadata.name)).toBeGreaterThanOrEqual(started.get(metadata.name)!);
  }
  for (const { metadata } of plane.works())
    expect(clusters.map((name) => `karmada-es-${name}`)).not.toContain(metadata.namespace);
  // none twice, and none unnecessarily
  const evicted = plane.history.evictions;
  expect(new Set(evicted).size).toBe(evicted.length);
  const written = plane.bindings().flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
  expect(written.filter((key) => key.startsWith('person/')).length).toBe(notes.length);
  for (const { metadata, ...rest } of plane.clusters()) {
    expect(isCordoned({ metadata, ...rest })).toBe(clusters.includes(metadata.name));
    expect(metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
  }
}

/** The final placement is determined here: there is one other cluster. */
function twoClusters(): World {
  const bindings = [3, 1, 4, 2].map((replicas, at) =>
    workload(`w${at}`, [
      { name: 'member1', replicas },
      ...(at % 2 === 0 ? [] : [{ name: 'member2', replicas: at }]),
    ]),
  );
  return scene([cluster('member1'), cluster('member2')], bindings);
}

const placements = (plane: FakeControlPlane) =>
  plane.bindings().map(({ metadata, spec }) => [metadata.name, spec.clusters]);

describe('given API errors and killed processes', () => {
  test('a drain ends in the same state, without repeated evictions or downtime', async () => {
    const unharmed = createFakeControlPlane(twoClusters(), { start: START });
    const end = await unharmed.time.until(drainThrough(unharmed, drainOptions(), []));
    expect(end.outcome).toBe('done');
    expectDrained(unharmed, ['member1'], []);
    await fc.assert(
      fc.asyncProperty(
        fc.array(mishaps(true), { maxLength: 4 }),
        mishaps(false),
        fc.array(fc.nat(60), { maxLength: 8 }),
        async (mortal, last, notes) => {
          const plane = createFakeControlPlane(twoClusters(), { start: START });
          annotate(plane, notes);
          const result = await plane.time.until(drainThrough(plane, drainOptions(), [...mortal, last]));
          await plane.time.until(plane.client().pause(120_000));
          expect(result).toMatchObject({ outcome: 'done' });
          expectDrained(plane, ['member1'], notes);
          expect(placements(plane)).toEqual(placements(unharmed));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('two concurrent drains of different clusters succeed', async () => {
    await fc.assert(
      fc.asyncProperty(mishaps(true), mishaps(true), mishaps(false), async (a, b, c) => {
        const world = smallScene(5);
        const plane = createFakeControlPlane(
          { ...world, clusters: [...world.clusters, cluster('member4')] },
          { start: START },
        );
        const results = await plane.time.until(
          Promise.all([
            drainThrough(plane, drainOptions({ clusters: ['member1'] }), [a, c]),
            drainThrough(plane, drainOptions({ clusters: ['member2'] }), [b]),
          ]),
        );
        for (const { outcome } of results) expect(outcome).toBe('done');
        await plane.time.until(plane.client().pause(120_000));
        expectDrained(plane, ['member1', 'member2'], []);
      }),
      { numRuns: RUNS },
    );
  });

  test('two concurrent drains of the same cluster succeed', async () => {
    await fc.assert(
      fc.asyncProperty(mishaps(true), mishaps(true), mishaps(false), async (a, b, c) => {
        const plane = createFakeControlPlane(smallScene(5), { start: START });
        const results = await plane.time.until(
          Promise.all([
            drainThrough(plane, drainOptions(), [a, c]),
            drainThrough(plane, drainOptions(), [b]),
          ]),
        );
        for (const { outcome } of results) expect(outcome).toBe('done');
        await plane.time.until(plane.client().pause(120_000));
        expectDrained(plane, ['member1'], []);
      }),
      { numRuns: RUNS },
    );
  });
});
