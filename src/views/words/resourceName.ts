const POLICY = 'policy.karmada.io';
const WORK = 'work.karmada.io';

/** The groups of Karmada's own kinds. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['Cluster', 'cluster.karmada.io'],
  ['ClusterOverridePolicy', POLICY],
  ['ClusterPropagationPolicy', POLICY],
  ['ClusterResourceBinding', WORK],
  ['ClusterTaintPolicy', POLICY],
  ['FederatedResourceQuota', POLICY],
  ['OverridePolicy', POLICY],
  ['PropagationPolicy', POLICY],
  ['ResourceBinding', WORK],
  ['Work', WORK],
]);

/**
 * An object as `-o name` prints it: of Karmada's own kinds as kubectl does, "cluster.cluster.karmada.io/tokyo"; others, of which answers
 * do not hold the group, by their kind, "deployment/cart". Every command takes both.
 */
export function resourceName({ kind, name }: { kind: string; name: string }): string {
  const group = GROUPS.get(kind);
  return `${kind.toLowerCase()}${group === undefined ? '' : `.${group}`}/${name}`;
}
