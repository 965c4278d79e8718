import type { Copy } from '../../../src/karmada/controllers/kinds.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';

export const failoverOn = {
  ...v1_18.defaults,
  featureGates: { ...v1_18.defaults.featureGates, Failover: true, StatefulFailoverInjection: true },
};

export function cluster(name: string, ready = true, syncMode: 'Push' | 'Pull' = 'Push'): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** The Deployment shop/web, or another kind with that name. */
export function template(
  spec: Record<string, unknown> = { replicas: 3 },
  rest: { kind?: string; metadata?: object } = {},
): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: rest.kind ?? 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', generation: 1, ...rest.metadata },
    spec,
  } as KubernetesObject;
}

/** The binding of shop/web, scheduled long ago. */
export function binding(
  spec: Partial<ResourceBinding['spec']>,
  rest: { metadata?: object; status?: ResourceBinding['status'] } = {},
): ResourceBinding {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      generation: 1,
      labels: { 'resourcebinding.karmada.io/permanent-id': 'id-web' },
      ...rest.metadata,
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'uid-web' },
      replicas: 3,
      ...spec,
    },
    status: { lastScheduledTime: '2026-03-14T08:00:00Z', ...rest.status },
  };
}

export const WEB = 'shop/web-deployment';

export const webOn = (name: string) => `karmada-es-${name}/web-56d6c779bb`;

/** The Work of shop/web for a cluster, captured as applied and Healthy. */
export function work(
  name: string,
  {
    replicas = 3,
    status,
    deleting = false,
    ...spec
  }: { replicas?: number; status?: Work['status'] | null; deleting?: boolean } & Work['spec'] = {},
): Work {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name: 'web-56d6c779bb',
      namespace: `karmada-es-${name}`,
      generation: 1,
      labels: { 'resourcebinding.karmada.io/permanent-id': 'id-web' },
      ...(deleting && { deletionTimestamp: '2026-03-14T09:59:00Z' }),
    },
    spec: {
      workload: {
        manifests: [
          template(
            { replicas },
            { metadata: { uid: undefined, labels: { 'karmada.io/managed': 'true' }, annotations: {} } },
          ),
        ],
      },
      suspendDispatching: false,
      preserveResourcesOnDeletion: false,
      ...spec,
    },
    ...(status === null
      ? {}
      : {
          status: status ?? {
            conditions: [
              { type: 'Dispatching', status: 'True' },
              { type: 'Applied', status: 'True' },
            ],
            manifestStatuses: [{ health: 'Healthy', status: { replicas, readyReplicas: replicas } }],
          },
        }),
  };
}

/** The ready copy of shop/web in a cluster. */
export function copy(name: string, rest: Partial<Copy> = {}): Copy {
  return {
    cluster: name,
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    object: work(name, rest.replicas === undefined ? {} : { replicas: rest.replicas }).spec!.workload!
      .manifests![0]!,
    managed: true,
    replicas: 3,
    ready: 3,
    status: { replicas: 3, readyReplicas: 3 },
    ...rest,
  };
}
