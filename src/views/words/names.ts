import type { SourcePlace } from '../../analysis/findings/finding.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TaintOwnership } from '../../karmada/taints/taintOwnership.ts';
import { shortKind } from '../../kubernetes/resourceNames.ts';
import { visible } from '../../presentation/visible.ts';
import { objectText } from '../../karmada/objects/identities.ts';

export { objectText };

/** The identity of a workload, from an item with its fields; other lists have it as `workload`. */
export function workloadIn({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A workload in the form of a selection: "shop/deployment/cart", "clusterrole/support". */
export function workloadName({ kind, namespace, name }: ObjectIdentity): string {
  return `${namespace ? `${namespace}/` : ''}${kind.toLowerCase()}/${name}`;
}

/** The same with the short name of its kind: "shop/deploy/cart". */
export function shortWorkloadName({ kind, ...one }: ObjectIdentity): string {
  return workloadName({ ...one, kind: shortKind(kind) });
}

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
 * An object as `-o name` prints it: Karmada's own kinds as in kubectl, "cluster.cluster.karmada.io/tokyo"; others, whose group answers
 * lack, by kind, "deployment/cart". Every command accepts both.
 */
export function resourceName({ kind, name }: { kind: string; name: string }): string {
  const group = GROUPS.get(kind);
  return `${kind.toLowerCase()}${group === undefined ? '' : `.${group}`}/${name}`;
}

/** Clusters with their replicas in text: "dublin×2, virginia×4". */
export function placementText(clusters: { name: string; replicas?: number }[]): string {
  return clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name)).join(', ');
}

/** The owner of a taint, in words. */
export function ownerText({
  owner,
  policies = [],
}: Pick<TaintOwnership, 'owner'> & { policies?: string[] }): string {
  switch (owner) {
    case 'cluster-controller':
      return 'Karmada itself';
    case 'policy':
      return `${policies.length === 1 ? 'policy' : 'policies'} ${policies.join(', ')}`;
    case 'cordon':
      return 'cordon';
    case 'drain':
      return 'a drain';
    case 'person':
      return 'an operator';
    case 'unknown':
      return 'an operator, or a changed or deleted policy';
  }
}

/** "policy.yaml:3:5" */
export function formatPlace({ file, line, column }: SourcePlace): string {
  return `${visible(file)}:${line}:${column}`;
}
