import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import type { DataChange } from '../../../kubernetes/dataChange.ts';
import type { ConversionFinding } from './findings.ts';
import type { PolicyForm } from './forms.ts';
import type { KeptSpec } from './keptSpec.ts';
import { toProposed } from './toProposed.ts';
import { toShipped } from './toShipped.ts';

/** What has to be done to a policy so that it is in the other form, and what that means. */
export interface Conversion {
  /** of the policy as a whole; the annotation that keeps the rest is not among them */
  changes: DataChange[];
  findings: ConversionFinding[];
  kept: KeptSpec;
}

/**
 * Converts a policy of the other form into this one. The spec is what the API server of the other form admits.
 *
 * @param kept what an earlier conversion kept of the policy, when it was in the wanted form
 */
export function convertPolicy(
  spec: ClusterTaintPolicySpec,
  to: PolicyForm,
  kept?: KeptSpec | undefined,
): Conversion {
  return to === 'shipped' ? toShipped(spec, kept) : toProposed(spec, kept);
}
