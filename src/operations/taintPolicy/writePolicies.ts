import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { FieldConflict } from '../../state/live/fieldConflicts.ts';
import { CLUSTER_TAINT_POLICIES } from '../../state/live/resources.ts';
import { type ApplyObjectOptions, applyObject } from '../applyObject.ts';
import { type DeleteObjectOptions, deleteObject } from '../deleteObject.ts';
import { CONFLICTS, retries } from '../retries.ts';

/** The actual or expected result of applying one policy. */
interface AppliedPolicy {
  name: string;
  /** created, configured, unchanged: the server has or would accept the policy */
  action: 'created' | 'configured' | 'unchanged' | 'refused' | 'conflicts' | 'unknown';
  /** the resulting policy, if the server accepts it */
  object?: ClusterTaintPolicy;
  /** why the server refuses it, in its words */
  message?: string;
  conflicts?: FieldConflict[];
}

export type ApplyPolicyOptions = Pick<
  ApplyObjectOptions<ClusterTaintPolicy>,
  'fieldManager' | 'force' | 'dryRun' | 'signal' | 'pause'
>;

/**
 * Server-side apply of one policy, with strict field validation. If another client has since written the policy, it is
 * applied on top, as usual; fields that another manager owns are conflicts.
 *
 * @throws ApiError as `applyObject` does
 */
export async function applyPolicy(
  server: ApiServer,
  manifest: ClusterTaintPolicy,
  options: ApplyPolicyOptions,
): Promise<AppliedPolicy> {
  const { name } = manifest.metadata;
  const again = retries(options);
  do {
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
        break;
      default:
        return { name, action: outcome.result, message: outcome.message };
    }
  } while (await again());
  return { name, action: 'refused', message: CONFLICTS };
}

/** The actual or expected result of deleting one policy. */
interface DeletedPolicy {
  name: string;
  /** changed: the policy differs from the one decided on; nothing was deleted */
  action: 'deleted' | 'gone' | 'changed' | 'refused' | 'unknown';
  message?: string;
}

/**
 * Deletes one policy if it has not changed since the decision.
 *
 * @throws ApiError as `deleteObject` does
 */
export async function deletePolicy(
  server: ApiServer,
  policy: ClusterTaintPolicy,
  options: Pick<DeleteObjectOptions, 'dryRun' | 'signal' | 'pause'>,
): Promise<DeletedPolicy> {
  const { name } = policy.metadata;
  const stored = { kind: 'ClusterTaintPolicy', ...policy };
  const outcome = await deleteObject(server, CLUSTER_TAINT_POLICIES, stored, { ...options, unchanged: true });
  switch (outcome.result) {
    case 'deleted':
    case 'deleting':
      return { name, action: 'deleted' };
    case 'gone':
      return { name, action: 'gone' };
    case 'conflict':
      return {
        name,
        action: 'changed',
        message: 'it has changed since it was read; check it and try again',
      };
    default:
      return { name, action: outcome.result, message: outcome.message };
  }
}
