import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity, objectKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import type { Replay } from './changes/trial.ts';
import type { SchedulingDecision } from './schedulingDecision.ts';

/** Where a WorkloadRebalancer brings a workload at which nothing makes the scheduler look, by a simulation. */
export interface Rebalance {
  gives: TargetCluster[];
  /** false: it stays on the same clusters, as where affinity groups only go forward */
  moves: boolean;
}

/**
 * Tries a WorkloadRebalancer if the scheduler would now choose a cluster that the workload is not on, such as one that has come back, or
 * if it stays in a later affinity group. Undefined: it would not, looks by itself, or the simulation does not come to rest.
 */
export function rebalanceOf(
  binding: ResourceBinding,
  decision: SchedulingDecision,
  replay: Replay,
  now: number,
): Rebalance | undefined {
  const there = new Set(placedOn(binding.spec).map(({ name }) => name));
  if (!decision.hypothetical || decision.failure || there.size === 0 || isAttached(binding.spec))
    return undefined;
  const isAggregated = binding.spec.placement?.replicaScheduling?.replicaDivisionPreference === 'Aggregated';
  const chosen = [...(decision.result ?? []), ...(isAggregated ? [] : (decision.dividedAnew ?? []))];
  const isAway = decision.untried.some(({ earlier }) => earlier);
  if (!isAway && chosen.every(({ name }) => there.has(name))) return undefined;
  const rebalancer = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: 'explain-rebalance' },
    spec: { workloads: [workloadIdentity(binding)] },
  };
  const simulation = replay([{ at: now, action: { type: 'apply', objects: [rebalancer] } }]);
  const own = objectKey(bindingIdentity(binding));
  const outcome = simulation.workloads.find((one) => objectKey(one.binding) === own);
  if (!outcome || !simulation.atRest) return undefined;
  const moves = outcome.after.some(({ name }) => !there.has(name));
  return moves || isAway ? { gives: outcome.after, moves } : undefined;
}
