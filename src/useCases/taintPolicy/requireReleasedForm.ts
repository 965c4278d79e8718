import type { OpenedState } from '../state/openState.ts';
import { Problem } from '../problem.ts';

/**
 * Throws a Problem if ClusterTaintPolicies of the version have the form of the design: what is said of conditions and
 * taints here goes by the form that is released, and would be wrong.
 */
export function requireReleasedForm({
  configuration,
  karmadaVersion,
}: Pick<OpenedState, 'configuration' | 'karmadaVersion'>): void {
  if (configuration.rules.api.taintPolicyForm === 'windows')
    throw new Problem({ code: 'taint-policy-form', version: karmadaVersion });
}
