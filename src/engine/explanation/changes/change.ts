import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Placement } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';

/** What is changed: one word for each way to let a workload move. */
export type ChangeKind =
  | 'tolerate'
  | 'uncordon'
  | 'end-eviction'
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

/** A binding and clusters as they would be. */
export interface Proposal {
  binding: ResourceBinding;
  /** the clusters that differ, by name */
  clusters: ReadonlyMap<string, Cluster>;
}

/** One thing that somebody would change. */
export interface ChangeStep {
  kind: ChangeKind;
  /** how much it asks for, in no unit; smaller ones are proposed first */
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

/** The proposal with another cluster; `cluster` as it is where nothing has changed it yet. */
export function withCluster(
  proposal: Proposal,
  cluster: Cluster,
  change: (cluster: Cluster) => Cluster,
): Proposal {
  const { name } = cluster.metadata;
  const changed = change(proposal.clusters.get(name) ?? cluster);
  return { ...proposal, clusters: new Map([...proposal.clusters, [name, changed]]) };
}
