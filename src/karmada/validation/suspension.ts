import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { Suspension } from '../api/policy.ts';
import * as schema from '../api/policy.ts';

/** Dispatching is suspended everywhere or on some clusters, not both. */
export function suspensionErrors(suspension: Suspension | undefined, field: string): FieldError[] {
  if (!suspension?.dispatching || !suspension.dispatchingOnClusters?.clusterNames?.length) return [];
  return [
    invalid(
      // Karmada appends the name a second time
      `${field}.suspension`,
      typed(schema.Suspension, suspension),
      'suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames',
    ),
  ];
}
