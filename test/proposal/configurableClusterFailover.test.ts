import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { unknownPurgeModes } from '../../src/simulator/comparison/compareSides.ts';
import { evictionClock, evictionDeadline } from '../../src/karmada/eviction/evictionRule.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import type { ClusterFailoverBehavior, Placement, PropagationPolicy } from '../../src/karmada/api/policy.ts';
import type { Toleration } from '../../src/karmada/api/meta.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../../src/karmada/api/work.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { instant } from '../../src/kubernetes/time.ts';
import {
  cluster,
  deployment,
  outcomeOf,
  run,
  START,
  type When,
} from '../simulator/simulation/controlPlane.ts';
import { CLUSTER_BINDING_SPEC, CLUSTER_POLICY } from './documentsOfFailover.ts';
import { evicting, onOneOf, plainWorld } from './underDesign.ts';

const VERSION = 'proposal+configurable-cluster-failover';
const option = evicting(VERSION);
const members = ['member1', 'member2'].map((name) => cluster(name));
const example = parse(CLUSTER_POLICY) as PropagationPolicy;

function admit(failover: object, version = VERSION) {
  return admitObject({
    kind: 'PropagationPolicy',
    operation: 'CREATE',
    namespace: 'default',
    permanentId: 'uuid',
    object: { ...example, spec: { ...example.spec, failover: { cluster: failover } } },
    rules: dialectOf(version).dialect.rules,
  });
}

/** nginx on member1, which gets a taint at the start; a new copy never becomes ready unless set otherwise. */
function play(
  failover: ClusterFailoverBehavior | undefined,
  {
    configuration = option,
    tolerations,
    events = [],
    readyAfterSeconds = 1e6,
  }: Omit<When, 'configuration'> & {
    configuration?: typeof option;
    tolerations?: Toleration[];
  } = {},
): Simulation {
  const placement: Placement = {
    ...onOneOf('member1', 'member2'),
    ...(tolerations && { clusterTolerations: tolerations }),
  };
  const nginx = deployment('nginx', {
    placement,
    replicas: 2,
    clusters: [{ name: 'member1', replicas: 2 }],
    spec: failover ? { failover: { cluster: failover } } : {},
  });
  return run(plainWorld(members, [nginx]), {
    configuration,
    readyAfterSeconds,
    until: 5000,
    events: [
      [0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }],
      ...events,
    ],
  });
}

const when = ({ events }: Simulation, type: string) =>
  events.filter((event) => event.type === type).map(({ time }) => Math.round((time - START) / 1000));

/** Seconds from the eviction until the task ends. */
const kept = (simulation: Simulation) => when(simulation, 'TaskEnded')[0]! - when(simulation, 'Evicted')[0]!;

describe('003 API change', () => {
  test('003 example policy: admitted unchanged, with the default toleration of document 001', () => {
    expect(admit(example.spec.failover!.cluster!)).toMatchObject({
      allowed: true,
      object: {
        spec: {
          failover: { cluster: { purgeMode: 'Graciously', gracePeriodSeconds: 100, tolerationSeconds: 300 } },
        },
      },
    });
  });

  test('003 purgeMode: Graciously by default, without a grace period', () => {
    const verdict = admit({}) as unknown as { object: PropagationPolicy };
    expect(verdict.object.spec.failover!.cluster).toEqual({
      purgeMode: 'Graciously',
      tolerationSeconds: 300,
    });
  });

  test.each(['Immediately', 'Graciously', 'Never', 'Directly', 'Gracefully'])(
    '003 purgeMode: %s is valid',
    (purgeMode) => {
      expect(admit({ purgeMode })).toMatchObject({ allowed: true });
    },
  );

  test.each(['v1.18', 'proposal'])(
    '003 purgeMode: the three names and gracePeriodSeconds are unknown to %s',
    (version) => {
      for (const purgeMode of ['Immediately', 'Graciously', 'Never'])
        expect(admit({ purgeMode }, version)).toMatchObject({ allowed: false });
      expect(JSON.stringify(admit({ gracePeriodSeconds: 100 }, version))).not.toContain('gracePeriodSeconds');
    },
  );
});

describe('003 karmada-webhook', () => {
  test.each<[string, object, string]>([
    ['a grace period of 0', { gracePeriodSeconds: 0 }, 'Invalid value: 0: must be greater than 0'],
    ['a negative grace period', { gracePeriodSeconds: -1 }, 'Invalid value: -1: must be greater than 0'],
    [
      'a grace period in mode Immediately',
      { purgeMode: 'Immediately', gracePeriodSeconds: 9 },
      'Invalid value: 9: only takes effect when purgeMode is gracefully',
    ],
    [
      'a grace period in mode Never',
      { purgeMode: 'Never', gracePeriodSeconds: 9 },
      'Invalid value: 9: only takes effect when purgeMode is gracefully',
    ],
  ])('003 webhook: refuses %s', (_, failover, message) => {
    expect(admit(failover)).toMatchObject({
      allowed: false,
      message: expect.stringContaining(`spec.failover.cluster.gracePeriodSeconds: ${message}`),
    });
  });
});

describe('003 the eviction task', () => {
  test('003 example binding: the task has the grace period of the policy as its timeout', () => {
    const { spec } = parse(CLUSTER_BINDING_SPEC) as { spec: ResourceBindingSpec };
    const task: GracefulEvictionTask = spec.gracefulEvictionTasks![0]!;
    expect(evictionDeadline(task, evictionClock(START, option))).toBe(instant('2023-06-05T11:35:11Z'));
    expect(evictionDeadline(task, evictionClock(START, evicting('proposal')))).toBeUndefined();
    expect(kept(play(spec.failover!.cluster))).toBe(100);
  });

  test('003 nil: evicts gracefully, with the timeout of the flag', () => {
    const simulation = play(undefined);
    expect(simulation.events.find(({ type }) => type === 'Evicted')!.message).toBe(
      'evicted from member1, Gracefully',
    );
    expect(kept(simulation)).toBe(600);
    const shorter = evicting(VERSION, { 'graceful-eviction-timeout': 60_000 });
    expect(kept(play(undefined, { configuration: shorter }))).toBe(60);
  });

  test('003 gracePeriodSeconds: if absent, the flag sets the timeout', () => {
    expect(kept(play({ purgeMode: 'Graciously' }))).toBe(600);
  });

  test('003 Graciously: a healthy replacement ends the task before the timeout', () => {
    const simulation = play({ purgeMode: 'Graciously', gracePeriodSeconds: 100 }, { readyAfterSeconds: 20 });
    expect(kept(simulation)).toBeLessThan(30);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves' });
  });

  test('003 Immediately: the old copy is deleted before the new one is written', () => {
    const types = play({ purgeMode: 'Immediately' }, { readyAfterSeconds: 20 }).events.map(
      ({ type, cluster: where = '' }) => `${type} ${where}`,
    );
    expect(types.indexOf('WorkDeleted member1')).toBeGreaterThan(0);
    expect(types.indexOf('WorkDeleted member1')).toBeLessThan(types.indexOf('WorkCreated member2'));
  });

  test('003 Never: the old copy stays until it is deleted manually, even with a healthy replacement', () => {
    const never = { purgeMode: 'Never' } as const;
    const stays = play(never, { readyAfterSeconds: 20 });
    expect(when(stays, 'TaskEnded')).toEqual([]);
    expect(outcomeOf(stays, 'nginx')).toMatchObject({ outcome: 'blocked', evicting: ['member1'] });
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'nginx-deployment' };
    const cleaned = play(never, {
      readyAfterSeconds: 20,
      events: [[3600, { type: 'patch', target, merge: { spec: { gracefulEvictionTasks: [] } } }]],
    });
    expect(when(cleaned, 'WorkDeleted')).toEqual([3600]);
    expect(outcomeOf(cleaned, 'nginx')).toMatchObject({ outcome: 'moves', evicting: [] });
  });

  test.each<[string, Toleration[], number[]]>([
    ['without a toleration: at once', [], [0]],
    ['tolerated for 60 s: after 60 s', [{ operator: 'Exists', tolerationSeconds: 60 }], [60]],
    ['tolerated permanently: never', [{ operator: 'Exists' }], []],
  ])('003 taint manager: clusterTolerations decide when failover starts: %s', (_, tolerations, evicted) => {
    expect(
      when(play({ purgeMode: 'Graciously', gracePeriodSeconds: 100 }, { tolerations }), 'Evicted'),
    ).toEqual(evicted);
  });
});

test('003 with 004: each task has the grace period of its own kind of failover', () => {
  const both = evicting('proposal+configurable-cluster-failover+application-failover');
  expect(kept(play({ purgeMode: 'Graciously', gracePeriodSeconds: 100 }, { configuration: both }))).toBe(100);
  expect(kept(play(undefined, { configuration: both }))).toBe(600);
});

test('003 failover diff: warns of a policy with mode Never if the other version lacks the option', () => {
  const policy = {
    ...example,
    spec: { ...example.spec, failover: { cluster: { purgeMode: 'Never' as const } } },
  };
  const world = { ...plainWorld(members, []), policies: [policy] };
  const { rules } = dialectOf('v1.18').dialect;
  expect(unknownPurgeModes(world, option.rules, rules)).toMatchObject([
    { field: 'spec.failover.cluster.purgeMode', purgeMode: 'Never', known: ['Directly', 'Gracefully'] },
  ]);
  expect(unknownPurgeModes(world, rules, option.rules)).toEqual([]);
});
