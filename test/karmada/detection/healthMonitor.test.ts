import { describe, expect, test } from '@jest/globals';
import { healthMonitor } from '../../../src/karmada/detection/healthMonitor.ts';
import type { Member } from '../../../src/karmada/controllers/kinds.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus, Taint } from '../../../src/karmada/api/meta.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';
import { Bench } from '../controllers/bench.ts';

const START = Date.parse('2026-03-14T10:00:00Z');
const v1_13 = dialectOf('v1.13.10').dialect.defaults;
const failover = { ...v1_13, featureGates: { ...v1_13.featureGates, Failover: true } };

function cluster(syncMode: 'Push' | 'Pull', status: ConditionStatus, taints?: Taint[]): Cluster {
  return {
    metadata: { name: 'm1', creationTimestamp: rfc3339(START - 3_600_000) },
    spec: { syncMode, ...(taints && { taints }) },
    status: { conditions: [{ type: 'Ready', status, lastTransitionTime: rfc3339(START) }] },
  };
}

/**
 * Follows the looks that the monitor requests until there are none, or for this many seconds; returns its writes with
 * their times.
 */
function follow(bench: Bench, seconds = 1000): [number, string][] {
  const written: [number, string][] = [];
  for (;;) {
    const { writes, requeue } = bench.reconcile(healthMonitor, 'm1');
    for (const write of writes ?? [])
      if (write.verb === 'update' && write.kind === 'Cluster')
        written.push([
          (bench.now - START) / 1000,
          write.part === 'status'
            ? `Ready=${write.object.status!.conditions![0]!.status}`
            : (write.object.spec!.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).join(),
        ]);
    if (!requeue || bench.now + requeue.after > START + seconds * 1000) return written;
    bench.now += requeue.after;
  }
}

const member = (agent?: Member['agent']): Member => ({ name: 'm1', up: true, ...(agent && { agent }) });

describe('the health monitor in a simulation', () => {
  test('requests no reconcile while the agent runs', () => {
    const bench = new Bench(
      { clusters: [cluster('Pull', 'True')], members: [member({ running: true, since: START })] },
      v1_18.defaults,
    );
    expect(bench.reconcile(healthMonitor, 'm1')).toEqual({});
  });

  test('publishes Unknown 40 s after the last Lease renewal, assumed to be half an interval ago', () => {
    const stopped = member({ running: false, since: START });
    const bench = new Bench({ clusters: [cluster('Pull', 'True')], members: [stopped] }, v1_18.defaults);
    expect(follow(bench)).toEqual([[37.501, 'Ready=Unknown']]);
  });

  test('continues the renewals of a captured Lease every 10 s until the agent stops', () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'karmada-cluster', name: 'm1' },
      spec: { renewTime: rfc3339(START - 24_000) },
    };
    const stopped = member({ running: false, since: START });
    const contents = { clusters: [cluster('Pull', 'True')], members: [stopped], objects: [lease] };
    expect(follow(new Bench(contents, v1_18.defaults))).toEqual([[38.501, 'Ready=Unknown']]);
  });

  test('taints clusters that are not Ready for five minutes, only in v1.13 with the gate Failover', () => {
    const contents = { clusters: [cluster('Push', 'False')], members: [member()] };
    const tainted = follow(new Bench(contents, failover));
    expect(tainted).toEqual([[302.501, 'cluster.karmada.io/not-ready:NoExecute']]);
    expect(follow(new Bench(contents, v1_13))).toEqual([]);
    expect(follow(new Bench(contents, v1_18.defaults))).toEqual([]);
  });

  test('removes the taints of a Ready cluster in v1.13, even without the gate Failover', () => {
    const byHand: Taint[] = [{ key: 'cluster.karmada.io/unreachable', effect: 'NoExecute' }];
    const contents = { clusters: [cluster('Push', 'True', byHand)], members: [member()] };
    expect(follow(new Bench(contents, v1_13))).toEqual([[2.501, '']]);
    expect(follow(new Bench(contents, v1_18.defaults))).toEqual([]);
  });
});

test('the health monitor of a live control plane reconciles every period and remembers its observations', () => {
  const bench = new Bench({ clusters: [cluster('Pull', 'True')] }, v1_18.defaults);
  const { requeue, memory } = bench.reconcile(healthMonitor, 'm1');
  expect(requeue).toEqual({ after: 5000 });
  expect(memory?.health.heardAt).toBe(START);
  bench.now += 41_000;
  expect(bench.reconcile(healthMonitor, 'm1').writes).toHaveLength(1);
});
