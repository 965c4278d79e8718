import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAssumption } from '../../src/karmada/configuration/assumptions.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Taint } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { isStarted } from '../../src/karmada/controllers/registry.ts';
import type { Evidence } from '../../src/karmada/evidence.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { savedWorld, setStage } from '../../src/simulator/simulation/stage.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { evictionPace, queuePace } from '../../src/karmada/taints/evictionPace.ts';
import { abandonedBecause, matchingNames } from '../../src/karmada/taints/preScheduling.ts';
import {
  cluster,
  deployment,
  outcomeOf,
  run,
  START,
  story,
  type When,
} from '../simulator/simulation/controlPlane.ts';
import { asFileKeeps } from '../worlds/play.ts';
import { proposal } from './documents.ts';
import { CLOSED, copiesOn, evicting, FAULT, onOneOf, plainWorld } from './underDesign.ts';

const configuration = evicting('proposal');
const names = (count: number) => Array.from({ length: count }, (_, i) => `member${i + 1}`);
const tainted = (name: string, effect: Taint['effect'] = 'NoExecute'): ScenarioAction => ({
  type: 'taint',
  cluster: name,
  taint: { key: 'fault', effect },
});
const untainted = (name: string): ScenarioAction => ({ type: 'untaint', cluster: name, key: 'fault' });

/** Divided over one of all clusters. */
const anywhere: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};

/** The same, except for member2. */
const notOnMember2: Placement = { ...anywhere, clusterAffinity: { exclude: ['member2'] } };

/** w1, w2, … on a cluster. */
function workloads(
  count: number,
  on: string,
  spec: Partial<ResourceBinding['spec']> = {},
  { prefix = 'w', placement = anywhere }: { prefix?: string; placement?: Placement } = {},
) {
  return Array.from({ length: count }, (_, i) =>
    deployment(`${prefix}${i + 1}`, {
      placement,
      clusters: [{ name: on, replicas: 1 }],
      replicas: 1,
      spec,
    }),
  );
}

/** "12s w3": who was evicted when, in whole seconds after the start. */
function evictions({ events }: Pick<Simulation, 'events'>): string[] {
  return events
    .filter(({ type }) => type === 'Evicted')
    .map(
      ({ time, object }) => `${Math.round((time - START) / 1000)}s ${object.name.replace('-deployment', '')}`,
    );
}

function play(clusters: Cluster[], bindings: ResourceBinding[], events: When['events'], rest: When = {}) {
  return run(plainWorld(clusters, bindings), { configuration, ...rest, ...(events && { events }) });
}

describe('001 eviction queue: queued workloads', () => {
  const members = names(4).map((name) => cluster(name));

  test('001 eviction queue 1: the taint manager queues evictions before it writes a task', () => {
    const simulation = play(members, workloads(3, 'member1'), [[10, tainted('member1')]]);
    const [queued, first] = simulation.events.filter(({ type }) => /Evict/.test(type));
    expect(queued).toMatchObject({
      type: 'EvictionsQueued',
      cluster: 'member1',
      message: '3 workloads enter the eviction queue, which evicts 0.5 workloads per second',
    });
    expect(first).toMatchObject({ type: 'Evicted' });
    expect(evictions(simulation)).toEqual(['10s w1', '12s w2', '14s w3']);
  });

  test('001 note 2: for NoExecute, a workload is queued at once, at the end of its toleration, or never', () => {
    const placement = (tolerationSeconds?: number): Placement => ({
      ...anywhere,
      clusterTolerations: [
        { key: 'fault', operator: 'Exists', ...(tolerationSeconds && { tolerationSeconds }) },
      ],
    });
    const one = (name: string, its: Placement) =>
      deployment(name, { placement: its, clusters: [{ name: 'member1', replicas: 1 }], replicas: 1 });
    const simulation = play(
      members,
      [one('never', placement()), one('later', placement(60)), one('now', anywhere)],
      [[0, tainted('member1')]],
    );
    expect(evictions(simulation)).toEqual(['0s now', '60s later']);
    expect(outcomeOf(simulation, 'never').outcome).toBe('tolerates');
  });

  test('001 note 2: for PreferNoExecute, only workloads with failover.cluster are queued, after tolerationSeconds', () => {
    const simulation = play(
      members,
      [
        ...workloads(
          1,
          'member1',
          { failover: { cluster: { tolerationSeconds: 100 } } },
          { prefix: 'active' },
        ),
        ...workloads(1, 'member1', {}, { prefix: 'passive' }),
      ],
      [[0, tainted('member1', 'PreferNoExecute')]],
    );
    expect(evictions(simulation)).toEqual(['100s active1']);
  });

  test('001 eviction queue: all faulty clusters and both kinds of binding share one queue', () => {
    const wide = workloads(1, 'member1', {}, { prefix: 'wide', placement: notOnMember2 }).map(
      ({ metadata, ...binding }): ResourceBinding => {
        const { namespace: _, ...rest } = metadata;
        return { ...binding, kind: 'ClusterResourceBinding', metadata: rest };
      },
    );
    const simulation = play(
      [...members, cluster('member5')],
      [
        ...workloads(2, 'member1', {}, { placement: notOnMember2 }),
        ...workloads(2, 'member2', {}, { prefix: 'x' }),
        ...wide,
      ],
      [
        [0, tainted('member1')],
        [1, tainted('member2')],
      ],
    );
    expect(evictions(simulation)).toEqual(['0s wide1', '2s w1', '4s w2', '6s x1', '8s x2']);
  });

  test('001 eviction queue: a binding that is placed on the cluster later is queued then', () => {
    const w1 = workloads(1, 'member2')[0]!;
    const simulation = play(
      members,
      [w1],
      [
        [0, tainted('member1')],
        [
          31,
          {
            type: 'patch',
            target: { kind: 'ResourceBinding', namespace: 'shop', name: 'w1-deployment' },
            merge: { spec: { clusters: [{ name: 'member1', replicas: 1 }] } },
          },
        ],
      ],
    );
    // at the next reconcile of the cluster, which happens every 10 seconds and at each of its changes
    expect(evictions(simulation)).toEqual(['35s w1']);
  });
});

describe('001 multiple rate configuration', () => {
  const limits = {
    evictionRate: 0.5,
    secondaryEvictionRate: 0.1,
    unhealthyClusterThreshold: 0.55,
    largeClusterNumThreshold: 10,
  };

  test.each([
    // faulty, clusters, mode, rate
    [0, 20, 'normal', 0.5],
    [11, 20, 'normal', 0.5],
    [12, 20, 'slow', 0.1],
    [20, 20, 'slow', 0.1],
    [7, 11, 'slow', 0.1],
    [6, 10, 'paused', 0],
    [5, 10, 'normal', 0.5],
    [1, 1, 'paused', 0],
    [0, 0, 'normal', 0.5],
  ] as const)(
    '001 multiple rate configuration: with %i of %i clusters faulty, the mode is %s, at %d evictions per second',
    (faulty, clusters, mode, rate) => {
      expect(evictionPace(names(faulty), clusters, limits)).toMatchObject({ mode, rate });
    },
  );

  test('001 multiple rate configuration: only a NoExecute or PreferNoExecute taint makes a cluster faulty', () => {
    const effects = ['NoExecute', 'PreferNoExecute', 'NoSchedule'] as const;
    const clusters = effects.map((effect) => cluster(effect, [{ key: 'fault', effect }]));
    expect(queuePace(clusters, configuration.controllerManager).faulty).toEqual([
      'NoExecute',
      'PreferNoExecute',
    ]);
  });

  test.each([
    ['resource-eviction-rate', 0.5],
    ['secondary-resource-eviction-rate', 0.1],
    ['unhealthy-cluster-threshold', 0.55],
    ['large-cluster-num-threshold', 10],
  ] as const)('001 multiple rate configuration: --%s defaults to %d', (flag, value) => {
    expect(proposal.defaults.controllerManager[flag]).toBe(value);
    expect(parseAssumption(`${flag}=1`, 'a test', proposal)).toMatchObject([{ name: flag, value: 1 }]);
  });

  test.each([
    ['resource-eviction-rate=-1', 'a number from 0 to 3.4'],
    ['secondary-resource-eviction-rate=fast', 'a number from 0 to 3.4'],
    ['unhealthy-cluster-threshold=1.1', 'a number from 0 to 1'],
    ['large-cluster-num-threshold=2.5', 'a whole number, 0 or more'],
  ])('001 multiple rate configuration: --%s is refused', (assumption, expected) => {
    expect(parseAssumption(assumption, 'a test', proposal)).toMatchObject({
      message: expect.stringContaining(expected),
    });
  });

  test('001 multiple rate configuration: when 12 of 20 clusters fail, the rate is 0.1; when the 12th recovers, it is 0.5', () => {
    const members = names(20).map((name) => cluster(name));
    const simulation = play(members, workloads(6, 'member1'), [
      ...names(11).map((name): [number, ScenarioAction] => [0, tainted(name)]),
      [3, tainted('member12')],
      [25, untainted('member12')],
    ]);
    expect(evictions(simulation)).toEqual(['0s w1', '2s w2', '12s w3', '22s w4', '25s w5', '27s w6']);
    const reported = simulation.events.filter(({ type }) => type === 'EvictionPaceChanged');
    expect(reported.map(({ message }) => message)).toEqual([
      'the eviction queue evicts 0.1 workloads per second: 12 of 20 clusters are faulty, more than 55%',
      'the eviction queue evicts 0.5 workloads per second: 11 of 20 clusters are faulty',
    ]);
    expect(reported[0]!.evidence).toMatchObject([{ field: 'secondary-resource-eviction-rate', value: 0.1 }]);
  });

  test('001 multiple rate configuration: 11 of 20 clusters are exactly the threshold of 0.55, and the rate stays', () => {
    const simulation = play(
      names(20).map((name) => cluster(name)),
      workloads(3, 'member1'),
      names(11).map((name): [number, ScenarioAction] => [0, tainted(name)]),
    );
    expect(evictions(simulation)).toEqual(['0s w1', '2s w2', '4s w3']);
  });

  test('001 multiple rate configuration: when 6 of 10 clusters fail, evictions pause until one recovers', () => {
    const members = names(10).map((name) => cluster(name));
    const fail = names(6).map((name): [number, ScenarioAction] => [0, tainted(name)]);
    const stopped = play(members, workloads(2, 'member1'), fail);
    expect(evictions(stopped)).toEqual([]);
    expect(stopped.atRest).toBe(true);
    expect(outcomeOf(stopped, 'w2')).toMatchObject({
      outcome: 'stays',
      certainty: 'estimate',
      evictionQueue: [{ state: 'queued', cluster: 'member1', position: 2 }],
      reason:
        'waits in the eviction queue to leave member1, at position 2: it is paused, as 6 of 10 clusters are faulty, more than 55%, in a control plane of at most 10',
    });
    const goesOn = play(members, workloads(2, 'member1'), [...fail, [600, untainted('member6')]]);
    expect(evictions(goesOn)).toEqual(['600s w1', '602s w2']);
  });

  test('001 multiple rate configuration: a simulation continues until the last queued eviction', () => {
    const slow = evicting('proposal', { 'resource-eviction-rate': 0.00001 });
    const simulation = play(
      names(3).map((name) => cluster(name)),
      workloads(3, 'member1'),
      [[0, tainted('member1')]],
      { configuration: slow },
    );
    expect(evictions(simulation)).toEqual(['0s w1', '100000s w2', '200000s w3']);
  });

  test.each([
    [1e-7, ['0s w1', '10000000s w2', '20000000s w3']],
    [1e-12, ['0s w1']],
    [1e-300, ['0s w1']],
    [1e-320, ['0s w1']],
    [1e12, ['0s w1', '0s w2', '0s w3']],
  ])(
    '001 multiple rate configuration: at %d per second a simulation ends; a workload whose turn is years away stays queued',
    (rate, expected) => {
      const simulation = play(
        names(3).map((name) => cluster(name)),
        workloads(3, 'member1'),
        [[0, tainted('member1')]],
        { configuration: evicting('proposal', { 'resource-eviction-rate': rate }) },
      );
      expect(evictions(simulation)).toEqual(expected);
      const last = outcomeOf(simulation, 'w3');
      if (expected.length === 3) expect(last).toMatchObject({ outcome: 'moves' });
      else
        expect(last).toMatchObject({
          outcome: 'stays',
          evictionQueue: [{ state: 'queued', position: 2 }],
          reason: expect.stringContaining(`it evicts ${rate} workloads per second`),
        });
    },
  );
});

describe('001 improvement of the scheduling success rate', () => {
  const members = [...names(3).map((name) => cluster(name)), cluster('closed', [CLOSED])];
  const binding = (placement: Placement, ...on: string[]) =>
    deployment('nginx', { placement, clusters: on.map((name) => ({ name, replicas: 2 })), replicas: 2 });
  const check = (placement: Placement, ...on: string[]) => {
    const evidence: Evidence[] = [];
    const reason = abandonedBecause(
      binding(placement, ...on),
      'member1',
      matchingNames(members, configuration.rules),
      evidence,
    );
    return { reason, evidence };
  };
  const among = (placement: Placement, ...clusterNames: string[]): Placement => ({
    ...placement,
    clusterAffinity: { clusterNames },
  });
  const groups = (...minGroups: number[]): Placement => ({
    spreadConstraints: minGroups.map((least) => ({ spreadByField: 'cluster', minGroups: least })),
  });

  test.each<[string, Placement, string[], string | undefined]>([
    [
      'Duplicated without a spread constraint: abandoned',
      {},
      ['member1'],
      'it is Duplicated without spread constraints: no other cluster counts as a target',
    ],
    [
      'Duplicated, as many other clusters match as minGroups: evicted',
      among(groups(1), 'member1', 'member2'),
      ['member1'],
      undefined,
    ],
    [
      'Duplicated, fewer other clusters match than minGroups: abandoned',
      among(groups(2), 'member1', 'member2'),
      ['member1', 'member2'],
      'its spread constraint by cluster requires 2, and 1 matches its affinity besides member1',
    ],
    [
      'Duplicated, no other cluster matches: abandoned',
      among(groups(0), 'member1'),
      ['member1'],
      'its spread constraint by cluster requires 1, and 0 match its affinity besides member1',
    ],
    [
      'Duplicated, one of two constraints cannot be met: abandoned',
      among(groups(1, 3), 'member1', 'member2', 'member3'),
      ['member1'],
      'its spread constraint by cluster requires 3, and 2 match its affinity besides member1',
    ],
    [
      'Duplicated, the matching cluster already has a copy: evicted',
      among(groups(1), 'member1', 'member2'),
      ['member1', 'member2'],
      undefined,
    ],
    [
      'Divided, a cluster outside of the result matches: evicted',
      among(anywhere, 'member1', 'member2'),
      ['member1'],
      undefined,
    ],
    [
      'Divided, no cluster outside of the result matches: abandoned',
      among(anywhere, 'member1', 'member2'),
      ['member1', 'member2'],
      'no cluster besides member1, member2 matches its affinity',
    ],
    [
      'Divided, the matching cluster is tainted: evicted',
      among(anywhere, 'member1', 'closed'),
      ['member1'],
      undefined,
    ],
    ['Divided, without an affinity: evicted', anywhere, ['member1'], undefined],
    [
      'Divided, a later affinity group matches: evicted',
      {
        ...anywhere,
        clusterAffinities: [
          { affinityName: 'first', clusterNames: ['member1'] },
          { affinityName: 'then', clusterNames: ['member2'] },
        ],
      },
      ['member1'],
      undefined,
    ],
  ])('001 pre-scheduling: %s', (_, placement, on, reason) => {
    const found = check(placement, ...on);
    expect(found.reason).toBe(reason);
    expect(found.evidence).toMatchObject([
      { rule: expect.stringContaining(reason ?? 'pre-scheduling check: there are target clusters') },
    ]);
  });

  test('001 pre-scheduling: affinity groups before the observed one are ignored, since the scheduler never returns to them', () => {
    const placement: Placement = {
      ...anywhere,
      clusterAffinities: [
        { affinityName: 'first', clusterNames: ['member2'] },
        { affinityName: 'then', clusterNames: ['member1'] },
      ],
    };
    const one = binding(placement, 'member1');
    const observed = { ...one, status: { ...one.status, schedulerObservingAffinityName: 'then' } };
    expect(abandonedBecause(observed, 'member1', matchingNames(members, configuration.rules))).toBe(
      'no cluster besides member1 matches its affinity',
    );
  });

  const pinned = [
    deployment('pinned', {
      placement: among(anywhere, 'member1'),
      clusters: [{ name: 'member1', replicas: 1 }],
      replicas: 1,
    }),
  ];

  test('001 pre-scheduling: an abandoned eviction writes nothing, takes its turn, and the workload stays', () => {
    const simulation = play(members, [...pinned, ...workloads(1, 'member1')], [[0, tainted('member1')]]);
    expect(story(simulation, 'pinned')).toEqual(['0s EvictionAbandoned member1']);
    expect(evictions(simulation)).toEqual(['2s w1']);
    expect(outcomeOf(simulation, 'pinned')).toMatchObject({
      outcome: 'stays',
      reason: 'its eviction from member1 is abandoned: no cluster besides member1 matches its affinity',
      evictionQueue: [{ state: 'abandoned', cluster: 'member1' }],
    });
  });

  test('001 pre-scheduling: an abandoned eviction is not retried during this incident, but during the next one', () => {
    const simulation = play(members, pinned, [
      [0, tainted('member1')],
      [
        30,
        {
          type: 'patch',
          target: { kind: 'ResourceBinding', namespace: 'shop', name: 'pinned-deployment' },
          merge: { spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } } } },
        },
      ],
      [60, { type: 'taint', cluster: 'member1', taint: { key: 'more', effect: 'NoExecute' } }],
      [90, { type: 'untaint', cluster: 'member1', key: 'more' }],
      [90, untainted('member1')],
      [120, tainted('member1')],
    ]);
    expect(story(simulation, 'pinned').filter((step) => /Evict/.test(step))).toEqual([
      '0s EvictionAbandoned member1',
      '120s Evicted member1',
    ]);
  });
});

describe("001 the scenario of a faulty cluster's recovery", () => {
  const members = names(4).map((name) => cluster(name));

  test('001 recovery: queued evictions are dropped, and started ones continue', () => {
    const simulation = play(members, workloads(4, 'member1'), [
      [0, tainted('member1')],
      [3, untainted('member1')],
    ]);
    expect(evictions(simulation)).toEqual(['0s w1', '2s w2']);
    expect(outcomeOf(simulation, 'w2').outcome).toBe('moves');
    for (const name of ['w3', 'w4']) {
      expect(story(simulation, name)).toEqual(['3s EvictionDropped member1']);
      expect(outcomeOf(simulation, name)).toMatchObject({
        outcome: 'stays',
        reason: 'its eviction from member1 is dropped from the queue: member1 has recovered',
        after: [{ name: 'member1', replicas: 1 }],
      });
    }
  });

  test('001 recovery: only evictions from the recovered cluster are dropped', () => {
    const simulation = play(
      [...members, cluster('member5')],
      [
        ...workloads(2, 'member1', {}, { placement: notOnMember2 }),
        ...workloads(2, 'member2', {}, { prefix: 'x' }),
      ],
      [
        [0, tainted('member1')],
        [1, tainted('member2')],
        [1.5, untainted('member1')],
      ],
    );
    expect(evictions(simulation)).toEqual(['0s w1', '2s x1', '4s x2']);
  });

  test('001 recovery: a cluster has recovered once it has neither a NoExecute nor a PreferNoExecute taint', () => {
    const active = workloads(1, 'member1', { failover: { cluster: { tolerationSeconds: 20 } } });
    const simulation = play(members, active, [
      [0, tainted('member1', 'PreferNoExecute')],
      [5, { type: 'taint', cluster: 'member1', taint: { key: 'other', effect: 'PreferNoExecute' } }],
      [10, untainted('member1')],
    ]);
    expect(evictions(simulation)).toEqual(['25s w1']);
  });

  test('001 recovery: a toleration starts again with the next failure', () => {
    const active = workloads(1, 'member1', { failover: { cluster: { tolerationSeconds: 20 } } });
    const simulation = play(members, active, [
      [0, tainted('member1', 'PreferNoExecute')],
      [10, untainted('member1')],
      [15, tainted('member1', 'PreferNoExecute')],
    ]);
    expect(evictions(simulation)).toEqual(['35s w1']);
  });
});

describe("001 the scenario of a faulty cluster's recovery: policy changes during the incident", () => {
  const members = names(4).map((name) => cluster(name));
  const patch = (spec: object): ScenarioAction => ({
    type: 'patch',
    target: { kind: 'ResourceBinding', namespace: 'shop', name: 'w1-deployment' },
    merge: { spec },
  });
  const active = (tolerationSeconds: number, purgeMode: 'Directly' | 'Gracefully' = 'Gracefully') => ({
    failover: { cluster: { tolerationSeconds, purgeMode } },
  });
  const soft = tainted('member1', 'PreferNoExecute');

  test.each<[string, object, object, string[]]>([
    ['adding failover.cluster', {}, active(0), []],
    ['removing failover.cluster', active(60), { failover: null }, ['60s w1']],
    ['a longer toleration', active(60), active(600), ['60s w1']],
    ['a shorter toleration', active(60), active(20), ['60s w1']],
  ])('001 snapshot: %s during the incident has no effect', (_, before, after, evicted) => {
    const simulation = play(members, workloads(1, 'member1', before), [
      [0, soft],
      [10, patch(after)],
    ]);
    expect(evictions(simulation)).toEqual(evicted);
  });

  test('001 snapshot: the purge mode at the time of the failure applies, as the evidence states', () => {
    const simulation = play(members, workloads(1, 'member1', active(60, 'Directly')), [
      [0, soft],
      [10, patch(active(60, 'Gracefully'))],
    ]);
    const evicted = simulation.events.find(({ type }) => type === 'Evicted')!;
    expect(evicted.message).toBe('evicted from member1, Directly');
    expect(evicted.evidence[0]).toMatchObject({
      rule: 'the tolerations and failover.cluster at the time of the failure count, not the current ones',
      value: {
        atFailure: active(60, 'Directly').failover.cluster && expect.anything(),
        now: expect.anything(),
      },
    });
    // the write does not change the policy
    expect(outcomeOf(simulation, 'w1').outcome).toBe('moves');
  });

  test('001 snapshot: tolerations that are added during the incident do not apply', () => {
    const placement = { ...anywhere, clusterTolerations: [{ key: 'fault', operator: 'Exists' }] };
    const simulation = play(members, workloads(3, 'member1'), [
      [0, tainted('member1')],
      [
        1,
        {
          type: 'patch',
          target: { kind: 'ResourceBinding', namespace: 'shop', name: 'w3-deployment' },
          merge: { spec: { placement } },
        },
      ],
    ]);
    expect(evictions(simulation)).toEqual(['0s w1', '2s w2', '4s w3']);
  });

  test('001 snapshot: a further taint in the same incident is judged by the same snapshot', () => {
    const simulation = play(members, workloads(1, 'member1', {}), [
      [0, soft],
      [10, patch(active(0))],
      [20, { type: 'taint', cluster: 'member1', taint: { key: 'other', effect: 'PreferNoExecute' } }],
    ]);
    expect(evictions(simulation)).toEqual([]);
  });

  test('001 snapshot: the next incident uses the policies at its start', () => {
    const simulation = play(members, workloads(1, 'member1', {}), [
      [0, soft],
      [10, patch(active(5))],
      [20, untainted('member1')],
      [30, soft],
    ]);
    expect(evictions(simulation)).toEqual(['35s w1']);
  });
});

describe('001 system failure impact 1: a controller restart', () => {
  const members = names(4).map((name) => cluster(name));

  test('001 restart: the queue is rebuilt, evictions continue, and tasks are not affected', () => {
    const simulation = play(members, workloads(4, 'member1'), [
      [0, tainted('member1')],
      [3, { type: 'restart', component: 'karmada-controller-manager' }],
    ]);
    // the new process cannot know the turn before it, and lets an interval pass
    expect(evictions(simulation)).toEqual(['0s w1', '2s w2', '5s w3', '7s w4']);
    for (const name of ['w1', 'w2', 'w3', 'w4']) expect(outcomeOf(simulation, name).outcome).toBe('moves');
  });

  test('001 restart: the queue is rebuilt in the order of due times across all clusters', () => {
    const tolerant = (seconds: number, on: string, prefix: string) =>
      workloads(1, on, { failover: { cluster: { tolerationSeconds: seconds } } }, { prefix });
    const simulation = play(
      members,
      // the one that tolerates longest is the oldest
      [
        ...tolerant(30, 'member1', 'third'),
        ...tolerant(20, 'member2', 'second'),
        ...tolerant(15, 'member1', 'first'),
      ],
      [
        [0, tainted('member1', 'PreferNoExecute')],
        [0, tainted('member2', 'PreferNoExecute')],
        [0, tainted('member3', 'PreferNoExecute')],
        [40, { type: 'restart', component: 'karmada-controller-manager' }],
        // until then more than 55% are faulty, and the queue stops
        [50, untainted('member3')],
      ],
    );
    expect(evictions(simulation).map((one) => one.split(' ')[1])).toEqual(['first1', 'second1', 'third1']);
  });

  test('001 restart: afterwards the current policies of bindings apply', () => {
    const simulation = play(
      members,
      workloads(1, 'member1', { failover: { cluster: { tolerationSeconds: 60 } } }),
      [
        [0, tainted('member1', 'PreferNoExecute')],
        [
          10,
          {
            type: 'patch',
            target: { kind: 'ResourceBinding', namespace: 'shop', name: 'w1-deployment' },
            merge: { spec: { failover: { cluster: { tolerationSeconds: 100 } } } },
          },
        ],
        [20, { type: 'restart', component: 'karmada-controller-manager' }],
      ],
    );
    expect(evictions(simulation)).toEqual(['100s w1']);
  });

  test('001 restart: a captured control plane with a faulty cluster continues its evictions', () => {
    const state = plainWorld([cluster('member1', [FAULT]), ...members.slice(1)], workloads(2, 'member1'));
    const simulation = run(state, { configuration });
    expect(evictions(simulation)).toHaveLength(2);
  });
});

describe('001 eviction queue: a saved simulation continues as an uninterrupted one', () => {
  const members = names(20).map((name) => cluster(name));
  const bindings = [
    ...workloads(6, 'member1'),
    ...workloads(
      2,
      'member2',
      { failover: { cluster: { tolerationSeconds: 15, purgeMode: 'Directly' } } },
      { prefix: 'x' },
    ),
    deployment('pinned', {
      placement: { ...anywhere, clusterAffinity: { clusterNames: ['member1'] } },
      clusters: [{ name: 'member1', replicas: 1 }],
      replicas: 1,
    }),
  ];
  const events: NonNullable<When['events']> = [
    ...names(11).map((name): [number, ScenarioAction] => [0, tainted(name)]),
    [3, tainted('member12', 'PreferNoExecute')],
    [4, tainted('member2', 'PreferNoExecute')],
    [40, untainted('member12')],
    [44, untainted('member1')],
  ];

  test.each([1, 3.5, 13, 30, 41, 60])('001 saved after %d seconds', (seconds) => {
    const scenario = {
      start: START,
      until: START + 300_000,
      members: { workloadReadyAfter: 20_000, neverReady: [] },
      events: events.map(([at, action]) => ({ at: START + at * 1000, action })),
    };
    const whole = setStage(
      createStartingWorld(plainWorld(members, bindings), configuration, scenario),
      scenario,
    );
    whole.time.run(scenario.until);
    const until = START + seconds * 1000;
    const leg = { ...scenario, until };
    const first = setStage(createStartingWorld(plainWorld(members, bindings), configuration, leg), leg);
    first.time.run(until);
    const saved = asFileKeeps(savedWorld(first, leg, until));
    const rest = { ...scenario, start: until, events: [] };
    const second = setStage(createStartingWorld(saved, configuration, rest), rest);
    second.time.run(scenario.until);
    const plain = (list: unknown) => JSON.parse(JSON.stringify(list)) as unknown;
    expect(plain([...first.events, ...second.events])).toEqual(plain(whole.events));
    const queue = (stage: typeof whole) => stage.time.save(scenario.until).paced['eviction-queue'];
    expect(plain(queue(second))).toEqual(plain(queue(whole)));
  });
});

describe('001 in random incidents', () => {
  type Deed = [seconds: number, cluster: number, effect: Taint['effect'] | 'gone'];
  const deed = fc.tuple(
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom<Deed[2]>('NoExecute', 'PreferNoExecute', 'gone'),
  );
  const placements: Placement[] = [
    anywhere,
    {},
    onOneOf('member1', 'member2', 'member3'),
    copiesOn(2, ...names(4)),
    { ...anywhere, clusterAffinity: { clusterNames: ['member1'] } },
  ];
  const aWorkload = fc.record({
    placement: fc.constantFrom(...placements),
    on: fc.integer({ min: 1, max: 4 }),
    failover: fc.option(fc.record({ tolerationSeconds: fc.integer({ min: 0, max: 60 }) }), {
      nil: undefined,
    }),
  });
  const anIncident = fc.record({
    clusters: fc.constantFrom(4, 6, 12),
    rate: fc.constantFrom(0.1, 0.5, 2),
    deeds: fc.array(deed, { maxLength: 10 }),
    workloads: fc.array(aWorkload, { minLength: 1, maxLength: 6 }),
    restart: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
  });

  test('001 property: a workload that has left a cluster is no longer queued for another of its taints', () => {
    // member1: evicted at once by NoExecute; the toleration of PreferNoExecute ends later, in a queue that is paused by then
    const simulation = play(
      names(4).map((name) => cluster(name)),
      workloads(1, 'member1', { failover: { cluster: { tolerationSeconds: 2 } } }),
      [
        [0, tainted('member2')],
        [0, tainted('member1', 'PreferNoExecute')],
        [1, tainted('member1')],
        [2, tainted('member3')],
      ],
      { configuration: evicting('proposal', { 'resource-eviction-rate': 0.1 }) },
    );
    const { after, evictionQueue } = outcomeOf(simulation, 'w1');
    expect(after.map(({ name }) => name)).toEqual(['member3']);
    expect(evictionQueue?.map(({ state, cluster: from }) => `${state} ${from}`)).toEqual(['queued member3']);
  });

  test('001 property: no replica is lost, the rate holds in every window, and queued workloads stay on recovered clusters', () => {
    let waited = 0;
    fc.assert(
      fc.property(anIncident, ({ clusters: count, rate, deeds, workloads: given, restart }) => {
        const flags = evicting('proposal', { 'resource-eviction-rate': rate });
        const actions = deeds.map(([at, n, effect]): [number, ScenarioAction] => [
          at,
          effect === 'gone'
            ? { type: 'untaint', cluster: `member${n}`, key: 'fault' }
            : tainted(`member${n}`, effect),
        ]);
        const restarts: [number, ScenarioAction][] =
          restart === undefined
            ? []
            : [[restart, { type: 'restart', component: 'karmada-controller-manager' }]];
        const simulation = play(
          names(count).map((name) => cluster(name)),
          given.map(({ placement, on, failover }, i) =>
            deployment(`w${i}`, {
              placement,
              clusters: [{ name: placement === placements[4] ? 'member1' : `member${on}`, replicas: 2 }],
              replicas: 2,
              spec: failover ? { failover: { cluster: failover } } : {},
            }),
          ),
          [...actions, ...restarts].sort((a, b) => a[0] - b[0]),
          { configuration: flags },
        );
        const turns = simulation.events.filter(({ type }) => /^Eviction(Abandoned)$|^Evicted$/.test(type));
        turns.slice(1).forEach(({ time }, i) => {
          expect(time - turns[i]!.time).toBeGreaterThanOrEqual(1000 / rate - 1e-6);
        });
        for (const one of simulation.workloads) {
          expect(['stays', 'moves', 'restarted', 'partly-moves', 'blocked', 'tolerates', 'flaps']).toContain(
            one.outcome,
          );
          const has = one.after.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
          expect(has + one.evicting.length).toBeGreaterThan(0);
          for (const { state, cluster: name } of one.evictionQueue ?? []) {
            const dropped = simulation.events.some(
              ({ type, object, cluster: from }) =>
                type === 'EvictionDropped' && object.name === one.binding.name && from === name,
            );
            waited++;
            if (state === 'dropped') expect(dropped).toBe(true);
            // what the queue has not released is still there
            expect(one.after.some((target) => target.name === name)).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(waited).toBeGreaterThan(0);
  });
});

test('001 eviction queue: is a separate controller, with one rate for all workers', () => {
  expect(isStarted('eviction-queue', configuration)).toBe(true);
  expect(isStarted('eviction-queue', evicting('v1.18'))).toBe(false);
});
