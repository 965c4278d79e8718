import { describe, expect, test } from '@jest/globals';
import { type Audit, startAudit, type AuditOptions } from '../../../src/analysis/audit/audit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { breachesOf, judgedOf, newBreaches, progressSince } from '../../../src/analysis/audit/gate.ts';
import type { World } from '../../../src/karmada/world.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { holdsAgainstBruteForce, seeds } from './bruteForce.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };

function audited(state: World, options: Partial<AuditOptions> = {}): Audit {
  const { step, result } = startAudit(state, state.bindings, { start: START, members }, failoverOn, {
    contingencies: contingenciesOf(state.clusters),
    ...options,
  });
  while (step());
  return result();
}

const named = (audit: Audit, name: string) => audit.workloads.find(({ workload }) => workload.name === name)!;

describe('contingencies', () => {
  const placed = (name: string, region: string, provider: string) => ({
    ...cluster(name),
    spec: { ...cluster(name).spec!, region, provider },
  });
  const clusters = [placed('a', 'north', 'aws'), placed('b', 'north', 'gcp'), placed('c', 'south', 'gcp')];

  test('are each cluster, provider and region; groups with the same clusters are listed once', () => {
    expect(contingenciesOf(clusters).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'c',
      'provider gcp',
      'region north',
    ]);
  });

  test('include the values of labels, and pairs, on request', () => {
    const racks = clusters.map((one, at) => ({
      ...one,
      metadata: { ...one.metadata, labels: { rack: at === 1 ? 'r2' : 'r1' } },
    }));
    const names = contingenciesOf(racks, { groupBy: ['rack'], pairs: true }).map(({ name }) => name);
    // b+c is provider gcp, a+b is region north, a+c is rack r1
    expect(names).toEqual(['a', 'b', 'c', 'provider gcp', 'region north', 'rack=r1']);
    const some = contingenciesOf(racks, { only: ['region'], groupBy: ['rack'] });
    expect(some.map(({ name }) => name)).toEqual(['region north', 'region south', 'rack=r1', 'rack=r2']);
  });
});

describe('an audit', () => {
  const clusters = ['east-1', 'east-2', 'west-1'].map((name) => cluster(name));
  const divided = (clusterNames: string[]) => ({ clusterAffinity: { clusterNames } });
  const state = world(clusters, [
    deployment('cart', { placement: {}, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] }),
    deployment('ledger', {
      placement: divided(['east-1']),
      replicas: 2,
      clusters: [{ name: 'east-1', replicas: 2 }],
    }),
    deployment('pricing', {
      placement: {
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 3 }],
        replicaScheduling: { replicaSchedulingType: 'Duplicated' },
      },
      replicas: 1,
      clusters: clusters.map(({ metadata: { name } }) => ({ name, replicas: 1 })),
    }),
    deployment('waiting', { placement: divided(['nowhere']), replicas: 1, clusters: [] }),
  ]);
  const notReady = { type: 'Ready', status: 'False' as const, lastTransitionTime: '2026-08-01T00:00:00Z' };
  const audit = audited(state);

  test('reports the outcome of each workload in each contingency', () => {
    expect(named(audit, 'ledger').worst).toMatchObject({
      trouble: 'lost',
      contingency: 'east-1',
      cause: { code: 'no-other-cluster' },
    });
    expect(named(audit, 'pricing').worst).toMatchObject({
      trouble: 'blocked',
      cause: { code: 'spread-constraint', detail: 'minGroups 3 by cluster' },
    });
    expect(named(audit, 'cart').worst).toBeUndefined();
    expect(named(audit, 'cart').secondHomes.map(({ cluster: name }) => name)).not.toContain('east-1');
    expect(named(audit, 'cart').downtime?.seconds).toBeGreaterThan(20);
  });

  test('counts the workloads that survive every contingency, and lists the excluded ones', () => {
    const troubled = { inTroubleNow: 1, inTroubleAnyway: 0 };
    expect(audit.coverage).toMatchObject({ workloads: 3, covered: 1, notPlaced: 1, ...troubled });
  });

  test('reports workloads in trouble before any failure, and attributes them to no contingency', () => {
    const down = state.clusters.map((one) =>
      one.metadata.name === 'east-1' ? { ...one, status: { ...one.status, conditions: [notReady] } } : one,
    );
    const after = audited({ ...state, clusters: down });
    const east1 = after.contingencies.find(({ name }) => name === 'east-1');
    expect(east1).toMatchObject({ workloads: 3, troubles: {} });
    expect(named(after, 'ledger')).toMatchObject({ now: 'lost', troubles: [], downtime: { seconds: null } });
  });

  test('counts an evicting copy on its old cluster, unless it is purged directly', () => {
    const leaving = (
      name: string,
      to: { name: string; replicas: number }[],
      purgeMode: 'Gracefully' | 'Directly',
    ) =>
      deployment(name, {
        placement: divided(['east-1', 'west-1']),
        replicas: 2,
        clusters: to,
        spec: {
          gracefulEvictionTasks: [
            {
              fromCluster: 'east-1',
              purgeMode,
              replicas: 2,
              reason: 'TaintUntolerated',
              producer: 'TaintManager',
            },
          ],
        },
      });
    const held = audited(
      world(clusters, [
        leaving('held', [], 'Gracefully'),
        leaving('purged', [{ name: 'west-1', replicas: 2 }], 'Directly'),
      ]),
    );
    const outcomesIn = (name: string) => held.contingencies.find((one) => one.name === name)?.outcomes;
    expect(held.coverage).toMatchObject({ workloads: 2, notPlaced: 0 });
    // only copies that are not purged directly are still there
    expect(Object.values(outcomesIn('east-1') ?? {})).toEqual([1]);
    expect(named(held, 'held').secondHomes.map(({ cluster: name }) => name)).toEqual(['west-1']);
  });

  test('compares the downtime of workloads with their targets', () => {
    const slow = audited(state, { targetOf: () => 10 });
    expect(slow.coverage.targets).toEqual({ asked: 3, met: 0 });
    const lenient = audited(state, {
      targetOf: ({ metadata }) => (metadata.name === 'cart-deployment' ? 600 : undefined),
    });
    expect(lenient.coverage.targets).toEqual({ asked: 1, met: 1 });
  });

  test('has partial results when it is stopped early', () => {
    const running = startAudit(state, state.bindings, { start: START, members }, failoverOn, {
      contingencies: contingenciesOf(clusters),
    });
    running.step();
    const { asked, contingencies } = running.result();
    expect(asked).toBe(4);
    expect(contingencies).toHaveLength(1);
  });

  test('breaches a gate for each failed condition; with a baseline, only for new ones', () => {
    const judged = judgedOf(audit);
    expect(breachesOf(judged, ['lost', 'blocked'])).toEqual([
      { condition: 'lost', workload: 'apps/v1 Deployment shop/ledger' },
      { condition: 'blocked', workload: 'apps/v1 Deployment shop/pricing' },
    ]);
    const better = judgedOf(audited(world(clusters, state.bindings.slice(0, 1))));
    const newIn = (now: typeof judged, earlier: typeof judged) =>
      newBreaches(breachesOf(now, ['lost', 'partly-moves']), earlier, ['lost', 'partly-moves']);
    expect(newIn(judged, better)).toHaveLength(1);
    expect(newIn(judged, judged)).toEqual([]);
    // an existing trouble breaks it, too
    const wrong = { ...audit, workloads: audit.workloads.slice(0, 1).map(({ worst: _, ...one }) => one) };
    const now = judgedOf({ ...wrong, workloads: wrong.workloads.map((one) => ({ ...one, now: 'down' })) });
    expect(breachesOf(now, ['down'])).toHaveLength(1);
    // another trouble that is no worse is not new
    const key = 'apps/v1 Deployment shop/ledger';
    const inPart = { workloads: [{ key, trouble: 'partly-moves' as const }], headroom: [] };
    expect(newIn(inPart, judged)).toEqual([]);
    expect(newIn(judged, inPart)).toHaveLength(1);
    expect(progressSince(better, judged)).toEqual({ better: [], worse: [], added: [] });
    expect(progressSince(judged, better).added).toHaveLength(2);
  });
});

describe('an audit of generated worlds', () => {
  test.each(seeds(9100, 12))('seed %i equals a brute-force search', holdsAgainstBruteForce);
});
