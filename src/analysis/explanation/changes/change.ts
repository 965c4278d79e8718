import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Placement } from '../../../karmada/api/policy.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { FeatureGates } from '../../../karmada/dialects/featureGates.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { createMergePatch } from '../../../kubernetes/mergePatch.ts';
import { forgetEvictions } from '../../../karmada/application/evictionHistory.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import { bindingIdentity, workloadIdentity } from '../../../karmada/objects/identities.ts';
import { hasSamePlaces } from '../schedulingDecision.ts';
import type { Outcome, WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';

/** The kinds of changes that can make a workload move. */
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
  | 'install-api'
  | 'longer-toleration'
  | 'endless-toleration'
  | 'failover-off';

/** A binding and clusters after a change. */
export interface Proposal {
  binding: ResourceBinding;
  /** the changed clusters, by name */
  clusters: ReadonlyMap<string, Cluster>;
}

/** One step of a change that an operator would make. */
export interface ChangeStep {
  kind: ChangeKind;
  /** how much it changes, without a unit; smaller steps are proposed first */
  size: number;
  /** as an imperative: "tolerate maintenance:NoSchedule" */
  text: string;
  apply(proposal: Proposal): Proposal;
}

/** The proposal with a replaced placement. */
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

export interface ObjectPatch {
  target: ObjectIdentity & { apiVersion: string };
  merge: unknown;
}

const POLICY_API = 'policy.karmada.io/v1alpha1';

/**
 * The patches for a proposal, on the objects that users own: the placement on the policy, replicas on the workload,
 * taints and labels on the Cluster, eviction tasks and eviction history on the binding. Capacity, APIs and future tasks
 * cannot be patched.
 *
 * @param present the binding as it is today, which its own patches are for
 * @param gives spec.clusters after the change; written together with the present tasks, so that the copy is not deleted
 *   first
 */
export function patchesFor(
  binding: ResourceBinding,
  clusters: ReadonlyMap<string, Cluster>,
  proposal: Proposal,
  gives: TargetCluster[],
  present: ResourceBinding,
): ObjectPatch[] {
  const { spec } = binding;
  const after = proposal.binding.spec;
  const patches: ObjectPatch[] = [];
  const add = (target: ObjectPatch['target'], merge: unknown) => void patches.push({ target, merge });

  const placement = createMergePatch(spec.placement, after.placement);
  if (placement !== undefined) add(ownerOfPlacement(binding), { spec: { placement } });
  if (spec.replicas !== after.replicas)
    add(workloadIdentity(binding), { spec: { replicas: after.replicas } });
  const ended = (spec.gracefulEvictionTasks ?? []).filter(
    ({ fromCluster }) => !after.gracefulEvictionTasks?.some((task) => task.fromCluster === fromCluster),
  );
  const tasks = present.spec.gracefulEvictionTasks ?? [];
  const kept = tasks.filter(({ fromCluster }) => !ended.some((task) => task.fromCluster === fromCluster));
  if (kept.length < tasks.length)
    add(asTarget(present), {
      spec: {
        gracefulEvictionTasks: kept,
        ...(hasSamePlaces(present, binding) ? { clusters: gives } : {}),
      },
    });
  const forgotten = new Set(clusterNames(spec).filter((name) => !clusterNames(after).includes(name)));
  const forgetting = forgetEvictions(present.spec, forgotten);
  if (forgetting !== present.spec)
    add(asTarget(present), { spec: { activeEvictionHistory: forgetting.activeEvictionHistory } });
  for (const [name, cluster] of proposal.clusters) {
    const before = clusters.get(name);
    const taints = createMergePatch(before?.spec?.taints ?? [], cluster.spec?.taints ?? []);
    const labels = createMergePatch(before?.metadata.labels ?? {}, cluster.metadata.labels ?? {});
    if (taints === undefined && labels === undefined) continue;
    add(
      { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name },
      {
        ...(labels === undefined ? {} : { metadata: { labels } }),
        ...(taints === undefined ? {} : { spec: { taints } }),
      },
    );
  }
  return patches;
}

function clusterNames({ activeEvictionHistory = [] }: ResourceBinding['spec']): string[] {
  return activeEvictionHistory.map(({ clusterName }) => clusterName);
}

/** The policy that sets the binding's placement; the binding itself if there is none. */
export function ownerOfPlacement(binding: ResourceBinding): ObjectPatch['target'] {
  const claim = claimOf(binding.metadata);
  if (!claim) return asTarget(binding);
  const { kind, namespace, name } = claim;
  return { apiVersion: POLICY_API, kind, ...(namespace ? { namespace } : {}), name };
}

function asTarget(binding: ResourceBinding): ObjectPatch['target'] {
  return { apiVersion: binding.apiVersion ?? 'work.karmada.io/v1alpha2', ...bindingIdentity(binding) };
}

/** A change after which the scheduler places the workload, found by running the scheduler on it. */
export interface ProposedChange {
  /** one kind, or two if no single one is enough */
  kinds: ChangeKind[];
  text: string;
  /** how much it changes, without a unit */
  size: number;
  patches: ObjectPatch[];
  /** further feature gates to start Karmada with */
  gates?: Partial<FeatureGates>;
  /** spec.clusters after the change */
  gives: TargetCluster[];
  /** spec.clusters before anything fails, if the change moves the workload today */
  movesToday?: TargetCluster[];
  /** other clusters where the same kind of change works too */
  alternatives: string[];
  /** the outcome of the whole simulation with the change made at its start; absent if the change was not tried */
  leadsTo?: Outcome;
  /** the temporary gap in replicas; absent: none, or the change was not tried */
  gap?: WorkloadOutcome['gap'];
}
