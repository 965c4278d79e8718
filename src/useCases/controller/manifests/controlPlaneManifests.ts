import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import { clusterRights, leaseRights, queueRights, reviewRights } from './rights.ts';

/** An object for the API server, whatever its fields are. */
export type AnyManifest = KubernetesObject & Record<string, unknown>;

/** The name of the controllers' accounts, roles and workloads. */
export const NAME = 'karmada-failover-controller';

export const labels = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/part-of': 'karmada' };

/**
 * For the Karmada API server: the account of the controllers, and their rights.
 *
 * @param oneQueue whether the version has one eviction queue
 * @param reviews whether they have the API server review who reads their metrics
 */
export function controlPlaneManifests({
  namespace,
  lease,
  oneQueue,
  reviews,
}: {
  namespace: string;
  lease: { namespace: string; name: string };
  oneQueue: boolean;
  reviews: boolean;
}): AnyManifest[] {
  const RBAC = 'rbac.authorization.k8s.io';
  const account = { kind: 'ServiceAccount', name: NAME, namespace };
  const inLease = { name: NAME, namespace: lease.namespace, labels };
  return [
    {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
      metadata: { name: NAME, namespace, labels },
      automountServiceAccountToken: false,
    },
    {
      ...{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole' },
      metadata: { name: NAME, labels },
      rules: [...clusterRights, ...(oneQueue ? queueRights : []), ...(reviews ? reviewRights : [])],
    },
    {
      ...{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding' },
      metadata: { name: NAME, labels },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME },
      subjects: [account],
    },
    {
      ...{ apiVersion: `${RBAC}/v1`, kind: 'Role' },
      metadata: inLease,
      rules: leaseRights(lease.name),
    },
    {
      ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' },
      metadata: inLease,
      roleRef: { apiGroup: RBAC, kind: 'Role', name: NAME },
      subjects: [account],
    },
  ];
}
