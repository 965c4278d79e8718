import type { Placement } from '../api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import { isWorkload } from '../objects/placement.ts';
import type { SchedulingRules } from './schedulerOptions.ts';

/** How replicas are spread over the chosen clusters; undefined for combinations that Karmada does not know. */
export type Strategy = 'Duplicated' | 'Aggregated' | 'StaticWeight' | 'DynamicWeight';

/** Whether every cluster gets all replicas: the default without replicaScheduling, but not without only its type. */
export function isDuplicated(placement: Placement | undefined): boolean {
  const scheduling = placement?.replicaScheduling;
  return !scheduling || scheduling.replicaSchedulingType === 'Duplicated';
}

/** The strategy of a placement. */
export function strategyOf(placement: Placement | undefined): Strategy | undefined {
  if (isDuplicated(placement)) return 'Duplicated';
  const scheduling = placement?.replicaScheduling;
  if (scheduling?.replicaSchedulingType !== 'Divided') return undefined;
  switch (scheduling.replicaDivisionPreference) {
    case 'Aggregated':
      return 'Aggregated';
    case 'Weighted':
      return scheduling.weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight';
    default:
      return undefined;
  }
}

/** Whether replicas are divided by the capacity that clusters report; karmada-descheduler moves only those. */
export function isDividedByCapacity(placement: Placement | undefined): boolean {
  const strategy = strategyOf(placement);
  return strategy === 'Aggregated' || strategy === 'DynamicWeight';
}

/** Whether spread constraints are ignored: static weights take every feasible cluster. */
export function ignoresSpreadConstraints(placement: Placement | undefined): boolean {
  const scheduling = placement?.replicaScheduling;
  if (scheduling?.replicaSchedulingType !== 'Divided' || scheduling.replicaDivisionPreference !== 'Weighted')
    return false;
  const { weightPreference } = scheduling;
  return (
    !weightPreference ||
    ((weightPreference.staticWeightList?.length ?? 0) > 0 && !weightPreference.dynamicWeight)
  );
}

/** Whether a rebalance was requested after the last scheduling, so that the previous result is ignored. */
export function rescheduleRequired(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): boolean {
  if (!spec.rescheduleTriggeredAt || !status?.lastScheduledTime) return false;
  return instant(spec.rescheduleTriggeredAt) > instant(status.lastScheduledTime);
}

/** Whether a binding keeps its result while nothing changes; a non-workload is rescheduled at every attempt. */
export function countsAsWorkload(
  spec: ResourceBindingSpec,
  { workloadTest }: Pick<SchedulingRules, 'workloadTest'>,
): boolean {
  return workloadTest === 'replicas' ? (spec.replicas ?? 0) !== 0 : isWorkload(spec);
}

/** Whether replicas are assigned: not if there are none, and since v1.16 not for several components. */
export function assignsReplicas(
  { replicas = 0, replicaRequirements, components = [] }: ResourceBindingSpec,
  { workloadTest }: Pick<SchedulingRules, 'workloadTest'>,
): boolean {
  if (workloadTest === 'replicas') return replicas > 0;
  return (replicas > 0 || replicaRequirements != null) && components.length <= 1;
}
