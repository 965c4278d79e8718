import { beforeAll, describe, expect, test } from '@jest/globals';
import { planDrain } from '../../src/analysis/drain/plan/planDrain.ts';
import type { World } from '../../src/karmada/world.ts';
import { makePlan, objections, type MadePlan } from '../../src/useCases/drain/makePlan.ts';
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

describe('a plan of a drain', () => {
  test('says of each workload on the cluster its outcome, and stands on what it looked at', () => {
    const made = ofFrankfurt;
    const fates = Object.fromEntries(made.plan.workloads.map(({ name, fate }) => [name, fate]));
    expect(fates).toMatchObject({ checkout: 'moves', archive: 'leaves', ledger: 'blocked' });
    expect(made.plan.now).toBe(state.now);
    expect(made.basis.clusters.map(({ object }) => object.name)).toContain('frankfurt');
    expect(made.drift).toEqual([]);
  });

  test('says what speaks against it, unless that is accepted', () => {
    const { refused } = objections(ofFrankfurt);
    expect(refused.map(({ risk }) => risk)).toEqual(['blocked']);
    const accept = { ...drainOf([]).accept, blocked: true };
    expect(objections(plan(['frankfurt'], { accept }))).toEqual({ refused: [], drift: [] });
  });

  test('takes for granted how long replicas take, and says whether that was given', () => {
    expect(ofFrankfurt.assumptions.at(-1)).toMatchObject({
      name: 'workloadReadyAfter',
      value: '30s',
      assumed: true,
    });
    const given = makePlan({ options: drainOf(['frankfurt']), readyAfter: 90_000 }, state, quietPorts());
    expect(given.assumptions.at(-1)).toMatchObject({ value: '1m30s', source: 'given' });
    expect(given.plan.duration.expected).toBeGreaterThan(ofFrankfurt.plan.duration.expected + 50);
  });

  test('that was saved is taken as it is, with what has changed since', () => {
    const options = drainOf(['frankfurt']);
    const { plan: first, basis } = ofFrankfurt;
    const saved = { plan: first, basis, assumptions: [] };
    expect(makePlan({ options, saved }, state, quietPorts())).toEqual({ ...saved, drift: [] });
    const clusters = state.world.clusters.filter(({ metadata }) => metadata.name !== 'tokyo');
    const later = { ...state, world: { ...state.world, clusters } };
    const { drift } = makePlan({ options, saved }, later, quietPorts());
    expect(drift).toMatchObject([{ change: 'gone', object: { kind: 'Cluster', name: 'tokyo' } }]);
  });

  test('is that of the engine', () => {
    const direct = planDrain(state.world, drainOf(['dublin']), state.configuration, state.now, {
      karmadaVersion: state.karmadaVersion,
    });
    const named = ({ workloads }: typeof direct) =>
      workloads.map(({ name, fate, after }) => [name, fate, after]);
    expect(named(plan(['dublin']).plan)).toEqual(named(direct));
  });
});

describe('a plan is refused', () => {
  test('for the risks that follow from it, also if somebody took them out of its file', () => {
    const { plan: whole, basis } = ofFrankfurt;
    const again = (stripped: typeof whole) =>
      objections(
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

  test('for a cluster that is not there, also if a plan was saved', async () => {
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
  ])('for a selection by %s that means no workload', async (_, selection, data) => {
    expect(await problemOf(() => plan(['frankfurt'], { selection }))).toMatchObject(data);
  });

  test('for none that means one', () => {
    const selection = { namespace: 'shop', kinds: ['deployment'], skip: ['deployment/cart'] };
    const fates = plan(['frankfurt'], { selection }).plan.workloads;
    expect(fates.find(({ name }) => name === 'cart')?.fate ?? 'stays').toBe('stays');
    expect(fates.find(({ name }) => name === 'checkout')?.fate).toBe('moves');
  });
});

describe('the way back of a drain', () => {
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

  test('uncordons the cluster, and reports what goes back and what does not', async () => {
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

  test('is done if nothing is left to take back', async () => {
    const { plan: back, isDone } = await planReturn(state, ['frankfurt']);
    expect(isDone).toBe(true);
    expect(back.clusters).toEqual([{ name: 'frankfurt', change: 'as-it-is' }]);
  });

  test('is there also of a cluster that is deleted, as long as a drain holds copies on it', async () => {
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

  test('reads no more than it uses', async () => {
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
