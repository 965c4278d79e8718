import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  applicationPass,
  type ApplicationFailoverContext,
  type UnhealthySince,
} from '../../../src/karmada/application/applicationPass.ts';
import type { ApplicationFailoverBehavior } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceHealth } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';

const START = Date.parse('2026-03-14T09:00:00Z');
const none: UnhealthySince = new Map();

function binding(
  health: Record<string, ResourceHealth>,
  application: ApplicationFailoverBehavior = {},
  rest: Partial<ResourceBinding['spec']> = {},
): ResourceBinding {
  return {
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'shop' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' },
      propagateDeps: true,
      clusters: Object.keys(health).map((name) => ({ name, replicas: 2 })),
      failover: { application: { decisionConditions: { tolerationSeconds: 30 }, ...application } },
      ...rest,
    },
    status: {
      aggregatedStatus: Object.entries(health).map(([clusterName, one]) => ({
        clusterName,
        health: one,
        status: { jobID: `of-${clusterName}` },
      })),
    },
  };
}

const context = (now: number, gates: Partial<ApplicationFailoverContext['gates']> = {}) => ({
  now,
  gates: { GracefulEviction: true, StatefulFailoverInjection: true, ...gates },
  rules: v1_18.rules,
  hasHealthInterpreter: () => true,
});

describe('a pass of application failover', () => {
  test('starts a timer for an Unhealthy cluster and requeues the binding at the end of its toleration', () => {
    const result = applicationPass(binding({ m1: 'Unhealthy', m2: 'Healthy' }), none, context(START));
    expect(result).toMatchObject({
      unhealthyClusters: ['m1'],
      otherClusters: ['m2'],
      evictedClusters: [],
      requeueAfter: 30_000,
    });
    expect(result.unhealthySince).toEqual(new Map([['m1', START]]));
  });

  test('evicts the cluster one millisecond after the toleration ends, not at its end', () => {
    const since = new Map([['m1', START]]);
    const due = applicationPass(binding({ m1: 'Unhealthy' }), since, context(START + 30_000));
    expect(due).toMatchObject({ evictedClusters: [], requeueAfter: 0 });
    const over = applicationPass(binding({ m1: 'Unhealthy' }), since, context(START + 30_001));
    expect(over.evictedClusters).toEqual(['m1']);
    expect(over.unhealthySince).toEqual(none);
    expect(over.spec.clusters).toEqual([]);
    expect(over.spec.gracefulEvictionTasks).toMatchObject([
      {
        fromCluster: 'm1',
        replicas: 2,
        reason: 'ApplicationFailure',
        producer: 'resource-binding-application-failover-controller',
      },
    ]);
  });

  test('requeues the binding for the remaining toleration, rounded up to whole seconds', () => {
    const since = new Map([['m1', START]]);
    const result = applicationPass(binding({ m1: 'Unhealthy' }), since, context(START + 12_700));
    expect(result.requeueAfter).toBe(18_000);
  });

  test('tolerates 300 s by default', () => {
    const lenient = binding({ m1: 'Unhealthy' }, { decisionConditions: undefined });
    expect(applicationPass(lenient, none, context(START)).requeueAfter).toBe(300_000);
  });

  test.each(['Healthy', 'Unknown'] as const)('stops the timer of a cluster that reports %s', (health) => {
    const since = new Map([['m1', START]]);
    const result = applicationPass(binding({ m1: health }), since, context(START + 60_000));
    expect(result.unhealthySince).toEqual(none);
    expect(result.evictedClusters).toEqual([]);
  });

  test('starts no timer for a cluster with an eviction task or outside the scheduling result', () => {
    const gracefulEvictionTasks = [{ fromCluster: 'm1', reason: 'R', producer: 'P' }];
    const evicting = binding(
      { m1: 'Unhealthy', m2: 'Unhealthy' },
      {},
      { gracefulEvictionTasks, clusters: [] },
    );
    const result = applicationPass(evicting, none, context(START));
    expect(result.unhealthyClusters).toEqual(['m2']);
    expect(result.unhealthySince).toEqual(none);
  });

  test('evicts all clusters that are due and records the earlier clusters in each task', () => {
    const since = new Map([
      ['m1', START],
      ['m2', START],
    ]);
    const preserving = binding(
      { m1: 'Unhealthy', m2: 'Unhealthy' },
      {
        purgeMode: 'Directly',
        statePreservation: { rules: [{ aliasLabelName: 'job', jsonPath: '{.jobID}' }] },
      },
    );
    const result = applicationPass(preserving, since, context(START + 31_000));
    expect(result.spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'm1', preservedLabelState: { job: 'of-m1' }, clustersBeforeFailover: ['m1', 'm2'] },
      { fromCluster: 'm2', preservedLabelState: { job: 'of-m2' }, clustersBeforeFailover: ['m1', 'm2'] },
    ]);
  });

  test.each([
    [
      { purgeMode: 'Gracefully', gracePeriodSeconds: 60 },
      { purgeMode: 'Gracefully', gracePeriodSeconds: 60 },
    ],
    [{ purgeMode: 'Graciously' }, { purgeMode: 'Graciously' }],
    [{ purgeMode: 'Directly', gracePeriodSeconds: 60 }, { purgeMode: 'Directly' }],
    [{ purgeMode: 'Never' }, { purgeMode: 'Never', suppressDeletion: true }],
  ] as [ApplicationFailoverBehavior, object][])(
    'given failover.application %j, creates an eviction task with %j',
    (application, task) => {
      const since = new Map([['m1', START]]);
      const result = applicationPass(
        binding({ m1: 'Unhealthy' }, application),
        since,
        context(START + 31_000),
      );
      const {
        fromCluster: _f,
        reason: _r,
        producer: _p,
        replicas: _n,
        ...rest
      } = result.spec.gracefulEvictionTasks![0]!;
      expect(rest).toEqual(task);
    },
  );

  test.each([
    [
      'the purge mode is graceful and the gate GracefulEviction is off',
      { purgeMode: 'Gracefully' },
      { GracefulEviction: false },
      'GracefulEviction featureGate must be enabled when purgeMode is Gracefully',
    ],
    [
      'the state cannot be preserved, which it checks before the gate',
      {
        purgeMode: 'Graciously',
        statePreservation: { rules: [{ aliasLabelName: 'x', jsonPath: '{.nope}' }] },
      },
      { GracefulEviction: false },
      'failed to execute jsonpath "{.nope}": nope is not found',
    ],
  ] as [string, ApplicationFailoverBehavior, object, string][])(
    'evicts nothing and keeps its timers if %s',
    (_rule, application, gates, error) => {
      const failing = binding({ m1: 'Unhealthy', m2: 'Unhealthy' }, application);
      const since = new Map([['m1', START]]);
      const result = applicationPass(failing, since, context(START + 31_000, gates));
      expect(result).toMatchObject({ error, requeueAfter: 0, evictedClusters: [] });
      expect(result.spec).toBe(failing.spec);
      expect(result.unhealthySince).toEqual(
        new Map([
          ['m1', START],
          ['m2', START + 31_000],
        ]),
      );
    },
  );

  test('preserves no state without the gate StatefulFailoverInjection', () => {
    const preserving = binding(
      { m1: 'Unhealthy' },
      { statePreservation: { rules: [{ aliasLabelName: 'x', jsonPath: '{.nope}' }] } },
    );
    const off = context(START + 31_000, { StatefulFailoverInjection: false });
    const result = applicationPass(preserving, new Map([['m1', START]]), off);
    expect(result.spec.gracefulEvictionTasks![0]).not.toHaveProperty('preservedLabelState');
  });
});

describe('the selection of bindings for application failover', () => {
  const since = new Map([['m1', START]]);
  const unhealthy = binding({ m1: 'Unhealthy' });

  test.each([
    ['without failover.application', binding({ m1: 'Unhealthy' }, {}, { failover: {} }), true],
    ['without aggregated status', { ...unhealthy, status: { aggregatedStatus: [] } }, true],
    ['without propagateDeps', binding({ m1: 'Unhealthy' }, {}, { propagateDeps: false }), true],
    ['without a health interpreter for its kind', unhealthy, false],
  ])('excludes a binding %s and deletes its timers', (_rule, one, interpreted) => {
    const result = applicationPass(one, since, {
      ...context(START + 31_000),
      hasHealthInterpreter: () => interpreted,
    });
    expect(result.unhealthySince).toEqual(none);
    expect(result.spec).toBe(one.spec);
  });

  test('includes a ClusterResourceBinding without propagateDeps, with a producer of its own', () => {
    const clusterWide = {
      ...binding({ m1: 'Unhealthy' }, {}, { propagateDeps: false }),
      kind: 'ClusterResourceBinding',
    };
    const result = applicationPass(clusterWide, since, context(START + 31_000));
    expect(result.spec.gracefulEvictionTasks).toMatchObject([
      { producer: 'cluster-resource-binding-application-failover-controller' },
    ]);
  });
});

describe('a pass of application failover with any health and any timers', () => {
  const anyHealth = fc.dictionary(
    fc.constantFrom('m1', 'm2', 'm3'),
    fc.constantFrom<ResourceHealth>('Healthy', 'Unhealthy', 'Unknown'),
    { minKeys: 1 },
  );
  const anyTimers = fc
    .dictionary(fc.constantFrom('m1', 'm2', 'm3', 'm9'), fc.integer({ min: 0, max: 60_000 }))
    .map((ages) => new Map(Object.entries(ages).map(([cluster, age]) => [cluster, START - age])));

  test('evicts exactly the clusters whose toleration has passed and keeps the timers of other Unhealthy clusters', () => {
    fc.assert(
      fc.property(anyHealth, anyTimers, (health, timers) => {
        const before = new Map(timers);
        const result = applicationPass(binding(health), timers, context(START));
        for (const [cluster, state] of Object.entries(health)) {
          const since = timers.get(cluster);
          const due = state === 'Unhealthy' && since !== undefined && START - since > 30_000;
          expect(result.evictedClusters.includes(cluster)).toBe(due);
          expect(result.spec.clusters!.some(({ name }) => name === cluster)).toBe(!due);
          expect(result.unhealthySince.has(cluster)).toBe(state === 'Unhealthy' && !due);
        }
        expect(result.unhealthySince.has('m9')).toBe(false);
        expect(timers).toEqual(before);
      }),
    );
  });
});
