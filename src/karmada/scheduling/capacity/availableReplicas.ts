import type { ResourceBindingSpec } from '../../api/work.ts';
import type { SchedulerOptions, SchedulingRules } from '../schedulerOptions.ts';
import {
  maxAvailableComponentSetsOfFleet,
  maxAvailableReplicasOfFleet,
  unlimitedReplicas,
  type FleetCapacity,
} from './fleetCapacity.ts';
import { MAX_INT32 } from './replicaEstimate.ts';
import { ReplicaCapacity } from './replicaCapacity.ts';

/** The general estimator's value for "unknown". */
const UNAUTHENTIC = -1;

/**
 * How many replicas of a binding (or component sets, if those are scheduled as a whole) fit on each cluster, by the
 * cluster's index in the fleet. A binding without replicas and, if components count, without components fits without
 * limit: MaxInt32. A cluster that the estimator cannot judge, or without a limit, gets spec.replicas. The result can be
 * negative if quantities exceed int32. It is shared: do not write to it. Throws InvalidQuantity for malformed
 * requirements. Mirrors calAvailableReplicas of Karmada's scheduler with only its general estimator.
 */
export function availableReplicas(
  fleet: FleetCapacity,
  spec: ResourceBindingSpec,
  options: Pick<SchedulerOptions, 'rules' | 'featureGates'>,
): ReplicaCapacity {
  const replicas = spec.replicas ?? 0;
  const componentsCount = options.rules.workloadTest === 'replicasRequirementsOrComponents';
  if (replicas === 0 && !(componentsCount && spec.components?.length)) return unlimitedReplicas(fleet);
  const capacity = schedulesComponentSets(spec, options)
    ? maxAvailableComponentSetsOfFleet(fleet, spec.components ?? [])
    : maxAvailableReplicasOfFleet(fleet, spec.replicaRequirements);
  if (!capacity.has(UNAUTHENTIC) && !capacity.has(MAX_INT32)) return capacity;
  return new ReplicaCapacity(
    capacity.values.map((estimate) =>
      estimate === UNAUTHENTIC || estimate === MAX_INT32 ? replicas : estimate,
    ),
  );
}

/**
 * Whether components are scheduled as whole sets: the binding has as many as the version requires, and a spread
 * constraint asks for exactly one cluster (isMultiTemplateSchedulingApplicable of Karmada's scheduler).
 */
export function schedulesComponentSets(
  spec: ResourceBindingSpec,
  {
    rules,
    featureGates,
  }: { rules: Pick<SchedulingRules, 'componentSets'> } & Pick<SchedulerOptions, 'featureGates'>,
): boolean {
  return (
    featureGates.MultiplePodTemplatesScheduling &&
    (spec.components?.length ?? 0) >= rules.componentSets &&
    (spec.placement?.spreadConstraints ?? []).some(
      ({ spreadByField, minGroups, maxGroups }) =>
        spreadByField === 'cluster' && minGroups === 1 && maxGroups === 1,
    )
  );
}
