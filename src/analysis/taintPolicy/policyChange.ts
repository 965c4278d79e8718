import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { KubernetesObject, Taint } from '../../karmada/api/meta.ts';
import type { ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';

/** A user's change of the ClusterTaintPolicies of a control plane. */
export interface PolicyChange {
  /** new policies, and new states of existing ones */
  applied?: readonly ClusterTaintPolicy[];
  /** names of policies that are deleted */
  deleted?: readonly string[];
}

/** One write of a change, planned or made. */
export interface ReportedWrite {
  kind: 'ClusterTaintPolicy' | 'Cluster';
  name: string;
  /** "configured", "pruned", "untainted" */
  action: string;
  /** not attempted, because an earlier write failed */
  skipped?: true;
  /** taints of an untainted cluster */
  taints?: readonly Taint[];
  message?: string | undefined;
  conflicts?: readonly { manager: string; field: string }[] | undefined;
}

export interface ChangedPolicy {
  name: string;
  /** unchanged: the spec is the same, so Karmada does not reconcile it */
  verb: 'created' | 'edited' | 'unchanged' | 'deleted';
  before?: ClusterTaintPolicy;
  after?: ClusterTaintPolicy;
}

export interface PoliciesAround {
  before: readonly ClusterTaintPolicy[];
  after: readonly ClusterTaintPolicy[];
  changed: ChangedPolicy[];
}

/**
 * The policies after a change. A new policy is created now, so it decides; an edit keeps creationTimestamp.
 *
 * @param now epoch milliseconds
 */
export function policiesAround(
  before: readonly ClusterTaintPolicy[],
  { applied = [], deleted = [] }: PolicyChange,
  now: number,
): PoliciesAround {
  const known = new Map(before.map((policy) => [policy.metadata.name, policy]));
  const after = new Map(known);
  const changed: ChangedPolicy[] = [];
  for (const policy of applied) {
    const { name } = policy.metadata;
    const old = known.get(name);
    const next = createdAs(policy, old ? old.metadata.creationTimestamp : rfc3339(now));
    after.set(name, next);
    const verb = old ? (deepEqual(old.spec, next.spec) ? 'unchanged' : 'edited') : 'created';
    changed.push({ name, verb, ...(old && { before: old }), after: next });
  }
  for (const name of deleted) {
    const old = after.get(name);
    if (!old) continue;
    after.delete(name);
    changed.push({ name, verb: 'deleted', before: old });
  }
  return { before, after: [...after.values()], changed };
}

function createdAs(policy: ClusterTaintPolicy, time: string | null | undefined): ClusterTaintPolicy {
  const { creationTimestamp: _, ...metadata } = policy.metadata;
  return { ...policy, metadata: { ...metadata, ...(time && { creationTimestamp: time }) } };
}

/**
 * A policy change as events of one instant, in the order of writes to a live control plane: apply policies, remove the
 * taints left behind, delete policies.
 *
 * @param removed the taints that are removed, by cluster
 * @param now epoch milliseconds
 */
export function changeEvents(
  { applied = [], deleted = [] }: PolicyChange,
  removed: readonly { cluster: string; taints: readonly Taint[] }[],
  now: number,
): ScenarioEvent[] {
  const at = (action: ScenarioAction): ScenarioEvent => ({ at: now, action });
  const objects = applied.map((policy) => ({
    ...policy,
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  })) as unknown as KubernetesObject[];
  const untaints = removed.flatMap(({ cluster, taints }) =>
    taints.map(({ key, effect }) => at({ type: 'untaint', cluster, key, effect })),
  );
  return [
    ...(objects.length > 0 ? [at({ type: 'apply', objects })] : []),
    ...untaints,
    ...deleted.map((name) => at({ type: 'delete', target: { kind: 'ClusterTaintPolicy', name } })),
  ];
}
