import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { applyPolicy, type ApplyPolicyOptions } from '../../operations/taintPolicy/writePolicies.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { MadeWrite } from './writePolicyChange.ts';

/** What a control plane answers to a dry run of policies. */
export interface TriedPolicies {
  /** the policies as they would be, by name */
  objects: Map<string, ClusterTaintPolicy>;
  refusals: MadeWrite[];
}

/**
 * Sends each policy to the API server as a dry run: it checks the schema, webhooks, and who owns the fields.
 *
 * @throws ApiError as `applyPolicy` does
 */
export async function tryPolicies(
  server: ApiServer,
  policies: readonly ClusterTaintPolicy[],
  options: ApplyPolicyOptions & { dryRun: true },
): Promise<TriedPolicies> {
  const tried: TriedPolicies = { objects: new Map(), refusals: [] };
  for (const policy of policies) {
    const { name, action, object, message, conflicts } = await applyPolicy(server, policy, options);
    if (object) tried.objects.set(name, object);
    else tried.refusals.push({ kind: 'ClusterTaintPolicy', name, action, done: false, message, conflicts });
  }
  return tried;
}
