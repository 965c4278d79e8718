import { describe, expect, test } from '@jest/globals';
import { judge as judgeFacts, type OutcomeFacts } from '../../../src/simulator/verdicts/judge.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../../src/karmada/api/work.ts';
import type { PurgeMode } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { deployment } from '../simulation/controlPlane.ts';

const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' as const } };
const on = (...names: string[]): TargetCluster[] => names.map((name) => ({ name, replicas: 2 }));
const leaving = (...clusters: string[]): Partial<ResourceBindingSpec> => ({
  gracefulEvictionTasks: clusters.map((fromCluster) => ({
    fromCluster,
    replicas: 2,
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
  })),
});
const web = (clusters: TargetCluster[], spec: Partial<ResourceBindingSpec> = {}): ResourceBinding =>
  deployment('web', { placement: divided, replicas: 2, clusters, spec });
const refused = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  status: {
    ...binding.status,
    conditions: [
      {
        type: 'Scheduled',
        status: 'False',
        reason: 'NoClusterFit',
        message: '0/2 clusters',
        lastTransitionTime: '',
      },
    ],
  },
});
const { rules } = v1_18;
const judge = (given: Omit<OutcomeFacts, 'facts'>) =>
  judgeFacts({
    ...given,
    facts: {
      isSelected: ({ clusterNames }, name) => clusterNames?.includes(name) ?? true,
      regionOf: () => undefined,
    },
  });
const outcome = (before: ResourceBinding, after: ResourceBinding, evictedFrom: string[] = []) =>
  judge({ before, after, rules, evictedFrom: new Set(evictedFrom) }).outcome;

describe('given a workload that runs on east', () => {
  test('when it is evicted and placed on west, it moves', () => {
    expect(outcome(web(on('east')), web(on('west')), ['east'])).toBe('moves');
  });

  test('when it is Duplicated and moves to its next affinity group, it moves, even before the eviction ends', () => {
    const affinityOf = (name: string) => ({ affinityName: name, clusterNames: [name] });
    const placement = { clusterAffinities: [affinityOf('east'), affinityOf('west')] };
    const moved = (spec?: Partial<ResourceBindingSpec>): ResourceBinding => {
      const { status, ...binding } = deployment('web', { placement, clusters: on('west'), spec });
      return { ...binding, status: { ...status, schedulerObservingAffinityName: 'west' } };
    };
    expect(outcome(moved(leaving('east')), moved())).toBe('moves');
  });

  test('when it is evicted and placed on east again, it is restarted', () => {
    expect(outcome(web(on('east')), web(on('east')), ['east'])).toBe('restarted');
  });

  test('when no cluster accepts it, it is blocked while a task keeps the old copy, and then lost', () => {
    expect(outcome(web(on('east')), refused(web([], leaving('east'))), ['east'])).toBe('blocked');
    expect(outcome(web(on('east')), refused(web([])), ['east'])).toBe('lost');
  });

  test('when no cluster accepts it and its task purges directly, it is lost while the task still exists', () => {
    const purged = (purgeMode: PurgeMode) => {
      const [task] = leaving('east').gracefulEvictionTasks!;
      return refused(web([], { gracefulEvictionTasks: [{ ...task!, purgeMode }] }));
    };
    const reported = (version: string, purgeMode: PurgeMode) =>
      judge({
        before: web(on('east')),
        after: purged(purgeMode),
        rules: dialectOf(version).dialect.rules,
        evictedFrom: new Set(['east']),
      }).outcome;
    expect(reported('v1.18.2', 'Directly')).toBe('lost');
    expect(reported('v1.18.2', 'Gracefully')).toBe('blocked');
    // without gate GracefulEviction nothing ends the task of v1.13
    expect(reported('v1.13.10', 'Immediately')).toBe('lost');
    expect(reported('v1.13.10', 'Graciously')).toBe('blocked');
  });

  test('when its replacement never becomes ready, it is lost, or blocked if the old copy is kept', () => {
    const unready = { clusters: ['west'], replicas: 2, all: true, overdue: false };
    const facts = { before: web(on('east')), rules, evictedFrom: new Set(['east']), unready };
    expect(judge({ ...facts, after: web(on('west')) }).outcome).toBe('lost');
    expect(judge({ ...facts, after: web(on('west'), leaving('east')) }).outcome).toBe('blocked');
  });

  test('when one replica never becomes ready, it partly moves, and the reason is in the singular', () => {
    const reasonOf = (replicas: number) =>
      judge({
        before: web(on('east')),
        after: web(on('west')),
        rules,
        evictedFrom: new Set(['east']),
        unready: { clusters: ['west'], replicas, all: false, overdue: false },
      }).reason;
    expect(reasonOf(1)).toBe('1 replica on west does not become ready');
    expect(reasonOf(2)).toBe('2 replicas on west do not become ready');
  });
});

describe('given a workload under eviction from east', () => {
  test('when its replacement is on west, it moves', () => {
    expect(outcome(web(on('west'), leaving('east')), web(on('west')))).toBe('moves');
  });

  test('when the end of an earlier eviction deletes its ready copy on east, it is restarted', () => {
    const facts = {
      before: web(on('east')),
      after: web(on('east')),
      rules,
      evictedFrom: new Set<string>(),
    };
    expect(judge({ ...facts, deletedReady: ['east'] })).toMatchObject({
      outcome: 'restarted',
      reason: 'its ready copy on east is deleted',
    });
    expect(judge({ ...facts, deletedReady: ['west'] })).toMatchObject({ outcome: 'stays' });
  });

  test('when it has no copy, it is lost, and restarted if it returns', () => {
    expect(outcome(web([], leaving('east')), refused(web([])))).toBe('lost');
    expect(outcome(web([], leaving('east')), web(on('east')))).toBe('restarted');
  });

  test('when its old copy stays held, it is blocked, unless the simulation is cut or the copy is purged', () => {
    const [task] = leaving('east').gracefulEvictionTasks!;
    const held = { gracefulEvictionTasks: [{ ...task!, suppressDeletion: true }] };
    const facts = {
      before: web(on('east')),
      after: web(on('west'), held),
      rules,
      evictedFrom: new Set(['east']),
    };
    expect(judge(facts)).toMatchObject({
      outcome: 'blocked',
      reason: 'its old copy on east is held and not released',
    });
    expect(judge({ ...facts, cut: true }).outcome).toBe('moves');
    const purged = web(on('west'), {
      gracefulEvictionTasks: [{ ...task!, suppressDeletion: true, purgeMode: 'Directly' }],
    });
    expect(judge({ ...facts, after: purged }).outcome).toBe('moves');
  });

  test('when one copy stays held and others remain, it is blocked, and not partly moved', () => {
    const [task] = leaving('east').gracefulEvictionTasks!;
    const copies = (clusters: TargetCluster[], spec: Partial<ResourceBindingSpec> = {}) =>
      deployment('web', { placement: {}, replicas: 2, clusters, spec });
    const after = copies(on('west'), { gracefulEvictionTasks: [{ ...task!, suppressDeletion: true }] });
    expect(outcome(copies(on('east', 'west')), after, ['east'])).toBe('blocked');
  });

  test('when its old copy was held from the start, it stays', () => {
    const held: Partial<ResourceBindingSpec> = {
      gracefulEvictionTasks: leaving('east').gracefulEvictionTasks!.map((task) => ({
        ...task,
        suppressDeletion: true,
      })),
    };
    expect(outcome(web(on('west'), held), web(on('west'), held))).toBe('stays');
  });

  test('when it is Duplicated without a limit, it partly moves; with maxGroups, it moves', () => {
    const copies = (most?: number) => ({
      placement: most ? { spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: most }] } : {},
    });
    const of = (most?: number) =>
      outcome(web(on('west'), { ...leaving('east'), ...copies(most) }), web(on('west'), copies(most)));
    expect(of()).toBe('partly-moves');
    expect(of(1)).toBe('moves');
  });
});

describe('given a workload without a cluster', () => {
  test('when it is placed, it starts', () => {
    expect(outcome(web([]), web(on('east')))).toBe('starts');
  });

  test('when no cluster accepts it, it is lost if it ever ran, and blocked otherwise', () => {
    const never = { ...web([]), status: {} };
    expect(outcome(web([]), refused(web([])))).toBe('lost');
    expect(outcome(never, refused(never))).toBe('blocked');
  });
});
