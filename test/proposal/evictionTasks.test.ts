import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evictionClock, type EvictionRule } from '../../src/karmada/eviction/evictionRule.ts';
import { assessEvictionTasks, assessmentEvidence } from '../../src/karmada/eviction/evictionAssessment.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { parseAssumption } from '../../src/karmada/configuration/assumptions.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import type { GracefulEvictionTask } from '../../src/karmada/api/work.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import {
  cluster,
  deployment,
  outcomeOf,
  run,
  START,
  story,
  type When,
} from '../simulator/simulation/controlPlane.ts';
import {
  CLOSED,
  copiesOn,
  evicting,
  FAULT,
  migrating,
  onOneOf,
  plainWorld,
  taskFrom,
} from './underDesign.ts';

const proposal = evicting('proposal');
const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
const either = onOneOf('member1', 'member2');
const DAY = 24 * 3600;

/** The rule for the only task of a binding a day after it was created. */
function ruleOf(binding: ReturnType<typeof migrating>, configuration = proposal): EvictionRule {
  const clock = evictionClock(START + DAY * 1000, configuration);
  return assessEvictionTasks(binding, clock).rules[0]!;
}

/** nginx runs on member1, which fails at the start and recovers later, and takes a while to start elsewhere. */
function play(
  placement: Placement,
  {
    fails = 0,
    recovers,
    readyAfter = 20,
    clusters = members,
    configuration = proposal,
  }: {
    fails?: number;
    /** seconds after the start; absent: never */
    recovers?: number;
    /** seconds */
    readyAfter?: number;
    clusters?: typeof members;
    configuration?: typeof proposal;
  } = {},
): Simulation {
  const nginx = deployment('nginx', { placement, replicas: 3, clusters: [{ name: 'member1', replicas: 3 }] });
  const events: When['events'] = [
    [fails, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }],
  ];
  if (recovers !== undefined) events.push([recovers, { type: 'untaint', cluster: 'member1', key: 'fault' }]);
  return run(plainWorld(clusters, [nginx]), { configuration, readyAfterSeconds: readyAfter, events });
}

const when = ({ events }: Simulation, type: string) =>
  events.filter((event) => event.type === type).map(({ time }) => Math.floor((time - START) / 1000));

describe('001 solution strategy 1: graceful-eviction-timeout is deprecated', () => {
  test.each<[string, GracefulEvictionTask]>([
    ['without gracePeriodSeconds', taskFrom('member1')],
    ['with gracePeriodSeconds', taskFrom('member1', { gracePeriodSeconds: 60 })],
  ])('001 no timeout: a task %s still waits after a day, where v1.18 ends it', (_, task) => {
    const binding = migrating(either, { tasks: [task] });
    expect(ruleOf(binding)).toBe('waiting');
    expect(ruleOf(binding, evicting('v1.18'))).toBe('timeout');
  });

  test('001 no timeout: the controller does not requeue, and the evidence states that tasks do not time out', () => {
    const binding = migrating(either);
    const clock = evictionClock(START, proposal);
    const assessment = assessEvictionTasks(binding, clock);
    expect(assessment.nextRetry).toBe(0);
    expect(assessmentEvidence(binding, assessment, clock)[0]!.rule).toMatch(/tasks do not time out/);
  });

  test('001 no timeout: the flag graceful-eviction-timeout is accepted, and ignored', () => {
    const configuration = evicting('proposal', { 'graceful-eviction-timeout': 1000 });
    expect(ruleOf(migrating(either), configuration)).toBe('waiting');
  });

  test('001 no timeout: a workload whose replacement never runs keeps its old copy', () => {
    const nowhere = play(either, { clusters: [members[0]!, cluster('member2', [CLOSED])] });
    expect(outcomeOf(nowhere, 'nginx')).toMatchObject({ outcome: 'blocked', evicting: ['member1'] });
    expect(when(nowhere, 'TaskEnded')).toEqual([]);
    const shipped = play(either, {
      clusters: [members[0]!, cluster('member2', [CLOSED])],
      configuration: evicting('v1.18'),
    });
    expect(outcomeOf(shipped, 'nginx')).toMatchObject({ outcome: 'lost', evicting: [] });
  });

  test.each([true, false])(
    '001 no timeout: suppressDeletion %s decides as in releases',
    (suppressDeletion) => {
      const binding = migrating(either, {
        tasks: [taskFrom('member1', { suppressDeletion })],
        healthy: true,
      });
      expect(ruleOf(binding)).toBe(suppressDeletion ? 'suppressed' : 'released');
    },
  );
});

describe('001 solution strategy 2: the ClusterEviction plugin is deprecated', () => {
  test('001 no ClusterEviction: the scheduler may place a workload on a cluster that has a task', () => {
    const back = play(onOneOf('member1', 'member2'), {
      clusters: [members[0]!, cluster('member2', [CLOSED])],
      recovers: 60,
    });
    expect(story(back, 'nginx')).toEqual([
      '0s Evicted member1',
      '0s ScheduleFailed',
      '0s TaskStamped',
      '60s Scheduled',
      '60s TaskEnded member1',
    ]);
  });

  test('001 no ClusterEviction: for a cluster in both the result and a task, the task is removed and the copy kept', () => {
    const binding = migrating(either, { tasks: [taskFrom('member2')] });
    const clock = evictionClock(START, proposal);
    const assessment = assessEvictionTasks(binding, clock);
    expect(assessment).toMatchObject({ rules: ['returned'], keptTasks: [], evictedClusters: ['member2'] });
    expect(assessmentEvidence(binding, assessment, clock)).toEqual([
      { rule: 'the result has member2 again', field: 'spec.clusters', value: 'member2' },
    ]);
  });

  test('001 no ClusterEviction: during the fault, a limited toleration does not return the workload', () => {
    const placement: Placement = {
      ...copiesOn(1, 'member1', 'member2'),
      clusterTolerations: [{ key: 'fault', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }],
    };
    const simulation = play(placement);
    expect(story(simulation, 'nginx').slice(1, 3)).toEqual(['30s Evicted member1', '30s Scheduled']);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'member2', replicas: 3 }],
    });
  });
});

describe('001 optimization point 1: evict-plugins', () => {
  const replaced = migrating(either, { healthy: true });
  const returned = migrating(either, { tasks: [taskFrom('member2')] });
  const neither = migrating(either);

  test.each([
    // any of the enabled plugins suffices
    ['*', 'healthy', 'returned'],
    ['ResourceHealth,InBoth', 'healthy', 'returned'],
    ['ResourceHealth', 'healthy', 'waiting'],
    ['InBoth', 'waiting', 'returned'],
    ['*,-InBoth', 'healthy', 'waiting'],
    ['', 'waiting', 'waiting'],
  ] as const)(
    '001 evict-plugins=%s: a healthy result is %s, a returned cluster %s',
    (plugins, health, both) => {
      const configuration = evicting('proposal', { 'evict-plugins': plugins });
      expect(ruleOf(replaced, configuration)).toBe(health);
      expect(ruleOf(returned, configuration)).toBe(both);
      expect(ruleOf(neither, configuration)).toBe('waiting');
    },
  );

  test.each(['Unhealthy', 'Unknown', undefined] as const)(
    '001 ResourceHealth: passes for Healthy only, and fails for %s',
    (health) => {
      const aggregatedStatus = [{ clusterName: 'member2', applied: true, ...(health && { health }) }];
      expect(ruleOf({ ...neither, status: { ...neither.status, aggregatedStatus } })).toBe('waiting');
    },
  );

  test('001 ResourceHealth: fails for an empty result, which is a failed scheduling', () => {
    const { spec } = neither;
    const scaledToNothing = { ...neither, spec: { ...spec, replicas: 0, clusters: [] } };
    expect(ruleOf(scaledToNothing)).toBe('waiting');
    const shipped = evictionClock(START, evicting('v1.18'));
    expect(assessEvictionTasks(scaledToNothing, shipped).rules).toEqual(['healthy']);
  });

  test('001 evict-plugins: releases check only health, and have no such flag', () => {
    const { dialect } = dialectOf('v1.18');
    expect(evictionClock(START, dialect.defaults).plugins).toEqual(['ResourceHealth']);
    expect(parseAssumption('evict-plugins=InBoth', 'a test', dialect)).toMatchObject({
      message:
        'evict-plugins has no effect in v1.18: Karmada has it in the design optimize-cluster-failover; leave it out, or name a version that has it',
    });
  });
});

describe('001 system behavior: after the cluster recovers, by the scheduling result', () => {
  const placements: [string, Placement][] = [
    ['Divided', either],
    ['Duplicated', copiesOn(1, 'member1', 'member2')],
  ];
  const untaint: When['events'] = [[0, { type: 'untaint', cluster: 'member1', key: 'fault' }]];
  const faulty = [cluster('member1', [FAULT]), members[1]!];
  const onMember2 = { after: [{ name: 'member2', replicas: 3 }], evicting: [] };
  const onMember1 = { outcome: 'stays', after: [{ name: 'member1', replicas: 3 }], evicting: [] };

  test.each(placements)(
    '001 system behavior 1: success, running, task not cleared: wait until the migration is complete (%s)',
    (_, placement) => {
      const simulation = run(plainWorld(faulty, [migrating(placement, { healthy: true })]), {
        configuration: proposal,
        events: untaint,
      });
      expect(story(simulation, 'nginx')).toEqual([
        '0s TaskEnded member1',
        '0s WorkDeleted member1',
        '0s WorkRemoved member1',
      ]);
      expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves', ...onMember2 });
    },
  );

  test.each(placements)(
    '001 system behavior 2: success, running, task cleared: the migration is complete and permanent (%s)',
    (_, placement) => {
      const simulation = play(placement, { recovers: 120 });
      const [ended] = when(simulation, 'TaskEnded');
      expect(ended).toBeLessThan(60);
      expect(
        simulation.events.filter(
          ({ time, object }) => time > START + 120_500 && object.kind === 'ResourceBinding',
        ),
      ).toEqual([]);
      expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves', ...onMember2 });
    },
  );

  test.each(placements)(
    '001 system behavior 3: success, not running, task not cleared: wait until the migration is complete (%s)',
    (_, placement) => {
      const simulation = play(placement, { recovers: 60, readyAfter: 3600 });
      expect(when(simulation, 'Scheduled')).toEqual([0]);
      const [ended] = when(simulation, 'TaskEnded');
      expect(ended).toBeGreaterThanOrEqual(3600);
      expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves', ...onMember2 });
    },
  );

  test.each(placements)(
    '001 system behavior 4: success, not running, task cleared: wait until the migration is complete (%s)',
    (_, placement) => {
      const simulation = run(plainWorld(faulty, [migrating(placement, { tasks: [] })]), {
        configuration: proposal,
        events: untaint,
      });
      expect(when(simulation, 'Scheduled')).toEqual([]);
      expect(outcomeOf(simulation, 'nginx')).toMatchObject(onMember2);
    },
  );

  test.each(placements)(
    '001 system behavior 5: finished with an empty result: restore the previous result, and clear the task (%s)',
    (_, placement) => {
      const simulation = play(placement, {
        clusters: [members[0]!, cluster('member2', [CLOSED])],
        recovers: 60,
      });
      expect(simulation.events.find(({ type }) => type === 'ScheduleFailed')).toMatchObject({
        reason: 'NoClusterFit',
        clusters: [],
      });
      expect(story(simulation, 'nginx').slice(-2)).toEqual(['60s Scheduled', '60s TaskEnded member1']);
      expect(outcomeOf(simulation, 'nginx')).toMatchObject(onMember1);
    },
  );

  test('001 system behavior 6: failed: restore the previous result, and clear the task', () => {
    const full = {
      ...members[1]!,
      status: {
        ...members[1]!.status,
        resourceSummary: { allocatable: { cpu: '100', pods: '11' }, allocated: { pods: '10' } },
      },
    };
    const placement: Placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    };
    const before = [
      { name: 'member1', replicas: 3 },
      { name: 'member2', replicas: 1 },
    ];
    const simulation = run(
      plainWorld(
        [members[0]!, full, cluster('member3', [CLOSED])],
        [deployment('nginx', { placement, replicas: 4, clusters: before })],
      ),
      {
        configuration: proposal,
        events: [
          [0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }],
          [60, { type: 'untaint', cluster: 'member1', key: 'fault' }],
        ],
      },
    );
    expect(simulation.events.find(({ type }) => type === 'ScheduleFailed')).toMatchObject({
      reason: 'Unschedulable',
    });
    expect(story(simulation, 'nginx').slice(-2)).toEqual(['60s Scheduled', '60s TaskEnded member1']);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'stays', after: before, evicting: [] });
  });
});

describe('001 problem analysis: issue 3747', () => {
  const withoutPlace = { clusters: [members[0]!, cluster('member2', [CLOSED])], recovers: 60 };

  test('001 problem analysis: an empty result is a failed scheduling', () => {
    const [failed] = play(either, withoutPlace).events.filter(({ type }) => type === 'ScheduleFailed');
    expect(failed).toMatchObject({ reason: 'NoClusterFit', clusters: [], evicting: ['member1'] });
  });

  test('001 problem analysis: v1.13.0 deadlocks', () => {
    const simulation = play(either, { ...withoutPlace, configuration: evicting('v1.13.0') });
    expect(simulation.atRest).toBe(true);
    expect(when(simulation, 'TaskStamped')).toEqual([]);
    expect(when(simulation, 'Scheduled')).toEqual([]);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      outcome: 'blocked',
      after: [],
      evicting: ['member1'],
      reason: expect.stringContaining('in the process of eviction'),
    });
  });

  test('001 solution strategy: under the design the same failure restores the workload on its cluster', () => {
    const simulation = play(either, withoutPlace);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      outcome: 'stays',
      after: [{ name: 'member1', replicas: 3 }],
      evicting: [],
    });
  });
});

describe('001 expected behavior: a migration continues until the new instance runs', () => {
  const seconds = (max: number) => fc.integer({ min: 0, max });

  test('001 expected behavior: no task ends before the result is healthy, unless its cluster is in the result again', () => {
    const aRecovery = fc.record({
      recovers: fc.option(seconds(300), { nil: undefined }),
      readyAfter: seconds(900),
      placement: fc.constantFrom(
        either,
        copiesOn(1, 'member1', 'member2'),
        copiesOn(1, 'member1', 'member2', 'member3'),
      ),
      crowded: fc.boolean(),
    });
    fc.assert(
      fc.property(aRecovery, ({ crowded, placement, ...incident }) => {
        const clusters = crowded ? [members[0]!, cluster('member2', [CLOSED]), members[2]!] : members;
        const { events } = play(placement, { ...incident, clusters });
        const health = new Map([['member1', 'Healthy']]);
        for (const { type, cluster: name = '', clusters: result = [], message = '' } of events) {
          if (type === 'HealthChanged') health.set(name, message);
          if (type !== 'TaskEnded') continue;
          const names = result.map((target) => target.name);
          const isBack = names.includes(name);
          expect(names).not.toEqual([]);
          expect(isBack || names.every((target) => health.get(target) === 'Healthy')).toBe(true);
        }
      }),
    );
  });

  test('001 expected behavior: a scheduled workload stays scheduled even if the cluster recovers before it runs', () => {
    fc.assert(
      fc.property(seconds(200), seconds(600), (recovers, readyAfter) => {
        const simulation = play(either, { recovers: recovers + 1, readyAfter });
        expect(outcomeOf(simulation, 'nginx').after).toEqual([{ name: 'member2', replicas: 3 }]);
      }),
      { numRuns: 50 },
    );
  });

  test('001 system failure impact 3: to restore the old state, an operator edits the binding', () => {
    const fixed = { spec: { clusters: [{ name: 'member1', replicas: 3 }], gracefulEvictionTasks: [] } };
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'nginx-deployment' };
    const simulation = run(plainWorld([members[0]!, members[1]!], [migrating(either)]), {
      configuration: proposal,
      events: [[1, { type: 'patch', target, merge: fixed }]],
    });
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      after: [{ name: 'member1', replicas: 3 }],
      evicting: [],
    });
  });
});

test('001 no timeout: a task without creationTimestamp still gets one first', () => {
  const binding = migrating(either, {
    tasks: [taskFrom('member1', { creationTimestamp: undefined })],
    healthy: true,
  });
  const { keptTasks, rules } = assessEvictionTasks(binding, evictionClock(START, proposal));
  expect(rules).toEqual(['new']);
  expect(keptTasks[0]!.creationTimestamp).toBe(rfc3339(START));
});
