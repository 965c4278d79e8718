import { describe, expect, test } from '@jest/globals';
import { isStarted } from '../../../src/karmada/controllers/registry.ts';
import { clusterTaintPolicyController } from '../../../src/karmada/taints/clusterTaintPolicyController.ts';
import type { Changed } from '../../../src/karmada/controllers/write.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { onStage } from '../controllers/onStage.ts';

function notReady(name: string, secondsAgo: number): Cluster {
  const one = cluster(name);
  const lastTransitionTime = rfc3339(START - secondsAgo * 1000);
  return {
    ...one,
    status: { ...one.status, conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }] },
  };
}

describe('the ClusterTaintPolicy controller', () => {
  test('taints a cluster by its conditions in one locked write, only once', () => {
    const stage = onStage(world([notReady('east-1', 60), cluster('west-1')], []));
    const { writes } = stage.reconcile(clusterTaintPolicyController, 'east-1');
    expect(writes).toMatchObject([{ verb: 'update', part: 'object', lock: true }]);
    stage.write(...writes!);
    expect(stage.store.get('Cluster', 'east-1')?.spec?.taints).toEqual([
      { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: rfc3339(START) },
    ]);
    expect(stage.reconcile(clusterTaintPolicyController, 'east-1')).toEqual({});
    expect(stage.reconcile(clusterTaintPolicyController, 'west-1')).toEqual({});
    expect(stage.reconcile(clusterTaintPolicyController, 'gone')).toEqual({});
  });

  test('reconciles after a condition change, but not after a user removes a taint', () => {
    const before = notReady('east-1', 60);
    const stage = onStage(world([before], []));
    const wakes = (after: Cluster) =>
      stage.wakes(clusterTaintPolicyController, { kind: 'Cluster', key: 'east-1', before, after });
    expect(wakes({ ...before, spec: { ...before.spec, taints: [] } })).toEqual([]);
    expect(wakes(cluster('east-1'))).toEqual([{ key: 'east-1' }]);
  });

  test('reconciles the target clusters of a changed policy, but not of a deleted policy', () => {
    const stage = onStage(world([cluster('east-1'), cluster('west-1')], []));
    const after: ClusterTaintPolicy = {
      metadata: { name: 'east' },
      spec: { targetClusters: { clusterNames: ['east-1'] }, taints: [] },
    };
    const wakes = (change: Changed<ClusterTaintPolicy>) =>
      stage.wakes(clusterTaintPolicyController, { kind: 'ClusterTaintPolicy', key: 'east', ...change });
    expect(wakes({ after })).toEqual([{ key: 'east-1' }]);
    expect(
      wakes({ before: after, after: { ...after, metadata: { name: 'east', labels: { a: 'b' } } } }),
    ).toEqual([]);
    expect(wakes({ before: after })).toEqual([]);
  });

  test('resumes only with recent changes, as a user may have removed older taints', () => {
    const stage = onStage(world([notReady('east-1', 2), notReady('west-1', 60)], []));
    expect(stage.resumes(clusterTaintPolicyController, () => undefined)).toEqual([{ key: 'east-1' }]);
  });

  test('reconciles every cluster in a new process', () => {
    const stage = onStage(world([notReady('east-1', 60), cluster('west-1')], []));
    expect(stage.resumes(clusterTaintPolicyController)).toEqual([{ key: 'east-1' }, { key: 'west-1' }]);
  });

  test('requires the gate Failover', () => {
    const featureGates = { ...failoverOn.featureGates, Failover: false };
    expect(isStarted('cluster-taint-policy-controller', failoverOn)).toBe(true);
    expect(isStarted('cluster-taint-policy-controller', { ...failoverOn, featureGates })).toBe(false);
  });
});
