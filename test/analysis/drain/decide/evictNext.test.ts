import { describe, expect, test } from '@jest/globals';
import type { RoundGoal } from '../../../../src/analysis/drain/decide/drainRound.ts';
import { closedRun, RUN_KEY, openRun } from '../../../../src/analysis/drain/decide/drainMemory.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../../src/karmada/configuration/configuration.ts';
import { cluster, START } from '../../../simulator/simulation/controlPlane.ts';
import {
  cordonedFor,
  defaults,
  drainer,
  everywhere,
  heldTask,
  onlyOn,
  viewOf,
  workload,
  writesOf,
  aDrain,
  lookOf,
} from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, down, east, fleet, on } from './placedOn.ts';

const web = on('web', 4, { 'east-1': 2, 'west-1': 2 });
const api = on('api', 2, { 'east-1': 2 });
const pinned = on('pinned', 9, { 'east-1': 9 }, { placement: onlyOn('east-1', 'south-1') });

describe('the pace', () => {
  test('sets a requeue for the next due eviction', () => {
    const at = (evictionRate: number) => {
      const options = drainOf(['east-1'], { pace: { ...east.pace, evictionRate } });
      const stage = { clusters: cordonedFor(options, fleet), bindings: [api, web] };
      return drainer(stage, options).step().requeueAt;
    };
    expect(at(0.5)).toBe(START + 2000);
    expect(at(4)).toBe(START + 250);
  });

  test('keeps the drain open for a queued workload', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [api] }, east);
    drain.recalls({ lastEvictionAt: START - 1500 });
    expect(drain.step()).toMatchObject({
      writes: [],
      finished: false,
      requeueAt: START + 500,
      workloads: [{ phase: 'queued' }],
    });
  });

  test('while paused evicts nothing, even with a possible placement, and waits for the clusters', () => {
    const faulty = ['east-1', 'east-2', 'west-2'].reduce(
      (clusters, name) => changed(clusters, name, down),
      cordonedEast,
    );
    const bound = on('api', 2, { 'east-1': 2 }, { placement: onlyOn('east-1', 'west-1') });
    const drain = drainer({ clusters: faulty, bindings: [bound] }, east);
    const paused = drain.step();
    expect(paused).toMatchObject({ writes: [], finished: false, pace: { mode: 'paused' } });
    expect(paused.requeueAt).toBeUndefined();
    expect(workload(paused, 'api')).toMatchObject({ phase: 'queued' });
    drain.stage = { ...drain.stage, clusters: cordonedEast };
    expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
  });

  test('while paused does not keep a drain with nothing to evict open', () => {
    const faulty = ['east-1', 'east-2', 'west-2'].reduce(
      (clusters, name) => changed(clusters, name, down),
      cordonedEast,
    );
    const step = drainer({ clusters: faulty, bindings: [on('web', 4, { 'west-1': 4 })] }, east).step();
    expect(step).toMatchObject({ pace: { mode: 'paused' }, writes: [], finished: true });
  });

  test('sets no requeue for an eviction while the limit in flight is reached', () => {
    const one = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 1 } });
    const drain = drainer({ clusters: cordonedFor(one, fleet), bindings: [api, web] }, one);
    drain.step(START);
    drain.stage = { ...drain.stage, bindings: drain.stage.bindings.map(withStamp) };
    const full = drain.step(START + 5000);
    expect(full).toMatchObject({ writes: [], finished: false });
    // Only the scheduler's silence matters here.
    expect(full.requeueAt).toBe(START + 35_000);
  });

  const withStamp = (binding: ResourceBinding): ResourceBinding => ({
    ...binding,
    spec: {
      ...binding.spec,
      ...(binding.spec.gracefulEvictionTasks ? { gracefulEvictionTasks: [heldTask('east-1')] } : {}),
    },
  });
});

describe('the queue', () => {
  test('retries a skipped workload after all others, even once it has a possible placement', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [pinned, api, web] }, east);
    expect(writesOf(drain.step(START))).toEqual(['evict api from east-1']);
    drain.stage = { ...drain.stage, clusters: [...cordonedEast, cluster('south-1')] };
    expect(writesOf(drain.step(START + 2000))).toEqual(['evict web from east-1']);
    expect(writesOf(drain.step(START + 4000))).toEqual(['evict pinned from east-1']);
  });

  test('shows the planned placement of the next workload only, and why another one is skipped', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [pinned, api, web] }, east);
    drain.recalls({ lastEvictionAt: START });
    const step = drain.step(START);
    expect(workload(step, 'pinned')).toMatchObject({
      phase: 'skipped',
      waitingFor: expect.stringMatching(/^0\/4 clusters are available/),
      evidence: [{ field: 'spec.placement' }],
    });
    const first = workload(step, 'api')!;
    expect(first).toMatchObject({
      phase: 'queued',
      from: [{ name: 'east-1', replicas: 2 }],
      to: [],
      evidence: [{ rule: expect.stringMatching(/^the scheduler would place it on /) }],
    });
    expect(first).not.toHaveProperty('waitingFor');
    expect(workload(step, 'web')).toMatchObject({
      phase: 'queued',
      from: [{ name: 'east-1', replicas: 2 }],
      to: [{ name: 'west-1', replicas: 2 }],
      evidence: [],
    });
  });

  test('reports a restored workload without a possible placement as stuck', () => {
    const raced = on(
      'web',
      9,
      { 'east-1': 9 },
      {
        placement: onlyOn('east-1'),
        gracefulEvictionTasks: [heldTask('east-1')],
      },
    );
    const step = drainer({ clusters: cordonedEast, bindings: [raced] }, east).step();
    expect(step.writes).toEqual([]);
    expect(workload(step, 'web')).toMatchObject({
      phase: 'stuck',
      waitingFor: expect.stringMatching(/^0\/4 clusters are available/),
    });
  });
});

describe('the check of a binding', () => {
  const withAffinity: Configuration = {
    ...defaults,
    featureGates: { ...defaults.featureGates, WorkloadAffinity: true },
  };
  /** Looks at the queued workloads. */
  const waiting = (configuration = defaults, binding = api) => {
    const drain = drainer({ clusters: cordonedEast, bindings: [binding] }, east, configuration);
    drain.recalls({ lastEvictionAt: START });
    return { drain, known: () => drain.drain.cached.checks.get(drain.stage.bindings[0]!)?.check };
  };

  test('is reused until the binding or a relevant part of a cluster changes', () => {
    const { drain, known } = waiting();
    drain.step(START);
    const first = known();
    expect(first).toMatchObject({ verdict: 'evict' });
    drain.step(START + 1);
    expect(known()).toBe(first);
    drain.stage = { ...drain.stage, clusters: structuredClone(drain.stage.clusters) };
    drain.step(START + 2);
    expect(known()).toBe(first);
    drain.stage = { ...drain.stage, clusters: changed(drain.stage.clusters, 'west-1', down) };
    drain.step(START + 3);
    expect(known()).toMatchObject({
      verdict: 'blocked',
      reason: 'it would move to west-1, which is not Ready',
    });
    drain.stage = { ...drain.stage, bindings: [{ ...api }] };
    expect(known()).toBeUndefined();
    drain.step(START + 4);
    expect(known()).toBeDefined();
  });

  test('provides the exact spec that the next reconcile writes', () => {
    const { drain, known } = waiting();
    drain.step(START);
    const first = known();
    const [write] = drain.step(START + 2000).writes;
    expect(first?.verdict === 'evict' && first.spec).toBe(write?.kind === 'Binding' && write.object.spec);
  });

  test('is not reused if other bindings affect it', () => {
    const { drain, known } = waiting(withAffinity);
    drain.step(START);
    expect(known()).toBeUndefined();
    expect(writesOf(drain.step(START + 2000))).toEqual(['evict api from east-1']);
  });

  test('notices the deletion of a rival if bindings have anti-affinity', () => {
    const apart = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      spec: { ...binding.spec, workloadAffinityGroups: { antiAffinityGroup: 'apart' } },
    });
    const binding = apart(on('api', 2, { 'east-1': 2 }, { placement: onlyOn('east-1', 'west-1') }));
    const rival = apart(on('rival', 2, { 'west-1': 2 }, { placement: onlyOn('west-1') }));
    const drain = aDrain(east, withAffinity);
    const round = (bindings: ResourceBinding[]) =>
      lookOf(drain, viewOf({ clusters: [...cordonedEast], bindings }, withAffinity));
    expect(round([binding, rival])).toMatchObject({ writes: [], finished: true, nothingGoes: true });
    expect(writesOf(round([binding]))).toEqual(['evict api from east-1']);
  });
});

describe('a reconcile of single bindings', () => {
  const some: RoundGoal = { evicts: true };
  const having = (lastEvictionAt: number | undefined) =>
    new Map(
      lastEvictionAt === undefined
        ? []
        : [[RUN_KEY, { course: { ...closedRun(openRun()), lastEvictionAt } }] as const],
    );
  const round = (bindings: ResourceBinding[], lastEvictionAt?: number) =>
    lookOf(aDrain(east), viewOf({ clusters: cordonedEast, bindings }), {
      aim: some,
      remembered: having(lastEvictionAt),
    });

  test('reports whether any of these bindings can be evicted', () => {
    expect(round([])).toMatchObject({ nothingGoes: true });
    expect(round([pinned])).toMatchObject({ nothingGoes: true, writes: [] });
    expect(round([pinned, api])).toMatchObject({ nothingGoes: false });
    expect(round([api], START)).toMatchObject({ nothingGoes: false, writes: [] });
  });

  test('reports the time of the next eviction if only the pace delays it', () => {
    const next = (bindings: ResourceBinding[], options = east, lastEvictionAt?: number) => {
      const view = viewOf({ clusters: cordonedFor(options, fleet), bindings });
      return lookOf(aDrain(options), view, { aim: some, remembered: having(lastEvictionAt) });
    };
    // One is evicted now, and the next one two seconds later.
    expect(next([api, web])).toMatchObject({ nextEvictionAt: START + 2000 });
    expect(next([api], east, START - 500)).toMatchObject({ writes: [], nextEvictionAt: START + 1500 });
    // Its dependency is held first, which takes no turn.
    const parent = on('web', 2, { 'east-1': 2 }, { propagateDeps: true });
    const { placement: _none, ...needed } = on('config', 0, {}).spec;
    const requiredBy = [{ namespace: 'shop', name: parent.metadata.name, clusters: parent.spec.clusters! }];
    const config = { ...on('config', 0, { 'east-1': 0 }), spec: { ...needed, requiredBy } };
    const view = viewOf({
      clusters: cordonedEast,
      bindings: [parent, config],
      works: { config: { 'east-1': {} } },
    });
    const held = lookOf(aDrain(east), view, { aim: some });
    expect(writesOf(held)).toEqual(['hold-dependent config from east-1']);
    expect(held).toMatchObject({ nextEvictionAt: START });
    // Nothing can be placed, or the limit in flight is reached: time changes nothing.
    expect(next([pinned]).nextEvictionAt).toBeUndefined();
    const one = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 1 } });
    const underway = on('old', 2, { 'west-1': 2 }, { gracefulEvictionTasks: [heldTask('east-1')] });
    expect(next([underway, api], one).nextEvictionAt).toBeUndefined();
  });

  test('reports no workloads if it covers only some bindings', () => {
    const settings = on(
      'settings',
      0,
      { 'west-1': 0 },
      {
        placement: everywhere,
        gracefulEvictionTasks: [heldTask('east-1')],
      },
    );
    const step = round([api, web, settings]);
    expect(step.workloads).toEqual([]);
    expect(writesOf(step)).toContain('evict api from east-1');
  });

  test('reports deleted workloads only if it covers all bindings', () => {
    const old = on('old', 4, { 'west-1': 4 }, { gracefulEvictionTasks: [heldTask('east-1')] });
    const { leavers } = round([old]);
    const remembered = new Map([...leavers].map(([key, leaver]) => [key, { leaver }] as const));
    const none = viewOf({ clusters: cordonedEast, bindings: [] });
    expect(lookOf(aDrain(east), none, { aim: some, remembered }).workloads).toEqual([]);
    expect(lookOf(aDrain(east), none, { remembered }).workloads).toEqual([
      {
        binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'old-deployment' },
        workload: { kind: 'Deployment', namespace: 'shop', name: 'old' },
        phase: 'gone',
        from: [{ name: 'east-1', replicas: 2 }],
        to: [],
        evidence: [],
      },
    ]);
  });

  test('requests no requeue if nothing is pending', () => {
    expect(round([]).requeueAt).toBeUndefined();
    expect(round([]).stopped).toBeUndefined();
  });
});
