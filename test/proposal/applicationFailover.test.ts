import { describe, expect, test } from '@jest/globals';
import { evictApplication } from '../../src/karmada/application/applicationEviction.ts';
import { applicationPass } from '../../src/karmada/application/applicationPass.ts';
import type { Evidence } from '../../src/karmada/evidence.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { outcomeOf, START, story } from '../simulator/simulation/controlPlane.ts';
import { onOneOf, plainWorld } from './underDesign.ts';
import { SECOND, members, nginx, reported, at, when, unhealthyAt, play } from './failingApplication.ts';

test('001 feature gate: without GracefulEviction, which is removed, application failover evicts gracefully', () => {
  const binding = nginx({ purgeMode: 'Gracefully' });
  const gates = { GracefulEviction: false, StatefulFailoverInjection: false };
  const evicted = (version: string) =>
    evictApplication(binding, binding.spec, 'member1', gates, dialectOf(version).dialect.rules);
  expect(dialectOf('proposal').dialect.featureGates).not.toHaveProperty('GracefulEviction');
  expect(evicted('proposal')).toMatchObject({
    spec: { gracefulEvictionTasks: [{ purgeMode: 'Gracefully' }] },
  });
  expect(evicted('v1.18')).toEqual({
    error: 'GracefulEviction featureGate must be enabled when purgeMode is Gracefully',
  });
});

const settled = { preConditions: { healthyState: 'Healthy' } };

describe('004 preConditions', () => {
  const delayed = { preConditions: { delaySeconds: 60 } };
  const since = rfc3339(START);

  test('004 delaySeconds: the toleration starts only after the delay, and the controller requeues until then', () => {
    const evidence: Evidence[] = [];
    const early = applicationPass(
      reported(nginx(delayed), { creationTimestamp: since }),
      new Map(),
      at(START + 20 * SECOND),
      evidence,
    );
    expect(early).toMatchObject({ evictedClusters: [], requeueAfter: 40 * SECOND });
    expect(early.unhealthySince.size).toBe(0);
    expect(evidence[0]!.rule).toBe(
      'not started for member1 before 2026-09-01T08:01:00Z: 1m after its first status',
    );
  });

  test('004 delaySeconds: the toleration starts when the delay ends', () => {
    const binding = reported(nginx(delayed), { creationTimestamp: since });
    const started = applicationPass(binding, new Map(), at(START + 60 * SECOND));
    expect(started.unhealthySince).toEqual(new Map([['member1', START + 60 * SECOND]]));
    expect(started).toMatchObject({ evictedClusters: [], requeueAfter: 10 * SECOND });
  });

  test('004 delaySeconds: without the time of the first status, the toleration does not start', () => {
    const evidence: Evidence[] = [];
    const result = applicationPass(reported(nginx(delayed)), new Map(), at(START), evidence);
    expect(result).toMatchObject({ evictedClusters: [], requeueAfter: 0 });
    expect(evidence[0]!.rule).toContain('no creationTimestamp');
  });

  test('004 healthyState: an application that was never Healthy on the cluster is not evicted', () => {
    const failed = play(reported(nginx(settled), { creationTimestamp: since }), [unhealthyAt(1)]);
    expect(outcomeOf(failed, 'nginx')).toMatchObject({ after: [{ name: 'member1', replicas: 3 }] });
    const result = applicationPass(reported(nginx(settled)), new Map(), at(START));
    expect(result).toMatchObject({ evictedClusters: [], requeueAfter: 0 });
  });

  test('004 healthyState: an application that was Healthy on the cluster is evicted', () => {
    const simulation = play(nginx(settled), [unhealthyAt(1)]);
    expect(story(simulation, 'nginx')).toContain('11s Evicted member1');
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves' });
  });

  test.each([
    ['neither', {}, false],
    ['only the delay', { creationTimestamp: rfc3339(START - 60 * SECOND) }, false],
    ['only the state', { settled: true, creationTimestamp: since }, false],
    ['both', { settled: true, creationTimestamp: rfc3339(START - 60 * SECOND) }, true],
  ])('004 preConditions: all given conditions are required: %s holds', (_, item, starts) => {
    const both = { preConditions: { delaySeconds: 60, healthyState: 'Healthy' } };
    const { unhealthySince } = applicationPass(reported(nginx(both), item), new Map(), at(START));
    expect(unhealthySince.has('member1')).toBe(starts);
  });

  test('004 healthyState: a new copy that starts more slowly than its toleration is not evicted', () => {
    const slow = { readyAfterSeconds: 20 };
    expect(when(play(nginx(), [unhealthyAt(1)], slow), 'Evicted').length).toBeGreaterThan(1);
    expect(when(play(nginx(settled), [unhealthyAt(1)], slow), 'Evicted')).toEqual([11]);
  });

  test('004 example: a delay of 5000 s and a toleration of 200 s add up', () => {
    const simulation = play(
      nginx({ preConditions: { delaySeconds: 5000 }, decisionConditions: { tolerationSeconds: 200 } }),
      [unhealthyAt(100)],
    );
    // its first status under the design is the one of the failure
    expect(when(simulation, 'Evicted')).toEqual([100 + 5000 + 200]);
  });

  test('004 preConditions: without settled and creationTimestamp, as in a release, the outcome is an estimate', () => {
    const binding = nginx(delayed);
    const since = {
      ...binding.status!.aggregatedStatus![0]!,
      creationTimestamp: rfc3339(START - 3600 * SECOND),
    };
    const known = { ...binding, status: { ...binding.status, aggregatedStatus: [since] } };
    const { status: { aggregatedStatus: _, ...status } = {}, ...rest } = binding;
    const bare = { ...rest, status };
    const doubts = (one: typeof binding) => outcomeOf(play(one, [unhealthyAt(30)]), 'nginx').dependsOn ?? [];
    const wanted = expect.stringContaining('settled and creationTimestamp in its aggregatedStatus');
    expect(doubts(bare)).toContainEqual(wanted);
    expect(doubts(known)).not.toContainEqual(wanted);
  });

  test('004 preConditions: ignored by releases', () => {
    const release = {
      ...at(START),
      rules: dialectOf('v1.18').dialect.rules,
      gates: { GracefulEviction: true, StatefulFailoverInjection: false },
    };
    expect(applicationPass(reported(nginx(delayed)), new Map(), release).unhealthySince.size).toBe(1);
  });
});

describe('004 decisionConditions', () => {
  test('004 tolerationSeconds: an application that stays unhealthy for the toleration is evicted', () => {
    const simulation = play(nginx(), [unhealthyAt(30)]);
    expect(when(simulation, 'Evicted')).toEqual([40]);
  });

  test('004 tolerationSeconds: an application that recovers before the end of the toleration stays', () => {
    const simulation = play(nginx(), [
      unhealthyAt(30),
      unhealthyAt(35, 'member1', 'Healthy'),
      unhealthyAt(41),
    ]);
    expect(when(simulation, 'Evicted')).toEqual([51]);
  });

  test('004 tolerationSeconds: 10 for objects without a value', () => {
    const simulation = play(nginx({ decisionConditions: {} }), [unhealthyAt(30)]);
    expect(when(simulation, 'Evicted')).toEqual([40]);
  });

  test('004 tolerationSeconds: 0 evicts at once, where v1.18 waits for another change', () => {
    const atOnce = { ...settled, decisionConditions: { tolerationSeconds: 0 } };
    expect(when(play(nginx(atOnce), [unhealthyAt(30)]), 'Evicted')).toEqual([30]);
    const binding = reported(nginx(atOnce), { settled: true });
    const release = { ...at(START), rules: dialectOf('v1.18').dialect.rules };
    expect(applicationPass(binding, new Map(), release).requeueAfter).toBe(0);
    expect(applicationPass(binding, new Map(), at(START)).requeueAfter).toBe(1);
  });
});

describe('004 purgeMode', () => {
  test('004 Immediately: the old copy is deleted before the new one is written', () => {
    const types = play(nginx({ purgeMode: 'Immediately' }), [unhealthyAt(1)]).events.map(
      ({ type, cluster: where = '' }) => `${type} ${where}`,
    );
    expect(types.indexOf('WorkDeleted member1')).toBeLessThan(types.indexOf('WorkCreated member2'));
  });

  test('004 Graciously: the old copy is deleted once the application is healthy on the new cluster', () => {
    const simulation = play(nginx(), [unhealthyAt(1)]);
    const [healthy] = when(simulation, 'WorkCreated');
    const [ended] = when(simulation, 'TaskEnded');
    expect(ended! - healthy!).toBeGreaterThanOrEqual(5);
  });

  test.each([
    [undefined, 600],
    [100, 100],
  ])(
    '004 Graciously: with gracePeriodSeconds %s and no healthy replacement, the old copy is deleted after %i s',
    (gracePeriodSeconds, seconds) => {
      const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
      const binding = nginx(
        { ...grace, preConditions: { healthyState: 'Healthy' } },
        onOneOf('member1', 'member2'),
      );
      const simulation = play(binding, [unhealthyAt(1)], { readyAfterSeconds: 100_000, until: 3000 });
      const [evicted] = when(simulation, 'Evicted');
      expect(when(simulation, 'TaskEnded')[0]! - evicted!).toBe(seconds);
    },
  );

  test('004 Never: the old copy stays until it is deleted manually', () => {
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'nginx-deployment' };
    const kept = play(nginx({ purgeMode: 'Never' }), [unhealthyAt(1)]);
    expect(outcomeOf(kept, 'nginx')).toMatchObject({ outcome: 'blocked', evicting: ['member1'] });
    const cleaned = play(nginx({ purgeMode: 'Never' }), [
      unhealthyAt(1),
      [3600, { type: 'patch', target, merge: { spec: { gracefulEvictionTasks: [] } } }],
    ]);
    expect(when(cleaned, 'WorkDeleted')).toEqual([3600]);
    expect(outcomeOf(cleaned, 'nginx')).toMatchObject({ outcome: 'moves', evicting: [] });
  });
});

test('004 FAQ: all replicas of the unhealthy cluster move to a new one, unlike with karmada-descheduler', () => {
  const full = {
    ...members[1]!,
    status: {
      ...members[1]!.status,
      resourceSummary: { allocatable: { cpu: '100', pods: '10' }, allocated: { pods: '10' } },
    },
  };
  const binding = nginx(
    {},
    {
      clusterAffinity: {},
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    },
  );
  const before = [
    { name: 'member1', replicas: 2 },
    { name: 'member2', replicas: 1 },
  ];
  const aggregatedStatus = before.map(({ name, replicas }) => ({
    clusterName: name,
    applied: true,
    health: 'Healthy' as const,
    status: { replicas, readyReplicas: replicas, availableReplicas: replicas },
  }));
  const spread = {
    ...binding,
    spec: { ...binding.spec, clusters: before },
    status: { ...binding.status, aggregatedStatus },
  };
  const simulation = play(
    spread,
    [unhealthyAt(1)],
    {},
    plainWorld([members[0]!, full, members[2]!], [spread]),
  );
  expect(new Map(outcomeOf(simulation, 'nginx').after.map(({ name, replicas }) => [name, replicas]))).toEqual(
    new Map([
      ['member2', 1],
      ['member3', 2],
    ]),
  );
});
