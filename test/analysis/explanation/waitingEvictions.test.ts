import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { waitingEvictions, waitingSummary } from '../../../src/analysis/explanation/waitingEvictions.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { evicting, onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';

const configuration = evicting('proposal');
const names = (count: number) => Array.from({ length: count }, (_, at) => `m${at + 1}`);
const ago = (seconds: number) => rfc3339(START - seconds * 1000);
/** This many clusters, the first of them faulty for a minute. */
const fleet = (count = 3, faulty = 1) =>
  names(count).map((name, at) =>
    cluster(
      name,
      at < faulty ? [{ key: 'fault', effect: 'PreferNoExecute' as const, timeAdded: ago(60) }] : [],
    ),
  );
const workload = (name: string, tolerationSeconds: number | undefined, places = names(3)) =>
  deployment(name, {
    placement: onOneOf(...places),
    clusters: [{ name: 'm1', replicas: 1 }],
    replicas: 1,
    spec: tolerationSeconds === undefined ? {} : { failover: { cluster: { tolerationSeconds } } },
  });
const reported = (binding: ResourceBinding, condition: object): ResourceBinding => ({
  ...binding,
  status: {
    ...binding.status,
    conditions: [...binding.status!.conditions!, { type: 'EvictionQueued', ...condition } as never],
  },
});
const shown = (bindings: ResourceBinding[], clusters = fleet(), partial?: boolean) =>
  waitingEvictions(plainWorld(clusters, bindings), { now: START, configuration, partial })!;
const brief = (bindings: ResourceBinding[], clusters?: ReturnType<typeof fleet>) =>
  shown(bindings, clusters).items.map(
    ({ workload: { name }, state, position, since, expected, waitsFor }) =>
      `${name} ${state} ${position} ${since} ${expected} ${waitsFor}`,
  );

describe('the eviction queue', () => {
  test('is ordered by due time, then by age, with one turn per interval', () => {
    expect(brief([workload('late', 30), workload('a', 0), workload('b', 0), workload('still', 90)])).toEqual([
      `a waiting 1 ${ago(60)} ${ago(0)} rate`,
      `b waiting 2 ${ago(60)} ${ago(-2)} rate`,
      `late waiting 3 ${ago(30)} ${ago(-4)} rate`,
      `still tolerating null ${ago(60)} ${ago(-30)} toleration`,
    ]);
  });

  test('does not contain bindings that tolerate the taint forever or are not on a faulty cluster', () => {
    const elsewhere = workload('elsewhere', 0);
    const moved = { ...elsewhere, spec: { ...elsewhere.spec, clusters: [{ name: 'm2', replicas: 1 }] } };
    expect(brief([workload('passive', undefined), moved])).toEqual([]);
  });

  test('keeps a workload after its turn if the pre-scheduling check finds no other cluster', () => {
    const { items } = shown([workload('pinned', 0, ['m1']), workload('w', 0)]);
    expect(items).toMatchObject([
      {
        position: 1,
        expected: null,
        waitsFor: 'pre-scheduling',
        reason: 'its eviction is, or was, abandoned: no cluster besides m1 matches its affinity',
      },
      { position: 2, expected: ago(-2) },
    ]);
  });

  test('shows the current rate, or that too many clusters are faulty', () => {
    expect(brief([workload('w', 0), workload('x', 0)], fleet(20, 12))).toEqual([
      `w waiting 1 ${ago(60)} ${ago(0)} secondary-rate`,
      `x waiting 2 ${ago(60)} ${ago(-10)} secondary-rate`,
    ]);
    const [one] = shown([workload('w', 0)], fleet(3, 2)).items;
    expect(one).toMatchObject({ position: 1, expected: null, waitsFor: 'threshold' });
  });

  test('shows no time after the year 9999, for rates near 0 or long tolerations', () => {
    const at = (rate: number) =>
      waitingEvictions(plainWorld(fleet(), [workload('a', 0), workload('b', 0)]), {
        now: START,
        configuration: evicting('proposal', { 'resource-eviction-rate': rate }),
      })!;
    for (const rate of [1e-12, 1e-300, 1e-320]) {
      expect(at(rate).items.map(({ expected }) => expected)).toEqual([ago(0), null]);
      expect(waitingSummary(at(rate)).lastTurn).toBeNull();
    }
    expect(at(1e12).items.map(({ expected }) => expected)).toEqual([ago(0), ago(0)]);
    const timeAdded = '9999-12-31T23:59:00Z';
    const late = [
      cluster('m1', [{ key: 'fault', effect: 'PreferNoExecute' as const, timeAdded }]),
      cluster('m2'),
      cluster('m3'),
    ];
    expect(brief([workload('a', 300)], late)).toEqual([`a tolerating null ${timeAdded} null toleration`]);
  });

  test('is an estimate with its missing inputs, and the condition EvictionQueued adds details', () => {
    const queue = shown([
      reported(workload('a', 0), { status: 'True', reason: 'Waiting', lastTransitionTime: ago(20) }),
      workload('b', 0),
      reported(workload('c', 0), {
        status: 'False',
        reason: 'Abandoned',
        lastTransitionTime: ago(10),
        message: 'abandoned: nowhere to go',
      }),
    ]);
    expect(queue).toMatchObject({
      certainty: 'estimate',
      missing: expect.stringContaining('only the memory of karmada-controller-manager has these'),
      items: [
        { workload: { name: 'b' }, position: 1, since: ago(60) },
        { workload: { name: 'a' }, position: 2, since: ago(20) },
        { workload: { name: 'c' }, position: null, state: 'abandoned', reason: 'abandoned: nowhere to go' },
      ],
    });
  });

  test('has no positions if other waiting bindings could not be read', () => {
    const queue = shown([workload('w', 0)], fleet(), true);
    expect(queue.items).toMatchObject([{ state: 'waiting', position: null, expected: null }]);
    expect(queue.missing).toContain('bindings of other namespaces');
  });

  test('is absent without the proposal, and without the gate Failover', () => {
    const world = plainWorld(fleet(), [workload('w', 0)]);
    const off = { ...configuration, featureGates: { ...configuration.featureGates, Failover: false } };
    for (const one of [evicting('v1.18'), off])
      expect(waitingEvictions(world, { now: START, configuration: one })).toBeUndefined();
  });

  test('is certain for a saved simulation, which continues as predicted', () => {
    const bindings = [workload('a', 0, ['m1']), ...['b', 'c', 'd', 'e'].map((name) => workload(name, 0))];
    const members = { workloadReadyAfter: 20_000, neverReady: [] };
    const until = START + 3000;
    let saved: World | undefined;
    simulate(plainWorld(fleet(), bindings), { start: START, until, members, events: [] }, configuration, {
      save: (world) => void (saved = world),
    });
    const queue = waitingEvictions(saved!, { now: until, configuration })!;
    expect(queue.certainty).toBe('certain');
    expect(queue.items.filter(({ state }) => state === 'abandoned')).toMatchObject([
      { workload: { name: 'a' }, waitsFor: 'pre-scheduling' },
    ]);
    const rest = simulate(saved!, { start: until, members, events: [] }, configuration);
    const evicted = rest.events.filter(({ type }) => type === 'Evicted');
    const waiting = queue.items.filter(({ state }) => state === 'waiting');
    expect(waiting.length).toBeGreaterThan(1);
    expect(evicted.map(({ object, time }) => `${object.name} ${rfc3339(time)}`)).toEqual(
      waiting.map(({ binding, expected }) => `${binding.name} ${expected}`),
    );
  });
});

const taint = fc.record({
  effect: fc.constantFrom('NoExecute' as const, 'PreferNoExecute' as const),
  secondsAgo: fc.integer({ min: 1, max: 200 }),
});
const waiter = fc.record({
  on: fc.constantFrom('m1', 'm2'),
  toleration: fc.constantFrom(undefined, 0, 10, 60),
  failover: fc.constantFrom(undefined, 0, 20, 100),
  bornAgo: fc.integer({ min: 0, max: 300 }),
});

test('in every captured state, queued evictions get their turns in queue order', () => {
  let waited = 0;
  fc.assert(
    fc.property(
      fc.array(taint, { minLength: 1, maxLength: 2 }),
      fc.array(taint, { minLength: 1, maxLength: 2 }),
      fc.array(waiter, { minLength: 2, maxLength: 6 }),
      (first, second, waiters) => {
        const taints = (list: typeof first) =>
          list.map(({ effect, secondsAgo }, at) => ({ key: `t${at}`, effect, timeAdded: ago(secondsAgo) }));
        const clusters = [
          cluster('m1', taints(first)),
          cluster('m2', taints(second)),
          ...names(6)
            .slice(2)
            .map((name) => cluster(name)),
        ];
        const bindings = waiters.map(({ on, toleration, failover, bornAgo }, at) => {
          const placement = {
            ...onOneOf(...names(6)),
            ...(toleration !== undefined && {
              clusterTolerations: [{ operator: 'Exists' as const, tolerationSeconds: toleration }],
            }),
          };
          const one = deployment(`w${at}`, {
            placement,
            clusters: [{ name: on, replicas: 1 }],
            replicas: 1,
            spec: failover === undefined ? {} : { failover: { cluster: { tolerationSeconds: failover } } },
          });
          return { ...one, metadata: { ...one.metadata, creationTimestamp: ago(bornAgo) } };
        });
        const standing = shown(bindings, clusters).items.filter(({ state }) => state === 'waiting');
        waited += standing.length > 1 ? 1 : 0;
        const { events } = simulate(
          plainWorld(clusters, bindings),
          { start: START, members: { workloadReadyAfter: 20_000, neverReady: [] }, events: [] },
          configuration,
        );
        const turns = events.filter(({ type }) => type === 'Evicted').map(({ object }) => object.name);
        expect(turns.slice(0, standing.length)).toEqual(standing.map(({ binding }) => binding.name));
      },
    ),
    {
      examples: [
        // two that became due at the same instant, the older one on the cluster that is processed later
        [
          [{ effect: 'NoExecute', secondsAgo: 87 }],
          [{ effect: 'NoExecute', secondsAgo: 97 }],
          [
            { on: 'm2', toleration: 10, failover: undefined, bornAgo: 123 },
            { on: 'm1', toleration: undefined, failover: undefined, bornAgo: 87 },
          ],
        ],
      ],
    },
  );
  expect(waited).toBeGreaterThan(0);
});

test('the summary counts by cluster, and reports the time of the last turn', () => {
  expect(
    waitingSummary(shown([workload('a', 0), workload('b', 0), workload('c', 90), workload('p', 0, ['m1'])])),
  ).toMatchObject({
    waiting: 3,
    clusters: [{ cluster: 'm1', waiting: 3, tolerating: 1, abandoned: 0 }],
    lastTurn: ago(-2),
    certainty: 'estimate',
  });
});
