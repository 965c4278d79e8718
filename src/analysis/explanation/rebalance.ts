import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity, objectKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import type { Replay } from './changes/trial.ts';
import type { SchedulingDecision } from './schedulingDecision.ts';

/** Where a WorkloadRebalancer would place a workload that nothing else triggers the scheduler for, by simulation. */
export interface Rebalance {
  gives: TargetCluster[];
  /** false: it stays on the same clusters, for example since affinity groups only advance */
  moves: boolean;
}

/**
 * Tries a WorkloadRebalancer if the scheduler would now choose a cluster without the workload, such as a recovered one,
 * or if it stays in a later affinity group. Undefined: it would not, it is rescheduled anyway, or it never settles.
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
