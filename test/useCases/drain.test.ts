import { beforeAll, describe, expect, test } from '@jest/globals';
import { planDrain } from '../../src/analysis/drain/plan/planDrain.ts';
import type { World } from '../../src/karmada/world.ts';
import { makePlan, reasonsAgainst, type MadePlan } from '../../src/useCases/drain/makePlan.ts';
import { openForReturn, planReturn } from '../../src/useCases/drain/planReturn.ts';
import { openState, type OpenedState } from '../../src/useCases/state/openState.ts';
import { drainOf } from '../analysis/drain/drainOf.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const shop = { source: { files: ['examples/shop'] } };
let state: OpenedState;
let ofFrankfurt: MadePlan;
beforeAll(async () => {
  state = await openState(shop, quietPorts());
  ofFrankfurt = plan();
});

const plan = (clusters = ['frankfurt'], changes: Parameters<typeof drainOf>[1] = {}) =>
  makePlan({ options: drainOf(clusters, changes) }, state, quietPorts());

describe('a drain plan', () => {
  test('lists the outcome of each workload on the cluster, and the objects that decide it', () => {
    const made = ofFrankfurt;
    const fates = Object.fromEntries(made.plan.workloads.map(({ name, fate }) => [name, fate]));
    expect(fates).toMatchObject({ checkout: 'moves', archive: 'leaves', ledger: 'blocked' });
    expect(made.plan.now).toBe(state.now);
    expect(made.basis.clusters.map(({ object }) => object.name)).toContain('frankfurt');
    expect(made.drift).toEqual([]);
  });

  test('is refused for its risks, unless they are accepted', () => {
    const { refused } = reasonsAgainst(ofFrankfurt);
    expect(refused.map(({ risk }) => risk)).toEqual(['blocked']);
    const accept = { ...drainOf([]).accept, blocked: true };
    expect(reasonsAgainst(plan(['frankfurt'], { accept }))).toEqual({ refused: [], drift: [] });
  });

  test('assumes a time until replicas are ready, and reports whether it was given', () => {
    expect(ofFrankfurt.assumptions.at(-1)).toMatchObject({
      name: 'workloadReadyAfter',
      value: '30s',
      assumed: true,
    });
    const given = makePlan({ options: drainOf(['frankfurt']), readyAfter: 90_000 }, state, quietPorts());
    expect(given.assumptions.at(-1)).toMatchObject({ value: '1m30s', source: 'given' });
    expect(given.plan.duration.expected).toBeGreaterThan(ofFrankfurt.plan.duration.expected + 50);
  });

  test('is unchanged if it is saved, and lists later changes of the control plane', () => {
    const options = drainOf(['frankfurt']);
    const { plan: first, basis } = ofFrankfurt;
    const saved = { plan: first, basis, assumptions: [] };
    expect(makePlan({ options, saved }, state, quietPorts())).toEqual({ ...saved, drift: [] });
    const clusters = state.world.clusters.filter(({ metadata }) => metadata.name !== 'tokyo');
    const later = { ...state, world: { ...state.world, clusters } };
    const { drift } = makePlan({ options, saved }, later, quietPorts());
    expect(drift).toMatchObject([{ change: 'gone', object: { kind: 'Cluster', name: 'tokyo' } }]);
  });

  test('is the plan of the engine', () => {
    const direct = planDrain(state.world, drainOf(['dublin']), state.configuration, state.now, {
      karmadaVersion: state.karmadaVersion,
    });
    const named = ({ workloads }: typeof direct) =>
      workloads.map(({ name, fate, after }) => [name, fate, after]);
    expect(named(plan(['dublin']).plan)).toEqual(named(direct));
  });
});

describe('a drain plan is refused', () => {
  test('for its risks, even if they are removed from its file', () => {
    const { plan: whole, basis } = ofFrankfurt;
    const again = (stripped: typeof whole) =>
      reasonsAgainst(
        makePlan(
          { options: stripped.options, saved: { plan: stripped, basis, assumptions: [] } },
          state,
          quietPorts(),
        ),
      ).refused.map(({ risk }) => risk);
    expect(again({ ...whole, refusals: [] })).toEqual(['blocked']);
    expect(again({ ...whole, refusals: whole.refusals.map((one) => ({ ...one, accepted: true })) })).toEqual([
      'blocked',
    ]);
    expect(again({ ...whole, refusals: [{ ...whole.refusals[0]!, risk: 'loss', accepted: true }] })).toEqual([
      'blocked',
      'loss',
    ]);
  });

  test('for an unknown cluster, even if the plan was saved', async () => {
    const data = { code: 'unknown-cluster', input: 'drain', cluster: 'mars' };
    expect(await problemOf(() => plan(['mars']))).toMatchObject(data);
    const saved = { plan: ofFrankfurt.plan, basis: ofFrankfurt.basis, assumptions: [] };
    const options = drainOf(['mars']);
    expect(await problemOf(() => makePlan({ options, saved }, state, quietPorts()))).toMatchObject(data);
  });

  test.each([
    ['skip', { skip: ['deployment/crat'] }, { code: 'no-workload', input: 'skip', name: 'deployment/crat' }],
    ['only', { only: ['deployment/crat'] }, { code: 'no-workload', input: 'only', name: 'deployment/crat' }],
    ['kinds', { kinds: ['job'] }, { code: 'no-kind', kind: 'job' }],
    ['a policy', { policy: 'shop/none' }, { code: 'no-policy', policy: 'shop/none' }],
    ['labels', { labelSelector: { matchLabels: { no: 'such' } } }, { code: 'no-labels' }],
    ['a namespace', { namespace: 'nowhere' }, { code: 'empty-namespace', namespace: 'nowhere' }],
  ])('for a selection by %s without a workload', async (_, selection, data) => {
    expect(await problemOf(() => plan(['frankfurt'], { selection }))).toMatchObject(data);
  });

  test('but not for a selection of existing workloads', () => {
    const selection = { namespace: 'shop', kinds: ['deployment'], skip: ['deployment/cart'] };
    const fates = plan(['frankfurt'], { selection }).plan.workloads;
    expect(fates.find(({ name }) => name === 'cart')?.fate ?? 'stays').toBe('stays');
    expect(fates.find(({ name }) => name === 'checkout')?.fate).toBe('moves');
  });
});

describe('the cancellation of a drain', () => {
  const draining = (): OpenedState => {
    const { world } = state;
    const mark = JSON.stringify({ started: '', clusters: ['frankfurt'], selection: {}, hold: true });
    const clusters = world.clusters.map((cluster) =>
      cluster.metadata.name === 'frankfurt'
        ? {
            ...cluster,
            metadata: { ...cluster.metadata, annotations: { 'karmada-failover/drain': mark } },
            spec: {
              ...cluster.spec,
              taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' as const }],
            },
          }
        : cluster,
    );
    return { ...state, world: { ...world, clusters } };
  };
  const leaving = (world: World, name: string): World => ({
    ...world,
    bindings: world.bindings.map((binding) =>
      binding.spec.resource.name === name
        ? {
            ...binding,
            spec: {
              ...binding.spec,
              clusters: (binding.spec.clusters ?? []).filter((target) => target.name !== 'frankfurt'),
              gracefulEvictionTasks: [
                {
                  fromCluster: 'frankfurt',
                  producer: 'karmada-failover',
                  reason: 'Drain',
                  replicas: binding.spec.clusters!.find((target) => target.name === 'frankfurt')!.replicas!,
                  suppressDeletion: true,
                },
              ],
            },
          }
        : binding,
    ),
  });

  test('uncordons the cluster, and lists the workloads that return and the others', async () => {
    const drained = draining();
    const { plan: back, isDone } = await planReturn(
      { ...drained, world: leaving(drained.world, 'checkout') },
      ['frankfurt'],
    );
    expect(isDone).toBe(false);
    expect(back.clusters).toEqual([{ name: 'frankfurt', change: 'uncordoned' }]);
    const reported = [...back.restored, ...back.left].map(({ workload }) => workload.name);
    expect(reported).toEqual(['checkout']);
  });

  test('is complete if nothing is cordoned or evicted', async () => {
    const { plan: back, isDone } = await planReturn(state, ['frankfurt']);
    expect(isDone).toBe(true);
    expect(back.clusters).toEqual([{ name: 'frankfurt', change: 'as-it-is' }]);
  });

  test('includes a deleted cluster while eviction tasks hold copies on it', async () => {
    const drained = draining();
    const world = leaving(drained.world, 'checkout');
    const gone = {
      ...world,
      clusters: world.clusters.filter(({ metadata }) => metadata.name !== 'frankfurt'),
    };
    const { plan: back } = await planReturn({ ...drained, world: gone }, ['frankfurt']);
    expect(back.clusters).toEqual([{ name: 'frankfurt', change: 'not-there' }]);
    expect(await problemOf(() => planReturn(state, ['mars']))).toMatchObject({
      code: 'unknown-cluster',
      input: 'cancel',
      cluster: 'mars',
    });
  });

  test('reads only the kinds that it uses', async () => {
    const server = servingObjects([]);
    const opened = await openForReturn(
      {
        source: { connect: () => Promise.resolve(server) },
        version: 'v1.18',
        at: { time: state.now, text: 'then' },
      },
      quietPorts(),
    );
    opened.server!.close();
    expect(server.requests.some((path) => path.includes('resourcebindings'))).toBe(true);
    expect(server.requests.some((path) => path.includes('propagationpolicies'))).toBe(false);
  });
});
