import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import type { PolicyChange } from './policyChange.ts';
import type { RemovalPlan } from './removalPlan.ts';

/**
 * A change of policies as events, all of one instant, in the order in which a live control plane is written: apply
 * policies, remove the taints that they leave behind if a plan for that is given, delete policies.
 *
 * @param now epoch milliseconds
 */
export function changeEvents(
  { applied = [], deleted = [] }: PolicyChange,
  removal: RemovalPlan | undefined,
  now: number,
): ScenarioEvent[] {
  const at = (action: ScenarioAction): ScenarioEvent => ({ at: now, action });
  const objects = applied.map((policy) => ({
    ...policy,
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  })) as unknown as KubernetesObject[];
  const untaints = (removal?.steps ?? []).flatMap(({ cluster, taints }) =>
    taints.map(({ key, effect }) => at({ type: 'untaint', cluster, key, effect })),
  );
  return [
    ...(objects.length > 0 ? [at({ type: 'apply', objects })] : []),
    ...untaints,
    ...deleted.map((name) => at({ type: 'delete', target: { kind: 'ClusterTaintPolicy', name } })),
  ];
}
