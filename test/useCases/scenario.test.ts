import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  makeScenario,
  type ScenarioRequest,
  type RequestedEvent,
} from '../../src/useCases/scenario/makeScenario.ts';
import { simulateFailover } from '../../src/useCases/scenario/simulateFailover.ts';
import { templatesFor } from '../../src/useCases/scenario/runScenario.ts';
import { openState, type OpenedState } from '../../src/useCases/state/openState.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const shop = { source: { files: ['examples/shop'] } };
let state: OpenedState;
beforeAll(async () => {
  state = await openState(shop, quietPorts());
});

const make = (events: RequestedEvent[], more: Partial<ScenarioRequest> = {}, ports = quietPorts()) =>
  makeScenario({ events, ...more }, undefined, state.world, state.now, ports).scenario;

describe('a scenario', () => {
  test('has the requested events in order, at times relative to the start', () => {
    const { start, events } = make([
      { type: 'fail', cluster: 'frankfurt', after: 0 },
      { type: 'recover', cluster: 'frankfurt', after: 60_000 },
    ]);
    expect(start).toBe(state.now);
    expect(events).toEqual([
      { at: start, action: { type: 'fail', cluster: 'frankfurt' } },
      { at: start + 60_000, action: { type: 'recover', cluster: 'frankfurt' } },
    ]);
  });

  test('fails all clusters of a region, and lists the known regions for an unknown one', async () => {
    const region = state.world.clusters.find(({ metadata }) => metadata.name === 'frankfurt')!.spec!.region!;
    const { events } = make([{ type: 'failArea', property: 'region', value: region, after: 0 }]);
    expect(events.map(({ action }) => action)).toContainEqual({ type: 'fail', cluster: 'frankfurt' });
    const wrong: RequestedEvent = { type: 'failArea', property: 'region', value: 'mars', after: 0 };
    expect(await problemOf(() => make([wrong]))).toMatchObject({
      code: 'unknown-area',
      property: 'region',
      value: 'mars',
      known: expect.arrayContaining([region]),
    });
    // an unset variable must not make the clusters fail that have no zone
    for (const property of ['region', 'zone'] as const)
      expect(await problemOf(() => make([{ ...wrong, property, value: '' }]))).toMatchObject({ property });
  });

  test('refuses an unknown cluster with the input that names it', async () => {
    const taint = { key: 'k', effect: 'NoExecute' as const };
    expect(await problemOf(() => make([{ type: 'taint', cluster: 'mars', taint, after: 0 }]))).toMatchObject({
      code: 'unknown-cluster',
      input: 'taint',
    });
  });

  test('refuses an end before its start', async () => {
    const until = { moment: { instant: state.now - 1 }, text: 'yesterday' };
    expect(await problemOf(() => make([], { until }))).toEqual({
      code: 'until-before-start',
      given: 'yesterday',
      source: '',
      start: state.now,
    });
  });

  test('warns of an event without effect', () => {
    const ports = quietPorts();
    make([{ type: 'recover', cluster: 'tokyo', after: 600_000 }], {}, ports);
    expect(ports.warnings).toEqual(['at T+10m tokyo recovers, but has not failed by then: no effect']);
  });

  test('warns of the removal of a missing taint', () => {
    const ports = quietPorts();
    const untaint = (key: string, after: number): RequestedEvent => ({
      type: 'untaint',
      cluster: 'tokyo',
      effect: 'NoSchedule',
      key,
      after,
    });
    const taint: RequestedEvent = {
      type: 'taint',
      cluster: 'tokyo',
      after: 1000,
      taint: { key: 'now', effect: 'NoSchedule' },
    };
    make(
      [
        untaint('maintenance', 0),
        untaint('cluster.karmada.io/not-ready', 0),
        taint,
        untaint('now', 2000),
        untaint('maintenace', 60_000),
      ],
      {},
      ports,
    );
    expect(ports.warnings).toEqual(['at T+1m tokyo has no taint maintenace:NoSchedule to remove: no effect']);
  });
});

describe('a simulation', () => {
  const request = {
    state: shop,
    scenario: { events: [{ type: 'fail', cluster: 'frankfurt', after: 0 } satisfies RequestedEvent] },
    selection: {},
  };

  test('returns only the selected workloads, and reports its progress', async () => {
    const ports = quietPorts();
    const all = await simulateFailover(request, ports);
    const some = await simulateFailover({ ...request, selection: { namespace: 'data' } }, ports);
    const namespaces = some.simulation.workloads.map(({ binding }) => binding.namespace);
    expect(new Set(namespaces)).toEqual(new Set(['data']));
    expect(all.simulation.workloads.length).toBeGreaterThan(namespaces.length);
    expect(ports.reports.length).toBeGreaterThan(0);
  });

  test('lists the assumed time until replicas are ready, and whether it was given', async () => {
    const guessed = await simulateFailover(request, quietPorts());
    expect(guessed.assumptions.at(-1)).toEqual({
      name: 'workloadReadyAfter',
      value: '30s',
      source: 'a guess; give the time until replicas are ready',
      assumed: true,
    });
    const scenario = { ...request.scenario, readyAfter: 5000 };
    const given = await simulateFailover({ ...request, scenario }, quietPorts());
    expect(given.assumptions.at(-1)).toMatchObject({ value: '5s', source: 'given' });
  });

  test('passes its end state to the save function', async () => {
    let end: { clusters: number; time: number } | undefined;
    const save = async (_: OpenedState, world: OpenedState['world'], time: number) =>
      void (end = { clusters: world.clusters.length, time });
    const { simulation } = await simulateFailover({ ...request, save }, quietPorts());
    expect(end).toEqual({ clusters: 5, time: simulation.end });
  });
});

test('a patch of an unknown object is refused with its source', async () => {
  const target = { kind: 'PropagationPolicy', namespace: 'shop', name: 'none' };
  const wish: RequestedEvent = {
    type: 'patch',
    target,
    merge: {},
    after: 0,
    source: 'the file',
    file: 'patch.yaml',
  };
  const request = { state: shop, scenario: { events: [wish] }, selection: {} };
  expect(await problemOf(() => simulateFailover(request, quietPorts()))).toMatchObject({
    code: 'scenario',
    source: 'the file',
    message: expect.stringContaining('none'),
  });
});

describe('the templates needed by a scenario', () => {
  const fails: RequestedEvent = { type: 'fail', cluster: 'frankfurt', after: 0 };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'p' },
    spec: { resourceSelectors: [{ apiVersion: 'batch/v1', kind: 'Job' }], placement: {} },
  };

  test('are empty if no event changes an object', () => {
    expect(templatesFor([fails], undefined)).toBeUndefined();
  });

  test('are those of applied objects, and of objects selected by applied policies', () => {
    const applies: RequestedEvent = {
      type: 'apply',
      objects: [deployment, policy],
      after: 0,
      source: '',
      file: '',
    };
    const kinds = templatesFor([fails, applies], undefined)!.kinds!.map(({ kind }) => kind);
    expect(kinds).toEqual(['Deployment', 'PropagationPolicy', 'Job']);
    const file = {
      assume: {},
      members: {},
      events: [{ at: { after: 0 }, action: { type: 'apply' as const, objects: [deployment] } }],
    };
    expect(templatesFor([], file)!.kinds!.map(({ kind }) => kind)).toEqual(['Deployment']);
  });
});
