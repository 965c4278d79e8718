import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import type { Scheme } from './policies.ts';
import type { Random } from './random.ts';

const SERVICES = [
  'cart',
  'ledger',
  'search',
  'profile',
  'orders',
  'pricing',
  'images',
  'mail',
  'queue',
  'feed',
];
const REQUESTS = ['100m', '250m', '500m', '1', '1500m', '2'].flatMap((cpu) =>
  ['128Mi', '512Mi', '1Gi', '2Gi', '1500M'].map((memory) => ({ cpu, memory })),
);

/** A binding of the scheme as Karmada leaves it when healthy: scheduled and applied. */
export function generateBinding(
  index: number,
  scheme: Scheme,
  random: Random,
  times: { since: string; scheduled: string },
): ResourceBinding {
  const { policy, placement } = scheme;
  const { namespace } = policy.metadata;
  const plain = scheme.duplicates && random.chance(0.2);
  const kind = plain ? 'ConfigMap' : random.chance(0.15) ? 'StatefulSet' : 'Deployment';
  const apiVersion = plain ? 'v1' : 'apps/v1';
  const replicas = plain ? 0 : scheme.replicaUnit * (2 + random.below(6));
  const clusters = scheme.place(replicas);
  const name = `${random.pick(SERVICES)}-${String(index).padStart(6, '0')}`;
  const uid = random.uid();
  const condition = (type: string, reason: string, message: string) => ({
    lastTransitionTime: times.scheduled,
    message,
    reason,
    status: 'True' as const,
    type,
  });
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      annotations: {
        'policy.karmada.io/applied-placement': JSON.stringify(placement),
        'propagationpolicy.karmada.io/name': policy.metadata.name,
        'propagationpolicy.karmada.io/namespace': namespace!,
      },
      creationTimestamp: times.since,
      finalizers: ['karmada.io/binding-controller'],
      generation: 2,
      labels: {
        'propagationpolicy.karmada.io/permanent-id': scheme.permanentId,
        'resourcebinding.karmada.io/permanent-id': random.uid(),
      },
      name: `${name}-${kind.toLowerCase()}`,
      namespace: namespace!,
      ownerReferences: [{ apiVersion, controller: true, kind, name, uid }],
      resourceVersion: String(100_000 + index),
      uid: random.uid(),
    },
    spec: {
      clusters,
      conflictResolution: 'Abort',
      ...(scheme.failover && { failover: scheme.failover }),
      placement,
      ...(replicas > 0 && {
        replicaRequirements: { namespace: namespace!, resourceRequest: random.pick(REQUESTS) },
        replicas,
      }),
      resource: { apiVersion, kind, name, namespace: namespace!, resourceVersion: '99', uid },
      schedulerName: 'default-scheduler',
    },
    status: {
      aggregatedStatus: clusters.map((cluster) => ({
        applied: true,
        clusterName: cluster.name,
        health: 'Healthy' as const,
        ...(replicas > 0 && { status: workloadStatus(cluster.replicas ?? 0) }),
      })),
      conditions: [
        condition('Scheduled', 'Success', 'Binding has been scheduled successfully.'),
        condition('FullyApplied', 'FullyAppliedSuccess', 'All works have been successfully applied'),
      ],
      lastScheduledTime: times.scheduled,
      schedulerObservedGeneration: 2,
      ...(scheme.affinityName && { schedulerObservingAffinityName: scheme.affinityName }),
    },
  };
}

function workloadStatus(replicas: number) {
  return {
    availableReplicas: replicas,
    generation: 1,
    observedGeneration: 1,
    readyReplicas: replicas,
    replicas,
    resourceTemplateGeneration: 1,
    updatedReplicas: replicas,
  };
}

/** The Works of a binding, one per cluster, applied and healthy. */
export function worksOf(binding: ResourceBinding): Work[] {
  const { resource, clusters = [], replicaRequirements } = binding.spec;
  const since = binding.metadata.creationTimestamp;
  return clusters.map(({ name, replicas }) => ({
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      annotations: {
        'resourcebinding.karmada.io/name': binding.metadata.name,
        'resourcebinding.karmada.io/namespace': binding.metadata.namespace ?? '',
      },
      ...(since && { creationTimestamp: since }),
      finalizers: ['karmada.io/execution-controller'],
      generation: 1,
      labels: {
        'resourcebinding.karmada.io/permanent-id':
          binding.metadata.labels?.['resourcebinding.karmada.io/permanent-id'] ?? '',
      },
      name: `${resource.name}-${binding.metadata.uid?.slice(0, 8) ?? ''}`,
      namespace: `karmada-es-${name}`,
    },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: resource.apiVersion,
            kind: resource.kind,
            metadata: { name: resource.name, ...(resource.namespace && { namespace: resource.namespace }) },
            ...(replicas !== undefined && {
              spec: {
                replicas,
                template: {
                  spec: {
                    containers: [
                      {
                        image: 'registry.example/app:1.0',
                        name: 'app',
                        resources: { requests: replicaRequirements?.resourceRequest },
                      },
                    ],
                  },
                },
              },
            }),
          },
        ],
      },
    },
    status: {
      conditions: [
        {
          lastTransitionTime: binding.status?.lastScheduledTime ?? '',
          message: 'Manifest has been successfully applied',
          reason: 'AppliedSuccessful',
          status: 'True' as const,
          type: 'Applied',
        },
      ],
      manifestStatuses: [
        {
          health: 'Healthy' as const,
          identifier: { kind: resource.kind, name: resource.name, namespace: resource.namespace, ordinal: 0 },
          ...(replicas !== undefined && { status: workloadStatus(replicas) }),
        },
      ],
    },
  }));
}
