import { expect, jest, test } from '@jest/globals';
import type { Controller } from '../../../src/karmada/controllers/controller.ts';
import type { ControllerFacts, ControllerName } from '../../../src/karmada/controllers/karmada.ts';
import type { WriteOf } from '../../../src/karmada/controllers/write.ts';
import { cluster, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { faultyHost } from '../../operations/controllers/faultyHost.ts';

/** A controller that no release has: it keeps a taint on every cluster, and remembers when it last looked. */
const NAME = 'quarantine';
const TAINT = { key: 'quarantine', effect: 'NoSchedule' } as const;

/** Its entry. */
const facts: ControllerFacts = {
  process: 'karmada-controller-manager',
  list: 'remedy',
  runs: 'always',
  reaction: 500,
  keys: 'Cluster',
  memory: { fields: { lookedAt: 'time' } },
  queue: 'workers',
  partOf: null,
  respecs: null,
  producers: [],
  events: { sources: ['quarantine-controller', 'quarantine-controller'], reasons: ['TaintClusterSucceed'] },
  live: {
    job: NAME,
    reads: { bindings: false, taintPolicies: false, interpreters: false },
    fields: [],
    taintEffects: false,
    writes: 'taints',
    idle: () => undefined,
    karmadas: { name: 'remedy', off: '--controllers=*,-remedy' },
  },
};

/** Nothing would show that Karmada does the same: it would never be allowed to run. */
// @ts-expect-error: `live` requires an entry of --controllers
({ ...facts, list: null }) satisfies ControllerFacts;

/** Its module. */
const controller: Controller<{ lookedAt: number }> = {
  wakes: { Cluster: ({ key }) => [{ key }] },
  *resumes(view) {
    for (const { metadata } of view.all('Cluster')) yield { key: metadata.name };
  },
  reconcile({ key, view, now }) {
    const base = view.get('Cluster', key);
    const taints = base?.spec?.taints ?? [];
    const memory = { lookedAt: now };
    if (!base || taints.some((one) => one.key === TAINT.key)) return { memory };
    const object = { ...base, spec: { ...base.spec, taints: [...taints, TAINT] } };
    const write: WriteOf<'Cluster'> = {
      verb: 'update',
      kind: 'Cluster',
      key,
      part: 'object',
      lock: true,
      base,
      object,
    };
    return { writes: [write], memory };
  },
};

const path = '../../../src/karmada';
const table = await import('../../../src/karmada/controllers/karmada.ts');
jest.unstable_mockModule(`${path}/controllers/karmada.ts`, () => ({
  ...table,
  karmada: { ...table.karmada, [NAME]: facts },
}));
const modules = await import('../../../src/karmada/running/controllers.ts');
jest.unstable_mockModule(`${path}/running/controllers.ts`, () => ({
  CONTROLLERS: { ...modules.CONTROLLERS, [NAME]: controller },
}));
jest.resetModules();

const { controllersFor } = await import('../../../src/karmada/running/karmadaControllers.ts');
const { eventSource, factsOf, jobs } = await import('../../../src/karmada/controllers/registry.ts');
const { readSavedSimulation } = await import('../../../src/state/savedSimulation/savedSimulation.ts');
const { createStartingWorld } = await import('../../../src/simulator/store/startingWorld.ts');
const { setStage } = await import('../../../src/simulator/simulation/stage.ts');
const { runControllers } = await import('../../../src/operations/controllers/runControllers.ts');
const { settingFlags } = await import('../../../src/cli/controller/runFlags.ts');

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const start = () =>
  createStartingWorld(world([cluster('east-1'), cluster('west-1')], []), failoverOn, {
    start: START,
    members,
  });
const job = NAME as unknown as (typeof jobs)[number];

test('a new controller runs in the simulation, and the timeline names it', () => {
  const stage = setStage(start(), { start: START, events: [], members, until: START + 60_000 });
  stage.play();
  const own = stage.events.filter((event) => event.controller === NAME);
  expect(own.map(({ type, cluster: of }) => `${type} ${of}`)).toEqual([
    'TaintAdded east-1',
    'TaintAdded west-1',
  ]);
  expect(own[0]!.time).toBe(START + 500);
  // its memory is saved in the format of its entry
  const { memories } = stage.time.save(START + 60_000);
  expect(Object.keys(memories[NAME] ?? {})).toEqual(['east-1', 'west-1']);
  expect(factsOf(NAME as ControllerName).memory).toEqual(facts.memory);
  const saved = { queues: { ...stage.time.save(START + 60_000), memories: { [NAME]: { 'east-1': {} } } } };
  expect(readSavedSimulation({ members: {}, copies: {}, ...saved })).toEqual({
    problem: `simulation.queues.memories.${NAME}["east-1"].lookedAt: nothing is not a time`,
  });
});

test('a new controller runs on a live control plane and has its own Event source', async () => {
  const host = faultyHost(start(), () => undefined);
  const stop = new AbortController();
  const run = runControllers(controllersFor([job]), host, { signal: stop.signal, begins: 'fresh' });
  await host.runUntil(START + 10_000);
  stop.abort();
  await Promise.all([run, host.runUntil(START + 11_000)]);
  for (const { spec } of host.view.all('Cluster')) expect(spec?.taints).toMatchObject([TAINT]);
  expect(eventSource(NAME, 'TaintClusterSucceed', true)).toBe('quarantine-controller');
});

test('controller run --help lists a new controller', () => {
  expect(jobs).toContain(NAME);
  expect(settingFlags.controllers.summary).toContain(`application-failover, ${NAME}; default: *`);
});
