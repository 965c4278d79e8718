import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { FieldConflict } from '../../state/live/fieldConflicts.ts';
import { CLUSTER_TAINT_POLICIES } from '../../state/live/resources.ts';
import { applyObject, type ApplyObjectOptions } from '../applyObject.ts';

/** What became, or would become, of the manifest of one policy. */
export interface AppliedPolicy {
  name: string;
  /** taken: the server has it, or would take it */
  action: 'created' | 'configured' | 'unchanged' | 'refused' | 'conflicts' | 'unknown';
  /** as it is afterwards; of what was taken */
  object?: ClusterTaintPolicy;
  /** of what was not taken: why, in the server's words */
  message?: string;
  conflicts?: FieldConflict[];
}

export type ApplyPolicyOptions = Pick<
  ApplyObjectOptions<ClusterTaintPolicy>,
  'fieldManager' | 'force' | 'dryRun' | 'signal' | 'pause'
>;

/** Times after which it is given up to apply a policy that somebody else writes all the time. */
const MOST_TRIES = 5;

/**
 * Server-side apply of one policy, with strict field validation. What somebody else has written meanwhile is applied upon, as
 * server-side apply means it; fields that another manager owns are conflicts.
 *
 * @throws ApiError as `applyObject` does
 */
export async function applyPolicy(
  server: ApiServer,
  manifest: ClusterTaintPolicy,
  options: ApplyPolicyOptions,
): Promise<AppliedPolicy> {
  const { name } = manifest.metadata;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const outcome = await applyObject(server, CLUSTER_TAINT_POLICIES, manifest, {
      ...options,
      fieldValidation: 'Strict',
    });
    switch (outcome.result) {
      case 'created':
      case 'unchanged':
        return { name, action: outcome.result, object: outcome.object };
      case 'applied':
        return { name, action: 'configured', object: outcome.object };
      case 'conflicts':
        return { name, action: 'conflicts', conflicts: outcome.conflicts, message: outcome.message };
      case 'changed':
        continue;
      default:
        return { name, action: outcome.result, message: outcome.message };
    }
  }
  return { name, action: 'refused', message: 'somebody else writes it all the time; try it again' };
}
