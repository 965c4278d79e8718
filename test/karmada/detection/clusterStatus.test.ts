import { describe, expect, test } from '@jest/globals';
import { clusterStatus } from '../../../src/karmada/detection/clusterStatus.ts';
import { probedReadiness } from '../../../src/karmada/detection/readiness.ts';
import type { Member } from '../../../src/karmada/controllers/kinds.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus } from '../../../src/karmada/api/meta.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { cluster as engineCluster, START, world } from '../../simulator/simulation/controlPlane.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { Bench } from '../controllers/bench.ts';
import { onStage } from '../controllers/onStage.ts';

const cluster = (syncMode: 'Push' | 'Pull', status: ConditionStatus): Cluster => ({
  metadata: { name: 'm1', generation: 1 },
  spec: { syncMode },
  status: { conditions: [{ ...(status === 'True' && probedReadiness.healthy), type: 'Ready', status }] },
});

const NOW = new Bench({}, v1_18.defaults).now;
const before = (seconds: number) => rfc3339(NOW - seconds * 1000);

function trial(start: Cluster, member: Omit<Member, 'name'>, configuration: Configuration = v1_18.defaults) {
  const bench = new Bench({ clusters: [start], members: [{ name: 'm1', ...member }] }, configuration);
  const begun = bench.now;
  /** Follows the looks that the controller requests; returns the seconds at which Ready changes, and its status. */
  const follow = (until = 200): [number, string][] => {
    const changes: [number, string][] = [];
    for (;;) {
      const { writes, requeue } = bench.reconcile(clusterStatus, 'm1');
      if (writes?.length)
        changes.push([
          (bench.now - begun) / 1000,
          bench.get('Cluster', 'm1')!.status!.conditions![0]!.reason!,
        ]);
      if (!requeue || bench.now + requeue.after > begun + until * 1000) return changes;
      bench.now += requeue.after;
    }
  };
  return { bench, follow };
}

describe('the cluster status controller', () => {
  test('publishes a probe result once it has lasted for the threshold', () => {
    expect(trial(cluster('Push', 'True'), { up: false }).follow()).toEqual([[35, 'ClusterNotReachable']]);
    expect(trial(cluster('Push', 'False'), { up: true }).follow()).toEqual([[35, 'ClusterReady']]);
  });

  test('assumes an earlier probe of a captured cluster, at a time that varies with the processing order', () => {
    const stage = onStage(world([engineCluster('east-1')], []));
    const wake = (place: number | undefined) => stage.resumes(clusterStatus, () => place);
    expect(wake(undefined)).toEqual([]);
    expect(wake(0.25)).toMatchObject([{ key: 'east-1', memory: { probedAt: START - 2500 } }]);
    const { memory } = stage.resumes(clusterStatus, () => 0.25)[0]!;
    expect(stage.reconcile(clusterStatus, 'east-1', { memory: memory as never }).requeue).toEqual({
      after: 7500,
    });
  });

  test('publishes False instead of Unknown at the next probe', () => {
    expect(trial(cluster('Push', 'Unknown'), { up: false }).follow()).toEqual([[5, 'ClusterNotReachable']]);
  });

  test('reports a failure of a Push member without an endpoint after the threshold, in older versions at once', () => {
    const emptied = (version: string, syncMode: 'Push' | 'Pull') => {
      const start = cluster(syncMode, 'True');
      const member = syncMode === 'Pull' ? { up: true, agent: { running: true, since: 0 } } : { up: true };
      const { bench, follow } = trial(start, member, dialectOf(version).dialect.defaults);
      follow();
      const object = {
        ...start,
        metadata: { name: 'm1', generation: 2 },
        spec: { syncMode, apiEndpoint: '' },
      };
      const wakes = bench.wakes(clusterStatus, {
        verb: 'update',
        kind: 'Cluster',
        key: 'm1',
        part: 'object',
        lock: false,
        base: bench.get('Cluster', 'm1')!,
        object,
      });
      return wakes.length > 0 ? follow() : 'not woken';
    };
    expect(emptied('v1.15.8', 'Push')).toEqual([[5, 'StatusCollectionFailed']]);
    expect(emptied('v1.18.2', 'Push')).toEqual([[35, 'StatusCollectionFailed']]);
    expect(emptied('v1.18.2', 'Pull')).toEqual([]);
  });

  test('rounds a threshold up to whole probe periods', () => {
    const flags = {
      ...v1_18.defaults.controllerManager,
      'cluster-status-update-frequency': 4000,
      'cluster-failure-threshold': 10_000,
    };
    const slow = { ...v1_18.defaults, controllerManager: flags };
    expect(trial(cluster('Push', 'True'), { up: false }, slow).follow()).toEqual([
      [14, 'ClusterNotReachable'],
    ]);
  });

  test('probes at once after a spec change, and in older versions after a status change', () => {
    const early = (configuration: Configuration, change: (before: Cluster) => Cluster) => {
      const { bench, follow } = trial(cluster('Push', 'True'), { up: true }, configuration);
      follow();
      const begun = bench.now;
      bench.objects.set('Member m1', { name: 'm1', up: false });
      bench.reconcile(clusterStatus, 'm1');
      bench.now += 2000;
      bench.objects.set('Cluster m1', change(bench.get('Cluster', 'm1')!));
      follow();
      return (bench.now - begun) / 1000;
    };
    const tainted = (before: Cluster): Cluster => ({
      ...before,
      metadata: { ...before.metadata, generation: 2 },
    });
    const reported = ({ status, ...rest }: Cluster): Cluster => ({
      ...rest,
      status: { ...status, conditions: [...status!.conditions!, { type: 'Other', status: 'True' }] },
    });
    // Probed 2 s after it went down, and every 10 s from then on; a queue that keeps its timer stays in step with the
    // probe 5 s before.
    const { defaults: old } = dialectOf('v1.13.1').dialect;
    expect(early(v1_18.defaults, tainted)).toBe(32);
    expect(early(v1_18.defaults, reported)).toBeGreaterThanOrEqual(40);
    expect(early(old, reported)).toBe(40);
  });

  test('resumes for a Pull cluster once its restarted agent is the leader', () => {
    const returns = (configuration: Configuration) => {
      const { bench, follow } = trial(
        cluster('Pull', 'Unknown'),
        { up: false, agent: { running: false, since: 0 } },
        configuration,
      );
      bench.reconcile(clusterStatus, 'm1');
      bench.objects.set('Member m1', { name: 'm1', up: true, agent: { running: true, since: bench.now } });
      return follow();
    };
    expect(returns(v1_18.defaults)).toEqual([[15, 'ClusterReady']]);
    const alone = { ...v1_18.defaults, agent: { ...v1_18.defaults.agent, 'leader-elect': false } };
    expect(returns(alone)).toEqual([[0, 'ClusterReady']]);
  });

  test('derives the first probe of a captured cluster from its last change, if that is recent', () => {
    const firstProbe = (
      changed: string,
      { joined = before(7200), tainted = '', version = 'v1.18.2' } = {},
    ) => {
      const start = cluster('Push', 'True');
      start.metadata.creationTimestamp = joined;
      start.status!.conditions![0]!.lastTransitionTime = changed;
      if (tainted) start.spec!.taints = [{ key: 'x', effect: 'NoExecute', timeAdded: tainted }];
      const { bench } = trial(start, { up: false }, dialectOf(version).dialect.defaults);
      const { view, now: begun, configuration } = bench;
      const context = { configuration, now: begun, unseen: () => undefined };
      const woken = [...clusterStatus.resumes!(view, context)];
      bench.memories.set(clusterStatus, new Map(woken.map(({ key, memory }) => [key, memory])));
      bench.now += bench.reconcile(clusterStatus, 'm1').requeue!.after;
      return (bench.now - begun) / 1000;
    };
    // Times are truncated to seconds.
    expect(firstProbe(before(23))).toBe(7.5);
    expect(firstProbe(before(3600))).toBe(5);
    // Joining changes more than is visible.
    expect(firstProbe(before(23), { joined: before(25) })).toBe(5);
    // A queue that keeps timers continues as if nothing had been tainted.
    expect(firstProbe(before(23), { tainted: before(1) })).toBe(9.5);
    expect(firstProbe(before(23), { tainted: before(1), version: 'v1.16.0' })).toBe(7.5);
  });

  test('publishes allocated resources together with the condition Ready', () => {
    const start = cluster('Push', 'False');
    start.status!.resourceSummary = { allocated: { pods: '1' } };
    const allocated = { pods: '2' };
    const { bench, follow } = trial(start, { up: true, allocated });
    const reported = () => bench.get('Cluster', 'm1')!.status!.resourceSummary!.allocated;
    follow(30);
    expect(reported()).toEqual({ pods: '1' });
    expect(follow(200)).toEqual([[35, 'ClusterReady']]);
    expect(reported()).toEqual(allocated);
  });

  test('publishes allocated resources after its informers have relisted the member', () => {
    const start = cluster('Push', 'True');
    start.status!.resourceSummary = { allocated: { pods: '1' } };
    const until = NOW + 60_000;
    const stale = { until: { 'v1 Pod': until }, known: {} };
    const { bench, follow } = trial(start, { up: true, allocated: { pods: '2' }, stale });
    follow();
    expect(bench.get('Cluster', 'm1')!.status!.resourceSummary!.allocated).toEqual({ pods: '2' });
    expect(bench.now).toBe(until + 5000);
  });
});
