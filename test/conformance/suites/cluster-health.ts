import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Condition, ConditionStatus, KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { executionNamespace } from '../../../src/karmada/api/names.ts';
import { instant } from '../../../src/kubernetes/time.ts';
import type { Requeue } from '../../../src/karmada/controllers/controller.ts';
import { clusterController } from '../../../src/karmada/detection/clusterController.ts';
import { healthMonitor } from '../../../src/karmada/detection/healthMonitor.ts';
import { readyCondition } from '../../../src/karmada/objects/clusterReadiness.ts';
import { Bench } from '../../karmada/controllers/bench.ts';
import type { Suite } from '../suite.ts';

interface CaseStep {
  now: string;
  setReady?: ConditionStatus;
  leaseRenewTime?: string;
  delete?: boolean;
}

interface Input {
  cluster: Cluster;
  clusterMonitorGracePeriodSeconds: number;
  clusterStartupGracePeriodSeconds: number;
  failoverEvictionTimeoutSeconds?: number;
  featureGates?: { Failover?: boolean };
  steps: CaseStep[];
}

function configurationOf(input: Input, { defaults }: Dialect): Configuration {
  return {
    ...defaults,
    controllerManager: {
      ...defaults.controllerManager,
      'cluster-monitor-grace-period': input.clusterMonitorGracePeriodSeconds * 1000,
      'cluster-startup-grace-period': input.clusterStartupGracePeriodSeconds * 1000,
      'failover-eviction-timeout': (input.failoverEvictionTimeoutSeconds ?? 0) * 1000,
    },
    featureGates: { ...defaults.featureGates, ...input.featureGates },
  };
}

const named = (kind: string, name: string, namespace?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(namespace && { namespace }) },
});

/** External events of the cluster at the start of a step. */
function change(bench: Bench, { now, setReady, leaseRenewTime, delete: deleted }: CaseStep): void {
  bench.now = instant(now);
  const cluster = bench.get('Cluster', 'm1')!;
  if (setReady) {
    const before = readyCondition(cluster);
    const ready: Condition = {
      type: 'Ready',
      status: setReady,
      reason: 'FromStatusController',
      message: '',
      lastTransitionTime: before?.status === setReady ? before.lastTransitionTime! : now,
    };
    const others = (cluster.status?.conditions ?? []).filter(({ type }) => type !== 'Ready');
    const status = { ...cluster.status, conditions: [...others, ready] };
    bench.objects.set('Cluster m1', { ...cluster, status });
  }
  if (leaseRenewTime)
    bench.objects.set('Object Lease/karmada-cluster/m1', {
      ...named('Lease', 'm1', 'karmada-cluster'),
      apiVersion: 'coordination.k8s.io/v1',
      spec: { renewTime: leaseRenewTime },
    });
  if (deleted) {
    const { metadata, ...rest } = bench.get('Cluster', 'm1')!;
    bench.objects.set('Cluster m1', { ...rest, metadata: { ...metadata, deletionTimestamp: now } });
  }
}

/**
 * Seconds until Karmada looks at a deleted Cluster again. The controller also looks in between, when
 * kube-controller-manager empties the execution namespace.
 */
function karmadasRequeue(bench: Bench, first: Requeue | undefined): number {
  const begun = bench.now;
  let requeue = first;
  const hasNamespace = () => bench.get('Object', `Namespace//${executionNamespace('m1')}`) !== undefined;
  for (let looks = 0; requeue && hasNamespace() && looks < 5; looks++) {
    bench.now += requeue.after;
    ({ requeue } = bench.reconcile(clusterController, 'm1'));
  }
  return (bench.now + (requeue?.after ?? 0) - begun) / 1000;
}

export default {
  answer(input: Input, dialect: Dialect) {
    const bench = new Bench(
      { clusters: [input.cluster], objects: [named('Namespace', executionNamespace('m1'))] },
      configurationOf(input, dialect),
    );
    const taints = () => bench.get('Cluster', 'm1')!.spec?.taints ?? [];
    return {
      steps: input.steps.map((step) => {
        change(bench, step);
        const { requeue } = bench.reconcile(clusterController, 'm1');
        if (step.delete) return { taints: taints(), requeueAfterSeconds: karmadasRequeue(bench, requeue) };
        const taintsAfterReconcile = taints();
        bench.reconcile(healthMonitor, 'm1');
        bench.reconcile(clusterController, 'm1');
        const ready = readyCondition(bench.get('Cluster', 'm1')!);
        return {
          taintsAfterReconcile,
          taints: taints(),
          ready: ready && {
            status: ready.status,
            reason: ready.reason,
            lastTransitionTime: ready.lastTransitionTime,
          },
        };
      }),
    };
  },
} satisfies Suite;
