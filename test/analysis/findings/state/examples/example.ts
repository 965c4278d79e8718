import type { ObjectIdentity } from '../../../../../src/karmada/api/meta.ts';
import { binaries, type Component } from '../../../../../src/karmada/dialects/flags.ts';
import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';

/** A change to a healthy control plane that a check finds: for its tests and its documentation. */
export interface Example {
  /** of Karmada; absent: the newest release */
  version?: string;
  /** additional arguments of a component */
  flags?: Partial<Record<Component, readonly string[]>>;
  /** JSON merge patches; null removes the object */
  patches?: readonly { target: ObjectIdentity; merge: unknown }[];
  adds?: readonly object[];
}

/** The objects of the healthy control plane that examples change. */
export const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
export const webPolicy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
export const member1 = clusterObject('member1');

/** The Deployment that runs a component of Karmada. */
export const running = (component: Component): ObjectIdentity => ({
  kind: 'Deployment',
  namespace: 'karmada-system',
  name: binaries[component],
});

/** A change to one object; null removes it. */
export const patched = (target: ObjectIdentity, merge: unknown) => ({ patches: [{ target, merge }] });

/** Components started with further arguments. */
export const runs = (flags: Example['flags']): Example => ({ flags });

export const container = (component: Component, more: object) =>
  patched(running(component), {
    spec: {
      template: {
        spec: {
          containers: [{ name: binaries[component], command: [`/bin/${binaries[component]}`], ...more }],
        },
      },
    },
  });

/** The workload with this placement. */
export const placed = (placement: object, more: object = {}) =>
  patched(web, { spec: { placement, ...more } });

/** Ready is not True since this time. */
export const notReady = (lastTransitionTime: string, status = 'False', reason = 'ClusterNotReachable') => ({
  status: { conditions: [{ type: 'Ready', status, reason, lastTransitionTime }] },
});

export const asks = (application: object, more: object = {}): Example =>
  patched(web, { spec: { failover: { application }, ...more } });

export const patient = { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' };

/** What a cluster reports of its copy of two replicas. */
export const copyOf = (clusterName: string, health: string, ready?: number) => ({
  clusterName,
  applied: true,
  health,
  ...(ready !== undefined && {
    status: { replicas: 2, readyReplicas: ready, availableReplicas: ready, updatedReplicas: 2 },
  }),
});

/** The clusters' reports about the workload. */
export const reported = (...aggregatedStatus: readonly object[]) => ({ status: { aggregatedStatus } });

/** The scheduler has found no cluster for the workload. */
export const noClusterFits = (lastTransitionTime: string) => ({
  status: {
    conditions: [
      {
        type: 'Scheduled',
        status: 'False',
        reason: 'NoClusterFit',
        message:
          '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
        lastTransitionTime,
      },
    ],
  },
});

/** One more policy for a Deployment of the shop. */
export const policyFor = (
  workload: string,
  name: string,
  placement: object = { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } },
  more: object = {},
): Example => ({
  adds: [
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: {
        namespace: 'shop',
        name,
        labels: { 'propagationpolicy.karmada.io/permanent-id': `id-of-${name}` },
      },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: workload }],
        placement,
        ...more,
      },
    },
  ],
});

/** The workload with this many replicas of one CPU on these clusters. */
export const replicasOn = (cpu: string, clusters: Readonly<Record<string, number>>) => ({
  replicas: Object.values(clusters).reduce((sum, one) => sum + one, 0),
  replicaRequirements: { resourceRequest: { cpu } },
  clusters: Object.entries(clusters).map(([name, replicas]) => ({ name, replicas })),
});

/** A policy that overrides the image registry, still without a spec. */
export const overridePolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { namespace: 'shop', name: 'registry' },
};

/** Four replicas on member1 of a workload that static weights divide among member1 and member2. */
export function dividedByWeights(first: number, second: number) {
  const weight = (name: string, of: number) => ({ targetCluster: { clusterNames: [name] }, weight: of });
  return placed(
    {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          dynamicWeight: null,
          staticWeightList: [weight('member1', first), weight('member2', second)],
        },
      },
    },
    { clusters: [{ name: 'member1', replicas: 4 }] },
  );
}
