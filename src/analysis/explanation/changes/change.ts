import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Placement } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';

/** What to change: one word for each way to let a workload move. */
export type ChangeKind =
  | 'tolerate'
  | 'uncordon'
  | 'end-eviction'
  | 'forget-eviction'
  | 'cluster-affinity'
  | 'label-cluster'
  | 'fallback-group'
  | 'min-groups'
  | 'max-groups'
  | 'no-spread'
  | 'fewer-replicas'
  | 'smaller-requests'
  | 'free-room'
  | 'install-api';

/** A binding and clusters as they would be after a change. */
export interface Proposal {
  binding: ResourceBinding;
  /** the clusters that differ, by name */
  clusters: ReadonlyMap<string, Cluster>;
}

/** One step of a change that somebody would make. */
export interface ChangeStep {
  kind: ChangeKind;
  /** how much it changes, without a unit; smaller steps are proposed first */
  size: number;
  /** as an imperative: "tolerate maintenance:NoSchedule" */
  text: string;
  apply(proposal: Proposal): Proposal;
}

/** The proposal with another placement. */
export function withPlacement(proposal: Proposal, change: (placement: Placement) => Placement): Proposal {
  const { binding } = proposal;
  const placement = change(binding.spec.placement ?? {});
  return { ...proposal, binding: { ...binding, spec: { ...binding.spec, placement } } };
}

/** The proposal with a changed cluster; `cluster` is its present state. */
export function withCluster(
  proposal: Proposal,
  cluster: Cluster,
  change: (cluster: Cluster) => Cluster,
): Proposal {
  const { name } = cluster.metadata;
  const changed = change(proposal.clusters.get(name) ?? cluster);
  return { ...proposal, clusters: new Map([...proposal.clusters, [name, changed]]) };
}
