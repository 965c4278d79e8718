import type { KubernetesObject } from '../../../karmada/api/meta.ts';

/** A rule of a Role, in the API's format. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

/** All rights of a running controller to Karmada's objects; docs/rbac.yaml lists the same. */
const clusterRights: readonly PolicyRule[] = [
  { apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['get', 'list', 'watch', 'patch'] },
  {
    apiGroups: ['work.karmada.io'],
    resources: ['resourcebindings', 'clusterresourcebindings'],
    verbs: ['get', 'list', 'watch', 'patch'],
  },
  { apiGroups: ['policy.karmada.io'], resources: ['clustertaintpolicies'], verbs: ['list', 'watch'] },
  {
    apiGroups: ['config.karmada.io'],
    resources: ['resourceinterpretercustomizations', 'resourceinterpreterwebhookconfigurations'],
    verbs: ['list', 'watch'],
  },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
];

/** Additional rights in a version with one eviction queue: to write conditions of bindings that wait in it. */
const queueRights: readonly PolicyRule[] = [
  {
    apiGroups: ['work.karmada.io'],
    resources: ['resourcebindings/status', 'clusterresourcebindings/status'],
    verbs: ['patch'],
  },
];

/** Additional rights for metrics over TLS: to review who reads them, and whether they may. */
export const reviewRights: readonly PolicyRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** The rights to its own Lease, and to read that of Karmada's controller manager. */
function leaseRights(lease: string): PolicyRule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, resourceNames: [lease], verbs: ['get', 'update'] },
    { ...leases, resourceNames: ['karmada-controller-manager'], verbs: ['get'] },
  ];
}

/** An object for the API server, whatever its fields are. */
export type AnyManifest = KubernetesObject & Record<string, unknown>;

/** The name of the controllers' accounts, roles and workloads. */
export const CONTROLLER_NAME = 'karmada-failover-controller';

export const labels = { 'app.kubernetes.io/name': CONTROLLER_NAME, 'app.kubernetes.io/part-of': 'karmada' };

/**
 * For the Karmada API server: the account of the controllers, and their rights.
 *
 * @param oneQueue whether the version has one eviction queue
 * @param reviews whether they ask the API server to review who reads their metrics
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
  const account = { kind: 'ServiceAccount', name: CONTROLLER_NAME, namespace };
  const inLease = { name: CONTROLLER_NAME, namespace: lease.namespace, labels };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: CONTROLLER_NAME, namespace, labels },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: CONTROLLER_NAME, labels },
      rules: [...clusterRights, ...(oneQueue ? queueRights : []), ...(reviews ? reviewRights : [])],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: CONTROLLER_NAME, labels },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: CONTROLLER_NAME },
      subjects: [account],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: inLease,
      rules: leaseRights(lease.name),
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: inLease,
      roleRef: { apiGroup: RBAC, kind: 'Role', name: CONTROLLER_NAME },
      subjects: [account],
    },
  ];
}
