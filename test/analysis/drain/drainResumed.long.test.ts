import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDrainController } from '../../../src/analysis/drain/drainController.ts';
import { RUN_KEY, type DrainMemory } from '../../../src/analysis/drain/decide/drainMemory.ts';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import type { ReconcileRequest, NamedController } from '../../../src/karmada/controllers/controller.ts';
import type { Change } from '../../../src/karmada/controllers/write.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { karmadaControllers } from '../../../src/karmada/running/karmadaControllers.ts';
import { savedWorld, setStage } from '../../../src/simulator/simulation/stage.ts';
import type { ResumableWorld } from '../../../src/simulator/store/savedSimulation.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime } from '../../../src/simulator/virtualTime/virtualTime.ts';
import { type FaultyHost, faultyHost } from '../../operations/controllers/faultyHost.ts';
import { START, world } from '../../simulator/simulation/controlPlane.ts';
import { cordonedFor, defaults, heldTask, viewOf, type Stage } from './aDrain.ts';
import { drainOf } from './drainOf.ts';
import { options, stages } from './drainWorlds.ts';
import { cordonedEast, east, fleet, on } from './decide/placedOn.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const MINUTE = 60_000;
const throughJson = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;
const at = (instant: number) => new Date(instant).toISOString().replace(/\.\d+Z/, 'Z');

/** A binding that a drain of east-1 has evicted at an instant. */
function evicted(name: string, since: number, status: ResourceBinding['status'] = {}): ResourceBinding {
  const task = heldTask('east-1', { creationTimestamp: at(since) });
  const one = on(name, 2, { 'west-1': 2 }, { gracefulEvictionTasks: [task] });
  return {
    ...one,
    metadata: { ...one.metadata, generation: 5 },
    status: { ...one.status, schedulerObservedGeneration: 5, ...status },
  };
}
/** The same, with a spec that the scheduler has not processed. */
const unanswered = (name: string, since: number, lastScheduledTime?: number) =>
  evicted(name, since, {
    schedulerObservedGeneration: 4,
    ...(lastScheduledTime === undefined ? {} : { lastScheduledTime: at(lastScheduledTime) }),
  });
const placed = (name: string, when: number) => {
  const one = on(name, 2, { 'west-1': 2 });
  return { ...one, status: { ...one.status, lastScheduledTime: at(when) } };
};
const api = on('api', 2, { 'east-1': 2 });

/**
 * When a newly started process evicts the first binding, in milliseconds from its start, with each driver; nothing else
 * writes.
 */
async function firstEviction(
  bindings: ResourceBinding[],
  until = 10 * MINUTE,
): Promise<(number | undefined)[]> {
  const state = { ...world([...cordonedEast], bindings), taintPolicies: [] };
  const starting = createStartingWorld(state, defaults, { start: START, members });
  const evictedAt = new Map<string, number>();
  const watch = (driver: string, now: () => number) => (change: Change) => {
    if (change.kind !== 'Binding' || evictedAt.has(driver)) return;
    const left = (one: ResourceBinding | undefined) =>
      one?.spec.clusters?.some(({ name }) => name === 'east-1');
    if (left(change.before) && !left(change.after)) evictedAt.set(driver, now() - START);
  };
  const drain = () => createDrainController({ options: east, configuration: defaults });

  const time = createVirtualTime(starting, {
    controllers: [drain()],
    ordering: canonicalOrdering,
    explained: false,
  });
  time.follow(({ changes }) => changes.forEach(watch('virtual', () => time.now())));
  time.run(START + until);

  const host = faultyHost(starting, () => undefined);
  host.subscribe(watch('live', () => host.now()));
  const stop = new AbortController();
  const run = runControllers([drain()], host, { signal: stop.signal });
  await host.runUntil(START + until);
  stop.abort();
  await run;
  // a write and its watch event take 15 ms on the live driver
  const live = evictedAt.get('live');
  return [evictedAt.get('virtual'), live === undefined ? undefined : live - 15];
}

describe('a process that resumes a stopped drain', () => {
  test('keeps the pace since the newest eviction task', async () => {
    expect(await firstEviction([api])).toEqual([0, 0]);
    expect(await firstEviction([evicted('web', START - 1000), api])).toEqual([1000, 1000]);
    expect(await firstEviction([evicted('web', START - 5000), api])).toEqual([0, 0]);
    const two = [evicted('db', START - 4000), evicted('web', START - 1000), api];
    expect(await firstEviction(two)).toEqual([1000, 1000]);
  });

  test('does not wait for an eviction task with a timestamp in the future', async () => {
    expect(await firstEviction([evicted('web', START + MINUTE), api])).toEqual([0, 0]);
  });

  test('evicts nothing while the scheduler has not answered an eviction of the stopped process', async () => {
    expect(await firstEviction([unanswered('web', START - 40_000), api])).toEqual([undefined, undefined]);
  });

  test('pauses when the scheduler has been silent for too long, counted from before its start', async () => {
    const slow = drainOf(['east-1'], { pace: { ...east.pace, evictionRate: 0.04 } });
    const drain = createDrainController({ options: slow, configuration: defaults });
    const silent = unanswered('web', START - 10_000);
    const view = viewOf({ clusters: cordonedFor(slow, fleet), bindings: [silent, api] });
    const look = (now: number): ReconcileRequest<DrainMemory> => ({
      key: RUN_KEY,
      view,
      memory: undefined,
      recall: () => undefined,
      configuration: defaults,
      now,
      evidence: undefined,
    });
    drain.begins({ view, recall: undefined, now: START });
    expect(drain.reconcile(look(START)).requeue).toEqual({ after: 15_000 });
    expect(drain.reconcile(look(START + 15_000)).writes).toHaveLength(1);
  });

  test('does not pause if the scheduler has since placed this or another binding', async () => {
    const waits = unanswered('web', START - 40_000);
    expect(await firstEviction([waits, placed('other', START - 5000), api])).toEqual([0, 0]);
    expect(await firstEviction([waits, placed('other', START - 39_000), api])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await firstEviction([waits, placed('other', START + MINUTE), api])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await firstEviction([unanswered('web', START - 400_000, START - 390_000), api])).toEqual([0, 0]);
  });

  test("uses its saved memory of the scheduler's answers for deleted bindings", () => {
    const waits = unanswered('web', START - 40_000);
    const view = viewOf({ clusters: cordonedEast, bindings: [waits, api] });
    const leaver = {
      binding: { kind: 'ResourceBinding', name: 'x' },
      workload: { kind: 'Deployment', name: 'x' },
      from: [],
      certain: true,
    };
    const course = { evictions: ['shop/gone'], skipped: [], cordoned: ['east-1'], tainted: [], named: [] };
    const memory = (answered?: number) =>
      new Map<string, DrainMemory>([
        [RUN_KEY, { course }],
        [bindingKey(waits), { leaver: { ...leaver, unanswered: START - 40_000 } }],
        ['shop/gone', { leaver: { ...leaver, ...(answered === undefined ? {} : { answered }) } }],
      ]);
    const writes = (remembered: Map<string, DrainMemory>) => {
      const recall = (key: string) => remembered.get(key);
      const one = createDrainController({ options: east, configuration: defaults });
      one.begins({ view, recall, now: START });
      return one.reconcile({
        key: RUN_KEY,
        view,
        memory: recall(RUN_KEY),
        recall,
        configuration: defaults,
        now: START,
        evidence: undefined,
      }).writes;
    };
    expect(writes(memory(START - 3000))).toHaveLength(1);
    expect(writes(memory())).toEqual([]);
  });
});

/** "12.1 shop/web-deployment {…}": what a drain writes, in order. */
type Writes = string[];
const textOf = ({ key, after }: Change) =>
  `${key} ${JSON.stringify((after as ResourceBinding | undefined)?.spec)}`;

/** A drain in virtual time; at each of the stops the world is saved as JSON, and another process continues with it. */
function inVirtualTime(stage: Stage, drained: DrainOptions, stops: readonly number[]): Writes {
  const writes: Writes = [];
  let from: ResumableWorld = { ...world([...stage.clusters], [...stage.bindings]), taintPolicies: [] };
  let start = START;
  for (const until of [...stops, START + 60 * MINUTE]) {
    const leg = { start, until, members, events: [] };
    const drain = createDrainController({ options: drained, configuration: defaults });
    const set = setStage(createStartingWorld(from, defaults, leg), leg, { beside: [drain] });
    set.time.follow(({ by, time, changes }) => {
      if (by === drain.name) for (const change of changes) writes.push(`${time - START} ${textOf(change)}`);
    });
    set.time.run(until);
    from = throughJson(savedWorld(set, leg, until));
    start = until;
  }
  return writes;
}

/** Another controller stamps tasks, before or after the drain's next write. */
const unstamped = (field: string, value: unknown) => (field === 'creationTimestamp' ? undefined : value);

/** Lets time pass until a stopped process has ended: pending writes complete first. */
async function settled(run: Promise<unknown>, host: FaultyHost): Promise<void> {
  let isOver = false;
  const over = run.finally(() => (isOver = true));
  for (let steps = 0; !isOver && steps < 1000; steps++) await host.runUntil(host.now() + 30);
  if (!isOver) throw new Error('a process does not end 30 s after it was stopped');
  await over;
}

/** A drain on an API; at each of the stops its process ends, and another continues with its memory, as JSON. */
async function onAnApi(stage: Stage, drained: DrainOptions, stops: readonly number[]): Promise<Writes> {
  const writes: Writes = [];
  const state = { ...world([...stage.clusters], [...stage.bindings]), taintPolicies: [] };
  const starting = createStartingWorld(state, defaults, { start: START, members });
  const host = faultyHost(starting, () => undefined);
  const ended = new AbortController();
  const beside = runControllers(karmadaControllers(members), host, { signal: ended.signal });
  let remembered: Record<string, Map<string, unknown>> = {};
  for (const until of [...stops, START + 4 * MINUTE]) {
    const stop = new AbortController();
    const drain: NamedController = createDrainController({ options: drained, configuration: defaults });
    const { api } = host;
    const noting: typeof api = {
      async write(write, by) {
        const written = await api.write(write, by);
        if (written.result === 'written')
          writes.push(
            `${write.key} ${JSON.stringify('object' in write ? (write.object as ResourceBinding).spec : {}, unstamped)}`,
          );
        return written;
      },
    };
    const run = runControllers(
      [drain],
      { ...host, now: () => host.now(), api: noting },
      { signal: stop.signal, remembered },
    );
    await host.runUntil(Math.max(until, host.now()));
    stop.abort();
    await settled(run, host);
    remembered = Object.fromEntries(
      Object.entries(remembered).map(([name, keys]) => [name, new Map(throughJson([...keys]))]),
    );
  }
  ended.abort();
  await Promise.all([beside, host.runUntil(START + 5 * MINUTE)]);
  return writes;
}

const stopsAt = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 90_000 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((times) => times.toSorted((a, b) => a - b).map((time) => START + time));

describe('a drain that is saved midway and resumed by another process', () => {
  test('makes the same writes at the same instants in virtual time', () => {
    let written = 0;
    fc.assert(
      fc.property(stages, options, stopsAt, (stage, drained, stops) => {
        const whole = inVirtualTime(stage, drained, []);
        written += whole.length;
        expect(inVirtualTime(stage, drained, stops)).toEqual(whole);
      }),
      { numRuns: 60 },
    );
    expect(written).toBeGreaterThan(60);
  });

  test('makes the same writes in the same order on an API', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(stages, options, stopsAt, async (stage, drained, stops) => {
        const whole = await onAnApi(stage, drained, []);
        written += whole.length;
        expect(await onAnApi(stage, drained, stops)).toEqual(whole);
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(written).toBeGreaterThan(0);
  });
});
