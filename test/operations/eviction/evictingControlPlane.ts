import { evictCluster } from '../../../src/karmada/eviction/evictionTasks.ts';
import type { EvictionActionContext } from '../../../src/analysis/evictionAction/actionOutcome.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { RESOURCE_BINDING_PERMANENT_ID_LABEL } from '../../../src/karmada/api/names.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';

export const PATH = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/cart-deployment';

const onAny: Placement = {
  clusterAffinity: { clusterNames: ['member1', 'member2'] },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};

/** Three replicas of shop/cart on member1, with member2 as an alternative. */
export function controlPlane(readyAfterSeconds = 20, placement = onAny): FakeControlPlane {
  const clusters = [{ name: 'member1', replicas: 3 }];
  const binding = deployment('cart', { placement, clusters, replicas: 3 });
  const group = placement.clusterAffinities?.[0]?.affinityName;
  const status = { replicas: 3, readyReplicas: 3, availableReplicas: 3 };
  const cart: ResourceBinding = {
    ...binding,
    metadata: {
      ...binding.metadata,
      labels: { ...binding.metadata.labels, [RESOURCE_BINDING_PERMANENT_ID_LABEL]: 'cart-id' },
    },
    status: {
      ...binding.status,
      ...(group === undefined ? {} : { schedulerObservingAffinityName: group }),
      aggregatedStatus: [{ clusterName: 'member1', applied: true, health: 'Healthy', status }],
    },
  };
  return createFakeControlPlane(
    { ...world([cluster('member1'), cluster('member2')], [cart]), taintPolicies: [] },
    { start: START, members: { workloadReadyAfter: readyAfterSeconds * 1000 } },
  );
}

/** Evicts it from member1 as an operator would, and lets some seconds pass. */
export function evict(
  { edit, time }: FakeControlPlane,
  seconds: number,
  options: Partial<GracefulEvictionTask> = {},
): void {
  edit<KubernetesObject & ResourceBinding>(PATH, (binding) => ({
    ...binding,
    spec: evictCluster(binding.spec, 'member1', {
      purgeMode: 'Gracefully',
      producer: 'somebody',
      reason: 'ByHand',
      ...options,
    }),
  }));
  time.run(time.now() + seconds * 1000);
}

/** The objects needed for judging, besides the Works. */
export function contextOf(plane: FakeControlPlane): Omit<EvictionActionContext, 'works'> {
  const clusters = plane.clusters();
  return {
    now: plane.time.now(),
    configuration: v1_18.defaults,
    snapshot: createClusterSnapshot(clusters, schedulerOptions(v1_18.defaults)),
    clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
    hooks: declaredHooks([], v1_18.rules),
  };
}
