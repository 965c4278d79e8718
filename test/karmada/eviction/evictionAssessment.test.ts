import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endsTask } from '../../../src/karmada/eviction/evictionRule.ts';
import {
  assessEvictionTasks,
  assessmentEvidence,
  wakesEvictionController,
} from '../../../src/karmada/eviction/evictionAssessment.ts';
import type { GracefulEvictionTask, ResourceBinding, ResourceHealth } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { instant, rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';

const START = instant('2026-03-14T09:00:00Z');
const MINUTE = 60_000;

const task = (fromCluster: string, rest: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: rfc3339(START),
  ...rest,
});

function binding(
  tasks: GracefulEvictionTask[],
  health: Record<string, ResourceHealth | undefined> = { m2: 'Unhealthy' },
  scheduled = true,
): ResourceBinding {
  const clusters = Object.keys(health);
  return {
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'shop', generation: 7 },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' },
      clusters: clusters.map((name) => ({ name, replicas: 1 })),
      gracefulEvictionTasks: tasks,
    },
    status: {
      schedulerObservedGeneration: scheduled ? 7 : 6,
      aggregatedStatus: clusters
        .filter((name) => health[name])
        .map((clusterName) => ({ clusterName, applied: true, health: health[clusterName] })),
    },
  };
}

const { rules } = v1_18;
const at = (now: number) => ({
  now,
  gracefulEvictionTimeout: 10 * MINUTE,
  plugins: rules.eviction.evictPlugins,
  rules,
});

describe('in a pass of the graceful eviction controller', () => {
  test('a new task is stamped in whole seconds and kept despite a healthy replacement', () => {
    const fresh = task('m1', { creationTimestamp: undefined });
    const assessment = assessEvictionTasks(binding([fresh], { m2: 'Healthy' }), at(START + 345));
    expect(assessment.keptTasks).toEqual([task('m1')]);
    expect(assessment).toMatchObject({ rules: ['new'], evictedClusters: [], changed: true });
  });

  test.each([
    ['ends when every target cluster is Healthy', binding([task('m1')], { m2: 'Healthy' }), 'healthy'],
    [
      'waits while one target cluster is not Healthy',
      binding([task('m1')], { m2: 'Healthy', m3: 'Unknown' }),
      'waiting',
    ],
    [
      'waits while one target cluster has no reported health',
      binding([task('m1')], { m2: 'Healthy', m3: undefined }),
      'waiting',
    ],
    [
      'waits until the scheduler has observed the spec',
      binding([task('m1')], { m2: 'Healthy' }, false),
      'waiting',
    ],
    ['ends when the scheduling result is empty', binding([task('m1')], {}), 'healthy'],
    ['waits when the result is empty and not yet scheduled', binding([task('m1')], {}, false), 'waiting'],
    [
      'follows the same rules with the purge mode Directly',
      binding([task('m1', { purgeMode: 'Directly' })]),
      'waiting',
    ],
  ])('a task %s', (_rule, evicting, rule) => {
    expect(assessEvictionTasks(evicting, at(START)).rules).toEqual([rule]);
  });

  test('a task times out only after the timeout has passed', () => {
    const evicting = binding([task('m1')]);
    expect(assessEvictionTasks(evicting, at(START + 10 * MINUTE)).rules).toEqual(['waiting']);
    expect(assessEvictionTasks(evicting, at(START + 10 * MINUTE + 1)).rules).toEqual(['timeout']);
  });

  test('the gracePeriodSeconds of a task overrides the flag for that task only', () => {
    const tasks = [task('m1', { gracePeriodSeconds: 5 }), task('m2'), task('m3', { gracePeriodSeconds: 0 })];
    const assessment = assessEvictionTasks(binding(tasks), at(START + 6000));
    expect(assessment.evictedClusters).toEqual(['m1', 'm3']);
    expect(assessment.keptTasks).toEqual([task('m2')]);
  });

  test('suppressDeletion true holds a task permanently, and false ends it at once', () => {
    const tasks = [task('m1', { suppressDeletion: true }), task('m2', { suppressDeletion: false })];
    const assessment = assessEvictionTasks(binding(tasks, { m3: 'Healthy' }), at(START + 1e12));
    expect(assessment.rules).toEqual(['suppressed', 'released']);
  });

  test('the next reconcile is at the first timeout of the remaining tasks, except held ones', () => {
    const tasks = [
      task('m1', { gracePeriodSeconds: 1, suppressDeletion: true }),
      task('m2', { gracePeriodSeconds: 90 }),
      task('m3', { creationTimestamp: undefined, gracePeriodSeconds: 60 }),
    ];
    expect(assessEvictionTasks(binding(tasks), at(START + 20_000)).nextRetry).toBe(60_000);
    expect(assessEvictionTasks(binding([tasks[0]!]), at(START)).nextRetry).toBe(0);
  });

  test('a binding that is being deleted is unchanged', () => {
    const evicting = binding([task('m1', { creationTimestamp: undefined })]);
    evicting.metadata.deletionTimestamp = rfc3339(START);
    expect(assessEvictionTasks(evicting, at(START))).toMatchObject({
      keptTasks: evicting.spec.gracefulEvictionTasks,
      changed: false,
    });
  });

  test('the evidence names the inputs', () => {
    const waiting = binding([task('m1')], { m2: 'Unhealthy', m3: undefined });
    const evidence = assessmentEvidence(waiting, assessEvictionTasks(waiting, at(START)), at(START));
    expect(evidence.map(({ rule }) => rule)).toEqual([
      'the time limit of 10m runs until 2026-03-14T09:10:00Z (graceful-eviction-timeout)',
      'the current spec has been scheduled',
      'm2 reports Unhealthy',
      'm3 has reported nothing',
    ]);
  });

  test('the evidence of an ended task excludes the remaining tasks', () => {
    const tasks = [task('m1'), task('m3', { suppressDeletion: false }), task('m4')];
    const one = binding(tasks);
    const evidence = assessmentEvidence(one, assessEvictionTasks(one, at(START)), at(START));
    expect(evidence.map(({ field }) => field)).toEqual(['spec.gracefulEvictionTasks[1].suppressDeletion']);
  });
});

describe('the graceful eviction controller', () => {
  test('reconciles a binding with tasks, but up to v1.11.7 only once its current spec is scheduled', () => {
    const wakes = (version: string, ...of: Parameters<typeof binding>) =>
      wakesEvictionController(binding(...of), dialectOf(version).dialect.rules);
    const health = { m2: 'Healthy' } as const;
    expect(wakes('v1.18.2', [task('m1')], health)).toBe(true);
    expect(wakes('v1.18.2', [task('m1')], health, false)).toBe(true);
    expect(wakes('v1.11.7', [task('m1')], health)).toBe(true);
    expect(wakes('v1.11.7', [task('m1')], health, false)).toBe(false);
  });

  test('does not reconcile a binding without tasks', () => {
    const one = binding([]);
    const { gracefulEvictionTasks: _, ...spec } = one.spec;
    for (const without of [one, { ...one, spec }])
      expect(wakesEvictionController(without, rules)).toBe(false);
  });
});

describe('with any eviction tasks', () => {
  const anyTask = fc.record(
    {
      fromCluster: fc.constantFrom('m1', 'm2', 'm3'),
      reason: fc.constant('R'),
      producer: fc.constant('P'),
      purgeMode: fc.constantFrom('Directly', 'Gracefully', 'Never'),
      creationTimestamp: fc.integer({ min: -1000, max: 1000 }).map((s) => rfc3339(START + s * 1000)),
      gracePeriodSeconds: fc.integer({ min: 0, max: 1000 }),
      suppressDeletion: fc.boolean(),
    },
    { requiredKeys: ['fromCluster', 'reason', 'producer'] },
  ) as fc.Arbitrary<GracefulEvictionTask>;
  const anyHealth = fc.constantFrom<ResourceHealth | undefined>('Healthy', 'Unhealthy', 'Unknown', undefined);
  const anyBinding = fc
    .tuple(
      fc.array(anyTask, { maxLength: 5 }),
      fc.dictionary(fc.constantFrom('m4', 'm5'), anyHealth),
      fc.boolean(),
    )
    .map((parts) => binding(...parts));
  const anyNow = fc.integer({ min: -2000, max: 2000 }).map((s) => START + s * 500);

  test('each task is kept or ended in order, and only new tasks change', () => {
    fc.assert(
      fc.property(anyBinding, anyNow, (evicting, now) => {
        const tasks = evicting.spec.gracefulEvictionTasks!;
        const { keptTasks, evictedClusters, rules } = assessEvictionTasks(evicting, at(now));
        const kept = tasks.filter((_, index) => !endsTask(rules[index]!));
        const ended = tasks.filter((_, index) => endsTask(rules[index]!));
        expect(keptTasks.map((one) => ({ ...one, creationTimestamp: undefined }))).toEqual(
          kept.map((one) => ({ ...one, creationTimestamp: undefined })),
        );
        expect(evictedClusters).toEqual(ended.map(({ fromCluster }) => fromCluster));
        for (const [index, one] of kept.entries())
          if (one.creationTimestamp) expect(keptTasks[index]).toBe(one);
      }),
    );
  });

  test('a new task is stamped and never ended in the same pass', () => {
    fc.assert(
      fc.property(anyBinding, anyNow, (evicting, now) => {
        const { keptTasks } = assessEvictionTasks(evicting, at(now));
        const fresh = evicting.spec.gracefulEvictionTasks!.filter((one) => !one.creationTimestamp);
        expect(
          keptTasks.filter((one) => one.creationTimestamp === rfc3339(now)).length,
        ).toBeGreaterThanOrEqual(fresh.length);
        expect(keptTasks.every((one) => one.creationTimestamp)).toBe(true);
      }),
    );
  });

  test('a task that is neither held nor new ends eventually, and stays ended later', () => {
    fc.assert(
      fc.property(anyBinding, anyNow, fc.nat(1e7), (evicting, now, later) => {
        const first = assessEvictionTasks(evicting, at(now)).rules;
        const second = assessEvictionTasks(evicting, at(now + later)).rules;
        const last = assessEvictionTasks(evicting, at(START + 1e12)).rules;
        first.forEach((rule, index) => {
          if (endsTask(rule)) expect(endsTask(second[index]!)).toBe(true);
          if (rule !== 'new' && rule !== 'suppressed') expect(endsTask(last[index]!)).toBe(true);
        });
      }),
    );
  });

  test('no task times out before the next reconcile, and one does right after it', () => {
    fc.assert(
      fc.property(anyBinding, anyNow, (evicting, now) => {
        const { keptTasks, nextRetry } = assessEvictionTasks(evicting, at(now));
        if (nextRetry <= 0) return;
        const next = { ...evicting, spec: { ...evicting.spec, gracefulEvictionTasks: keptTasks } };
        expect(assessEvictionTasks(next, at(now + nextRetry)).rules).not.toContain('timeout');
        expect(assessEvictionTasks(next, at(now + nextRetry + 1)).rules).toContain('timeout');
      }),
    );
  });
});
