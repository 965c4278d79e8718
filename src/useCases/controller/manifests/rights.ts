/** A rule of a Role, as the API has it. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

/** All that a running controller may do with Karmada's objects; docs/rbac.yaml says the same. */
export const clusterRights: readonly PolicyRule[] = [
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

/** What it may do in addition, in a version with one eviction queue: write conditions of bindings that wait there. */
export const queueRights: readonly PolicyRule[] = [
  {
    apiGroups: ['work.karmada.io'],
    resources: ['resourcebindings/status', 'clusterresourcebindings/status'],
    verbs: ['patch'],
  },
];

/** What it may do in addition if it serves metrics over TLS: ask who reads them, and whether they may. */
export const reviewRights: readonly PolicyRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** The rights to its own Lease, and to look at that of Karmada's controller manager. */
export function leaseRights(lease: string): PolicyRule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, resourceNames: [lease], verbs: ['get', 'update'] },
    { ...leases, resourceNames: ['karmada-controller-manager'], verbs: ['get'] },
  ];
}
