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
  timeIsUp,
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

describe('the rule that applies to a task is the first of these', () => {
  test.each<[EvictionRule, string, GracefulEvictionTask, typeof HEALTHY, number]>([
    ['new', 'has no creationTimestamp', task({ creationTimestamp: undefined }), HEALTHY, 60],
    ['new', 'has that of Go’s zero time', task({ creationTimestamp: '0001-01-01T00:00:00Z' }), HEALTHY, 60],
    ['new', 'is held, but new', task({ creationTimestamp: undefined, suppressDeletion: true }), HEALTHY, 60],
    ['suppressed', 'is held, though its time is up', task({ suppressDeletion: true }), HEALTHY, 60],
    ['released', 'is completed, though nothing replaces it', task({ suppressDeletion: false }), UNHEALTHY, 0],
    ['timeout', 'is older than the flag says', task(), UNHEALTHY, 10.001],
    ['waiting', 'is exactly as old', task(), UNHEALTHY, 10],
    ['timeout', 'is older than its own grace', task({ gracePeriodSeconds: 60 }), UNHEALTHY, 1.001],
    ['waiting', 'has a grace beyond the flag', task({ gracePeriodSeconds: 1200 }), UNHEALTHY, 15],
    ['timeout', 'has no grace at all', task({ gracePeriodSeconds: 0 }), UNHEALTHY, 0.001],
    ['healthy', 'is replaced', task(), HEALTHY, 1],
    ['waiting', 'is replaced by what is not scheduled', task(), UNSCHEDULED, 1],
  ])('%s: it %s', (rule, _why, one, replaced, minutes) => {
    expect(evictionRule(one, replaced, clock(START + minutes * MINUTE))).toBe(rule);
  });

  test('returned: the result has its cluster again, if InBoth is among the plugins', () => {
    const back = { ...UNHEALTHY, has: (cluster: string) => cluster === 'a' };
    const by = (plugins: EvictionClock['plugins']) => ({ ...clock(START + MINUTE), plugins });
    expect(evictionRule(task(), back, by(['InBoth', 'ResourceHealth']))).toBe('returned');
    expect(evictionRule(task(), UNHEALTHY, by(['InBoth']))).toBe('waiting');
    expect(evictionRule(task(), back, by(['ResourceHealth']))).toBe('waiting');
  });

  test('health is not asked for what is not scheduled', () => {
    const asked = {
      ...elsewhere,
      scheduled: false,
      healthy: () => {
        throw new Error('asked too early');
      },
    };
    expect(evictionRule(task(), asked, clock(START))).toBe('waiting');
  });

  test('a task ends if it is released, its time is up, its cluster is back or its replacement is healthy', () => {
    const all = ['new', 'suppressed', 'released', 'timeout', 'returned', 'healthy', 'waiting'] as const;
    expect(all.filter(endsTask)).toEqual(['released', 'timeout', 'returned', 'healthy']);
  });
});

describe('the deadline of a task', () => {
  test('is its creation and its grace, or the flag if it has none', () => {
    expect(evictionDeadline(task(), clock(START))).toBe(START + 10 * MINUTE);
    expect(evictionDeadline(task({ gracePeriodSeconds: 30 }), clock(START))).toBe(START + 30 * SECOND);
  });

  test.each([true, false])('there is none if suppressDeletion is %s, but time runs', (suppressDeletion) => {
    expect(evictionDeadline(task({ suppressDeletion }), clock(START))).toBeUndefined();
    expect(timeIsUp(task({ suppressDeletion }), clock(START))).toBe(START + 10 * MINUTE);
  });

  test('there is none while the task is new', () => {
    expect(evictionDeadline(task({ creationTimestamp: undefined }), clock(START))).toBeUndefined();
  });

  test('the flag is that of the controller manager, in milliseconds', () => {
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

  test('is healthy if each cluster of the result reports Healthy', () => {
    expect(replacementOf(binding({ b: 'Healthy', c: 'Healthy' }), rules).healthy()).toBe(true);
    expect(replacementOf(binding({ b: 'Healthy', c: 'Unknown' }), rules).healthy()).toBe(false);
    expect(replacementOf(binding({ b: 'Healthy', c: undefined }), rules).healthy()).toBe(false);
  });

  test('is healthy if the result names no cluster', () => {
    expect(replacementOf(binding({}), rules).healthy()).toBe(true);
    const empty = binding({});
    delete empty.spec.clusters;
    delete empty.status;
    expect(replacementOf(empty, rules).healthy()).toBe(true);
  });

  test('is scheduled if the scheduler has seen the present generation', () => {
    expect(replacementOf(binding({}), rules).scheduled).toBe(true);
    expect(replacementOf(binding({}, { observed: 6 }), rules).scheduled).toBe(false);
  });

  test('has the clusters of the result, and no others', () => {
    const { has } = replacementOf(binding({ b: 'Healthy' }), v1_18.rules);
    expect([has('a'), has('b')]).toEqual([false, true]);
  });

  test('uses the first item of a status that reports a cluster twice', () => {
    const one = binding({ b: 'Unhealthy' });
    one.status!.aggregatedStatus!.push({ clusterName: 'b', health: 'Healthy' });
    expect(replacementOf(one, v1_18.rules).healthy()).toBe(false);
  });

  test('versions that process only scheduled bindings do not ask', () => {
    const asking = dialectOf('v1.18.2').dialect.rules;
    const old = { ...asking, eviction: { ...asking.eviction, taskAssessment: 'scheduledBindings' } } as const;
    expect(replacementOf(binding({}, { observed: 6 }), old as typeof asking).scheduled).toBe(true);
  });

  test('what has neither generation counts as scheduled: zero is zero', () => {
    const bare = binding({});
    delete bare.metadata.generation;
    delete bare.status;
    expect(isScheduled(bare)).toBe(true);
  });
});

describe('the evidence names the inputs of the rule', () => {
  const evidenceOf = (one: ResourceBinding, index: number, rule: EvictionRule, at: EvictionClock) =>
    countedTasks(one.spec.gracefulEvictionTasks ?? [], at.rules)
      .slice(index, index + 1)
      .flatMap((counted) => evictionEvidence(counted, index, rule, one, at));
  const reported = (one: ResourceBinding, rule: EvictionRule, now = START + MINUTE) =>
    evidenceOf(one, 0, rule, clock(now));

  test('new', () => {
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
  ] as const)('%s', (rule, value) => {
    expect(reported(binding({}), rule)).toEqual([
      { rule: expect.any(String), field: 'spec.gracefulEvictionTasks[0].suppressDeletion', value },
    ]);
  });

  test('returned, with the cluster that the result has again', () => {
    expect(reported(binding({}), 'returned')).toEqual([
      { rule: 'the result has a again', field: 'spec.clusters', value: 'a' },
    ]);
  });

  test('timeout, by the flag', () => {
    expect(reported(binding({}), 'timeout')).toEqual([
      {
        rule: expect.stringMatching(
          /^the time of 10m\S* was over at 2026-03-14T09:10:00Z \(graceful-eviction-timeout\)$/,
        ),
        field: 'spec.gracefulEvictionTasks[0].creationTimestamp',
        value: '2026-03-14T09:00:00Z',
      },
    ]);
  });

  test('timeout, by its own grace, which may be zero', () => {
    const one = binding({}, {}, [task({ gracePeriodSeconds: 0 })]);
    expect(reported(one, 'timeout')).toEqual([
      {
        rule: expect.stringContaining('was over at 2026-03-14T09:00:00Z (gracePeriodSeconds)'),
        field: 'spec.gracefulEvictionTasks[0].gracePeriodSeconds',
        value: 0,
      },
    ]);
  });

  test('healthy', () => {
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

  test('healthy, as the result names no cluster', () => {
    const one = binding({});
    delete one.spec.clusters;
    expect(reported(one, 'healthy')[1]).toEqual({
      rule: 'the result names no cluster, so none is unhealthy',
      field: 'spec.clusters',
      value: [],
    });
  });

  test('waiting for clusters that are not healthy, and until when', () => {
    expect(reported(binding({ b: 'Unhealthy', c: undefined, d: 'Healthy' }), 'waiting')).toEqual([
      {
        rule: expect.stringMatching(
          /^the time of 10m\S* runs until 2026-03-14T09:10:00Z \(graceful-eviction-timeout\)$/,
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

  test('waiting for the scheduler: health says nothing before', () => {
    const evidence = reported(binding({ b: 'Unhealthy' }, { observed: 6 }), 'waiting');
    expect(evidence.slice(1)).toEqual([
      {
        rule: 'the current spec (generation 7) has not been scheduled',
        field: 'status.schedulerObservedGeneration',
        value: 6,
      },
    ]);
  });

  test('waiting for the scheduler, which has never seen it', () => {
    const one = binding({ b: 'Unhealthy' });
    delete one.status;
    expect(reported(one, 'waiting')[1]).toMatchObject({ value: 0 });
  });

  test('waiting for no instant, as the design has no timeout', () => {
    const { rules } = dialectOf('proposal').dialect;
    const evidence = evidenceOf(binding({ b: 'Healthy' }), 0, 'waiting', clock(START, rules));
    expect(evidence[0]).toEqual({ rule: 'tasks do not time out: the old copy stays until it is replaced' });
  });

  test('waiting though all is healthy, if evict-plugins leaves out health', () => {
    const evidence = evidenceOf(binding({ b: 'Healthy' }), 0, 'waiting', {
      ...clock(START),
      plugins: ['InBoth'],
    });
    expect(evidence.slice(1)).toEqual([
      { rule: 'evict-plugins omits ResourceHealth: a healthy replacement does not end the task' },
    ]);
  });

  test('waiting for a place, in versions that take an empty result for no replacement', () => {
    const { rules } = v1_18;
    const asking = { ...rules, eviction: { ...rules.eviction, emptyResult: 'unscheduled' as const } };
    expect(evidenceOf(binding({}), 0, 'waiting', clock(START, asking)).at(-1)).toEqual({
      rule: 'the result names no cluster, so nothing replaces the old copy',
      field: 'spec.clusters',
      value: [],
    });
  });

  test('unattended, with the flag that leaves the controller out', () => {
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

  test('of the task at the index, with the grace that versions let leak into it', () => {
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

describe('the grace of a task that has none of its own', () => {
  const list = [taskOfGrace(), taskOfGrace(5), taskOfGrace(), taskOfGrace(0), taskOfGrace()];

  test('has no other owner since v1.17', () => {
    for (const version of ['v1.14.10', 'v1.17.0', 'v1.18.2'])
      for (const counted of [countedTasks, countedForRetry])
        expect(counted(list, rulesOf(version))).toBe(list);
  });

  test('was that of the last task before it, for its timeout, in v1.14.2', () => {
    expect(graces(countedTasks(list, rulesOf('v1.14.2')))).toEqual([undefined, 5, 5, 0, 0]);
    expect(countedForRetry(list, rulesOf('v1.14.2'))).toBe(list);
  });

  test('but not that of a new task to which the controller had only added the time', () => {
    const withNew = [
      taskOfGrace(9, { creationTimestamp: undefined }),
      taskOfGrace(),
      taskOfGrace(5),
      taskOfGrace(7, { creationTimestamp: undefined }),
      taskOfGrace(),
    ];
    expect(graces(countedTasks(withNew, rulesOf('v1.14.2')))).toEqual([9, undefined, 5, 7, 5]);
  });

  test('applied in v1.11.0 to the time of the next reconcile, except for held and released tasks', () => {
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

  test('does not change what the list sets itself', () => {
    countedTasks(list, rulesOf('v1.14.2'));
    expect(graces(list)).toEqual([undefined, 5, undefined, 0, undefined]);
  });
});
