import type { FeatureGates } from '../../../karmada/configuration.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import {
  maxAvailableComponentSetsOfFleet,
  maxAvailableReplicasOfFleet,
  type FleetCapacity,
} from './fleetCapacity.ts';
import { MAX_INT32 } from './replicaEstimate.ts';

/** The general estimator's way to say that it cannot tell. */
const UNAUTHENTIC = -1;

const unlimited = new WeakMap<FleetCapacity, Int32Array>();
const withoutBound = new WeakMap<Int32Array, boolean>();

/**
 * How many replicas of a binding each cluster has room for, by the cluster's index in the fleet. Sets of
 * components where those are scheduled as a whole. What has neither replicas nor components fits without
 * limit: MaxInt32. A cluster that the estimator cannot judge, or without any bound, counts with spec.replicas.
 * The answer can be negative where quantities exceed int32. It is shared: do not write to it. Throws
 * InvalidQuantity for requirements that cannot be read.
 * Mirrors calAvailableReplicas of Karmada's scheduler with its general estimator alone.
 */
export function availableReplicas(
  fleet: FleetCapacity,
  spec: ResourceBindingSpec,
  gates: Pick<FeatureGates, 'MultiplePodTemplatesScheduling'>,
): Int32Array {
  const replicas = spec.replicas ?? 0;
  if (replicas === 0 && !spec.components?.length) return unlimitedReplicas(fleet);
  const estimates =
    gates.MultiplePodTemplatesScheduling && schedulesComponentSets(spec)
      ? maxAvailableComponentSetsOfFleet(fleet, spec.components ?? [])
      : maxAvailableReplicasOfFleet(fleet, spec.replicaRequirements);
  if (!leavesUnbounded(estimates)) return estimates;
  return estimates.map((estimate) =>
    estimate === UNAUTHENTIC || estimate === MAX_INT32 ? replicas : estimate,
  );
}

/**
 * Whether components are scheduled as whole sets: there are some, and a spread constraint asks for exactly
 * one cluster (isMultiTemplateSchedulingApplicable of Karmada's scheduler).
 */
export function schedulesComponentSets(spec: ResourceBindingSpec): boolean {
  return (
    (spec.components?.length ?? 0) > 0 &&
    (spec.placement?.spreadConstraints ?? []).some(
      ({ spreadByField, minGroups, maxGroups }) =>
        spreadByField === 'cluster' && minGroups === 1 && maxGroups === 1,
    )
  );
}

function unlimitedReplicas(fleet: FleetCapacity): Int32Array {
  let all = unlimited.get(fleet);
  if (!all) unlimited.set(fleet, (all = new Int32Array(fleet.capacities.length).fill(MAX_INT32)));
  return all;
}

function leavesUnbounded(estimates: Int32Array): boolean {
  let unbounded = withoutBound.get(estimates);
  if (unbounded === undefined) {
    unbounded = estimates.some((estimate) => estimate === UNAUTHENTIC || estimate === MAX_INT32);
    withoutBound.set(estimates, unbounded);
  }
  return unbounded;
}
