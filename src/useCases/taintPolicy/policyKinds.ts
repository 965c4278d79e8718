/** The kinds to read to say what ClusterTaintPolicies do to clusters. */
export const POLICY_KINDS: ReadonlySet<string> = new Set(['Cluster', 'ClusterTaintPolicy']);
