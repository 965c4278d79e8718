import { describe, expect, test } from '@jest/globals';
import type { GracefulEvictionTask, ResourceBinding, ResourceHealth } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import {
  type EvictionClock,
  type EvictionRule,
  countedForRetry,
  countedTasks,
  endsTask,
  evictionClock,
  evictionDeadline,
  evictionRule,
  graceEnd,
} from '../../../src/karmada/eviction/evictionRule.ts';
import { evictionEvidence } from '../../../src/karmada/eviction/evictionAssessment.ts';
import { isScheduled, replacementOf } from '../../../src/karmada/eviction/replacement.ts';
import { instant, rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';

const START = instant('2026-03-14T09:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const clock = (now: number, rules = v1_18.rules): EvictionClock => ({
  now,
  gracefulEvictionTimeout: 10 * MINUTE,
  plugins: rules.eviction.evictPlugins,
  rules,
});

const task = (rest: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'a',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: rfc3339(START),
  ...rest,
});

const elsewhere = { has: (cluster: string) => cluster !== 'a' };
const HEALTHY = { scheduled: true, healthy: () => true, ...elsewhere };
const UNHEALTHY = { scheduled: true, healthy: () => false, ...elsewhere };
const UNSCHEDULED = { scheduled: false, healthy: () => true, ...elsewhere };

describe('the first matching rule of an eviction task', () => {
  test.each<[EvictionRule, string, GracefulEvictionTask, typeof HEALTHY, number]>([
    ['new', 'has no creationTimestamp', task({ creationTimestamp: undefined }), HEALTHY, 60],
    [
      'new',
      'has Go’s zero time as creationTimestamp',
      task({ creationTimestamp: '0001-01-01T00:00:00Z' }),
      HEALTHY,
      60,
    ],
    ['new', 'is held but new', task({ creationTimestamp: undefined, suppressDeletion: true }), HEALTHY, 60],
    ['suppressed', 'is held after its deadline', task({ suppressDeletion: true }), HEALTHY, 60],
    [
      'released',
      'is completed without a healthy replacement',
      task({ suppressDeletion: false }),
      UNHEALTHY,
      0,
    ],
    ['timeout', 'is older than the flag allows', task(), UNHEALTHY, 10.001],
    ['waiting', 'is exactly as old as the flag allows', task(), UNHEALTHY, 10],
    ['timeout', 'is older than its own grace period', task({ gracePeriodSeconds: 60 }), UNHEALTHY, 1.001],
    ['waiting', 'has a grace period longer than the flag', task({ gracePeriodSeconds: 1200 }), UNHEALTHY, 15],
    ['timeout', 'has a grace period of zero', task({ gracePeriodSeconds: 0 }), UNHEALTHY, 0.001],
    ['healthy', 'has a healthy replacement', task(), HEALTHY, 1],
    ['waiting', 'has a replacement that is not scheduled yet', task(), UNSCHEDULED, 1],
  ])('is "%s" if the task %s', (rule, _why, one, replaced, minutes) => {
    expect(evictionRule(one, replaced, clock(START + minutes * MINUTE))).toBe(rule);
  });

  test('is "returned" if the result contains its cluster again and the plugin InBoth is enabled', () => {
    const back = { ...UNHEALTHY, has: (cluster: string) => cluster === 'a' };
    const by = (plugins: EvictionClock['plugins']) => ({ ...clock(START + MINUTE), plugins });
    expect(evictionRule(task(), back, by(['InBoth', 'ResourceHealth']))).toBe('returned');
    expect(evictionRule(task(), UNHEALTHY, by(['InBoth']))).toBe('waiting');
    expect(evictionRule(task(), back, by(['ResourceHealth']))).toBe('waiting');
  });

  test('ignores health until the replacement is scheduled', () => {
    const asked = {
      ...elsewhere,
      scheduled: false,
      healthy: () => {
        throw new Error('asked too early');
      },
    };
    expect(evictionRule(task(), asked, clock(START))).toBe('waiting');
  });

  test('ends the task if the rule is released, timeout, returned or healthy', () => {
    const all = ['new', 'suppressed', 'released', 'timeout', 'returned', 'healthy', 'waiting'] as const;
    expect(all.filter(endsTask)).toEqual(['released', 'timeout', 'returned', 'healthy']);
  });
});

describe('the deadline of an eviction task', () => {
  test('is its creation plus its grace period, or plus the flag without one', () => {
    expect(evictionDeadline(task(), clock(START))).toBe(START + 10 * MINUTE);
    expect(evictionDeadline(task({ gracePeriodSeconds: 30 }), clock(START))).toBe(START + 30 * SECOND);
  });

  test.each([true, false])(
    'is absent if suppressDeletion is %s, although the timeout runs',
    (suppressDeletion) => {
      expect(evictionDeadline(task({ suppressDeletion }), clock(START))).toBeUndefined();
      expect(graceEnd(task({ suppressDeletion }), clock(START))).toBe(START + 10 * MINUTE);
    },
  );

  test('is absent while the task is new', () => {
    expect(evictionDeadline(task({ creationTimestamp: undefined }), clock(START))).toBeUndefined();
  });

  test('uses the flag of the controller manager in milliseconds', () => {
    const { controllerManager } = v1_18.defaults;
    const configuration = {
      controllerManager: { ...controllerManager, 'graceful-eviction-timeout': 90 * SECOND },
      rules: v1_18.rules,
    } as Parameters<typeof evictionClock>[1];
    expect(evictionClock(START, configuration)).toEqual({
      now: START,
      gracefulEvictionTimeout: 90 * SECOND,
      plugins: ['ResourceHealth'],
      rules: v1_18.rules,
    });
  });
});

function binding(
  health: Record<string, ResourceHealth | undefined>,
  { generation = 7, observed = 7 }: { generation?: number; observed?: number } = {},
  tasks: GracefulEvictionTask[] = [task()],
): ResourceBinding {
  const clusters = Object.keys(health);
  return {
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'shop', generation },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' },
      clusters: clusters.map((name) => ({ name, replicas: 1 })),
      gracefulEvictionTasks: tasks,
    },
    status: {
      schedulerObservedGeneration: observed,
      aggregatedStatus: clusters
        .filter((name) => health[name])
        .map((clusterName) => ({ clusterName, applied: true, health: health[clusterName] })),
    },
  };
}

describe('the replacement', () => {
  const { rules } = v1_18;

  test('is healthy if every target cluster reports Healthy', () => {
    expect(replacementOf(binding({ b: 'Healthy', c: 'Healthy' }), rules).healthy()).toBe(true);
    expect(replacementOf(binding({ b: 'Healthy', c: 'Unknown' }), rules).healthy()).toBe(false);
    expect(replacementOf(binding({ b: 'Healthy', c: undefined }), rules).healthy()).toBe(false);
  });

  test('is healthy if the result has no cluster', () => {
    expect(replacementOf(binding({}), rules).healthy()).toBe(true);
    const empty = binding({});
    delete empty.spec.clusters;
    delete empty.status;
    expect(replacementOf(empty, rules).healthy()).toBe(true);
  });

  test('is scheduled if the scheduler has observed the current generation', () => {
    expect(replacementOf(binding({}), rules).scheduled).toBe(true);
    expect(replacementOf(binding({}, { observed: 6 }), rules).scheduled).toBe(false);
  });

  test('has exactly the clusters of the scheduling result', () => {
    const { has } = replacementOf(binding({ b: 'Healthy' }), v1_18.rules);
    expect([has('a'), has('b')]).toEqual([false, true]);
  });

  test('has the health of the first status item of a cluster', () => {
    const one = binding({ b: 'Unhealthy' });
    one.status!.aggregatedStatus!.push({ clusterName: 'b', health: 'Healthy' });
    expect(replacementOf(one, v1_18.rules).healthy()).toBe(false);
  });

  test('counts as scheduled in versions that process only scheduled bindings', () => {
    const asking = dialectOf('v1.18.2').dialect.rules;
    const old = { ...asking, eviction: { ...asking.eviction, taskAssessment: 'scheduledBindings' } } as const;
    expect(replacementOf(binding({}, { observed: 6 }), old as typeof asking).scheduled).toBe(true);
  });

  test('counts as scheduled if both generations are missing', () => {
    const bare = binding({});
    delete bare.metadata.generation;
    delete bare.status;
    expect(isScheduled(bare)).toBe(true);
  });
});

describe('the evidence of the rule', () => {
  const evidenceOf = (one: ResourceBinding, index: number, rule: EvictionRule, at: EvictionClock) =>
    countedTasks(one.spec.gracefulEvictionTasks ?? [], at.rules)
      .slice(index, index + 1)
      .flatMap((counted) => evictionEvidence(counted, index, rule, one, at));
  const reported = (one: ResourceBinding, rule: EvictionRule, now = START + MINUTE) =>
    evidenceOf(one, 0, rule, clock(now));

  test('"new" names the missing creationTimestamp', () => {
    expect(reported(binding({}), 'new')).toEqual([
      {
        rule: 'the graceful eviction controller has not seen the task yet; its grace period starts then',
        field: 'spec.gracefulEvictionTasks[0].creationTimestamp',
      },
    ]);
  });

  test.each([
    ['suppressed', true],
    ['released', false],
  ] as const)('"%s" names suppressDeletion', (rule, value) => {
    expect(reported(binding({}), rule)).toEqual([
      { rule: expect.any(String), field: 'spec.gracefulEvictionTasks[0].suppressDeletion', value },
    ]);
  });

  test('"returned" names the cluster', () => {
    expect(reported(binding({}), 'returned')).toEqual([
      { rule: 'the result has a again', field: 'spec.clusters', value: 'a' },
    ]);
  });

  test('"timeout" names the flag', () => {
    expect(reported(binding({}), 'timeout')).toEqual([
      {
        rule: expect.stringMatching(
          /^the time limit of 10m\S* ended at 2026-03-14T09:10:00Z \(graceful-eviction-timeout\)$/,
        ),
        field: 'spec.gracefulEvictionTasks[0].creationTimestamp',
        value: '2026-03-14T09:00:00Z',
      },
    ]);
  });

  test('"timeout" names the grace period of the task, even if it is zero', () => {
    const one = binding({}, {}, [task({ gracePeriodSeconds: 0 })]);
    expect(reported(one, 'timeout')).toEqual([
      {
        rule: expect.stringContaining('ended at 2026-03-14T09:00:00Z (gracePeriodSeconds)'),
        field: 'spec.gracefulEvictionTasks[0].gracePeriodSeconds',
        value: 0,
      },
    ]);
  });

  test('"healthy" names the observed generation and the healthy clusters', () => {
    expect(reported(binding({ b: 'Healthy', c: 'Healthy' }), 'healthy')).toEqual([
      {
        rule: 'the current spec has been scheduled',
        field: 'status.schedulerObservedGeneration',
        value: 7,
      },
      {
        rule: 'every cluster of the result reports Healthy',
        field: 'spec.clusters',
        value: ['b', 'c'],
      },
    ]);
  });

  test('"healthy" explains an empty scheduling result', () => {
    const one = binding({});
    delete one.spec.clusters;
    expect(reported(one, 'healthy')[1]).toEqual({
      rule: 'the result names no cluster, so none is unhealthy',
      field: 'spec.clusters',
      value: [],
    });
  });

  test('"waiting" names the unhealthy clusters and the deadline', () => {
    expect(reported(binding({ b: 'Unhealthy', c: undefined, d: 'Healthy' }), 'waiting')).toEqual([
      {
        rule: expect.stringMatching(
          /^the time limit of 10m\S* runs until 2026-03-14T09:10:00Z \(graceful-eviction-timeout\)$/,
        ),
        field: 'spec.gracefulEvictionTasks[0].creationTimestamp',
        value: '2026-03-14T09:00:00Z',
      },
      {
        rule: 'the current spec has been scheduled',
        field: 'status.schedulerObservedGeneration',
        value: 7,
      },
      { rule: 'b reports Unhealthy', field: 'status.aggregatedStatus', value: 'Unhealthy' },
      { rule: 'c has reported nothing', field: 'status.aggregatedStatus' },
    ]);
  });

  test('"waiting" names only the scheduler while the spec is not scheduled', () => {
    const evidence = reported(binding({ b: 'Unhealthy' }, { observed: 6 }), 'waiting');
    expect(evidence.slice(1)).toEqual([
      {
        rule: 'the current spec (generation 7) has not been scheduled',
        field: 'status.schedulerObservedGeneration',
        value: 6,
      },
    ]);
  });

  test('"waiting" has generation 0 if the scheduler has never observed the binding', () => {
    const one = binding({ b: 'Unhealthy' });
    delete one.status;
    expect(reported(one, 'waiting')[1]).toMatchObject({ value: 0 });
  });

  test('"waiting" names no deadline in the design without timeouts', () => {
    const { rules } = dialectOf('proposal').dialect;
    const evidence = evidenceOf(binding({ b: 'Healthy' }), 0, 'waiting', clock(START, rules));
    expect(evidence[0]).toEqual({ rule: 'tasks do not time out: the old copy stays until it is replaced' });
  });

  test('"waiting" names evict-plugins if it omits ResourceHealth', () => {
    const evidence = evidenceOf(binding({ b: 'Healthy' }), 0, 'waiting', {
      ...clock(START),
      plugins: ['InBoth'],
    });
    expect(evidence.slice(1)).toEqual([
      { rule: 'evict-plugins omits ResourceHealth: a healthy replacement does not end the task' },
    ]);
  });

  test('"waiting" names the empty result in versions that require a replacement', () => {
    const { rules } = v1_18;
    const asking = { ...rules, eviction: { ...rules.eviction, emptyResult: 'unscheduled' as const } };
    expect(evidenceOf(binding({}), 0, 'waiting', clock(START, asking)).at(-1)).toEqual({
      rule: 'the result names no cluster, so nothing replaces the old copy',
      field: 'spec.clusters',
      value: [],
    });
  });

  test('"unattended" names the flag that disables the controller', () => {
    const without: EvictionClock = { ...clock(START + 60 * MINUTE), unattended: true };
    expect(evictionRule(task(), HEALTHY, without)).toBe('unattended');
    expect(evictionDeadline(task(), without)).toBeUndefined();
    expect(evidenceOf(binding({ b: 'Healthy' }), 0, 'unattended', without)).toEqual([
      {
        rule: expect.stringContaining(
          'does not start the graceful eviction controller (controllers): the task never ends',
        ),
      },
    ]);
  });

  test('names the inherited grace period in versions that take it from an earlier task', () => {
    const { rules } = dialectOf('v1.18.2').dialect;
    const leaking = {
      ...rules,
      eviction: { ...rules.eviction, gracePeriods: 'leakIntoTimeouts' },
    } as typeof rules;
    const one = binding({}, {}, [task({ gracePeriodSeconds: 60 }), task({ fromCluster: 'b' })]);
    expect(evidenceOf(one, 1, 'timeout', clock(START, leaking))[0]).toMatchObject({
      field: 'spec.gracefulEvictionTasks[1].gracePeriodSeconds',
      value: 60,
    });
    expect(evidenceOf(one, 1, 'timeout', clock(START))[0]).toMatchObject({
      field: 'spec.gracefulEvictionTasks[1].creationTimestamp',
    });
  });
});

const rulesOf = (version: string) => dialectOf(version).dialect.rules;
const taskOfGrace = (
  gracePeriodSeconds?: number,
  rest: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask => ({
  fromCluster: 'm1',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: '2026-03-14T09:00:00Z',
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...rest,
});
const graces = (tasks: GracefulEvictionTask[]) => tasks.map(({ gracePeriodSeconds }) => gracePeriodSeconds);

describe('the grace period of a task without its own', () => {
  const list = [taskOfGrace(), taskOfGrace(5), taskOfGrace(), taskOfGrace(0), taskOfGrace()];

  test('is not inherited from other tasks in current versions', () => {
    for (const version of ['v1.14.10', 'v1.17.0', 'v1.18.2'])
      for (const counted of [countedTasks, countedForRetry])
        expect(counted(list, rulesOf(version))).toBe(list);
  });

  test('is inherited from the last task before it for timeouts in v1.14.2', () => {
    expect(graces(countedTasks(list, rulesOf('v1.14.2')))).toEqual([undefined, 5, 5, 0, 0]);
    expect(countedForRetry(list, rulesOf('v1.14.2'))).toBe(list);
  });

  test('is not inherited from a new task in v1.14.2', () => {
    const withNew = [
      taskOfGrace(9, { creationTimestamp: undefined }),
      taskOfGrace(),
      taskOfGrace(5),
      taskOfGrace(7, { creationTimestamp: undefined }),
      taskOfGrace(),
    ];
    expect(graces(countedTasks(withNew, rulesOf('v1.14.2')))).toEqual([9, undefined, 5, 7, 5]);
  });

  test('is inherited from an earlier task for the next reconcile in v1.11.0, except for held and released tasks', () => {
    const withHeld = [
      taskOfGrace(9, { suppressDeletion: true }),
      taskOfGrace(undefined, { suppressDeletion: false }),
      taskOfGrace(),
      taskOfGrace(5),
      taskOfGrace(undefined, { suppressDeletion: true }),
      taskOfGrace(),
    ];
    expect(graces(countedForRetry(withHeld, rulesOf('v1.11.0')))).toEqual([
      9,
      undefined,
      undefined,
      5,
      undefined,
      5,
    ]);
    expect(countedTasks(withHeld, rulesOf('v1.11.0'))).toBe(withHeld);
  });

  test('does not change the stored tasks', () => {
    countedTasks(list, rulesOf('v1.14.2'));
    expect(graces(list)).toEqual([undefined, 5, undefined, 0, undefined]);
  });
});
