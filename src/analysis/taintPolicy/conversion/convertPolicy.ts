import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import type { Conversion } from './conversion.ts';
import type { PolicyForm } from './forms.ts';
import type { KeptSpec } from './keptSpec.ts';
import { toProposed } from './toProposed.ts';
import { toShipped } from './toShipped.ts';

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
