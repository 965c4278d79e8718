import type { PlanVerdict } from '../../analysis/drain/decide/drainRound.ts';
import type { DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import { basisOfBinding, type PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity, objectKey } from '../../karmada/objects/identities.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { drainTasksFor, isOn } from '../../analysis/drain/decide/bindingState.ts';

/** Fields that change by themselves or through the drain, and are ignored in comparisons with the plan. */
const UNDECISIVE = new Set(['spec.requiredBy', 'spec.gracefulEvictionTasks', 'spec.clusters']);

/** Compares bindings with the executed plan, but only those not evicted yet; evicted ones stay included. */
export function applyPlanVerdicts(
  plan: DrainPlan,
  basis: PlanBasis | undefined,
): (binding: ResourceBinding) => PlanVerdict {
  const drained = new Set(plan.options.clusters);
  const planned = new Map<string, PlannedWorkload>();
  for (const workload of plan.workloads)
    if (workload.order !== undefined) planned.set(objectKey(workload.binding), workload);
  const fields = new Map(basis?.bindings.map((one) => [objectKey(one.object), one.fields]));

  return (binding) => {
    // it is a dependent, held for its parents
    if (isAttached(binding.spec)) return 'planned';
    const key = objectKey(bindingIdentity(binding));
    const workload = planned.get(key);
    if (!workload) return 'unplanned';
    const { spec, metadata } = binding;
    if (!isOn(binding, drained) || drainTasksFor(binding, drained).length > 0) return 'planned';
    if (workload.uid !== undefined && workload.uid !== metadata.uid)
      return { changed: 'it was deleted and created again since the plan was made' };
    const now = spec.clusters ?? [];
    if (!samePlaces(workload.before, now))
      return { changed: `it was on ${places(workload.before)} in the plan and is on ${places(now)}` };
    const before = fields.get(key);
    if (!before) return 'planned';
    const present = basisOfBinding(binding).fields;
    const differing = [...new Set([...Object.keys(before), ...Object.keys(present)])].find(
      (field) => before[field] !== present[field] && !UNDECISIVE.has(field),
    );
    return differing === undefined
      ? 'planned'
      : { changed: `${differing} has changed since the plan was made` };
  };
}

function samePlaces(a: readonly TargetCluster[], b: readonly TargetCluster[]): boolean {
  const text = (targets: readonly TargetCluster[]) =>
    targets
      .map(({ name, replicas }) => `${name}=${replicas ?? 0}`)
      .sort()
      .join();
  return text(a) === text(b);
}

function places(targets: readonly TargetCluster[]): string {
  if (targets.length === 0) return 'no cluster';
  return targets.map(({ name, replicas }) => (replicas ? `${name} (${replicas})` : name)).join(', ');
}
