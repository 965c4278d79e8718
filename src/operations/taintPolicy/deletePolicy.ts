import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { CLUSTER_TAINT_POLICIES } from '../../state/live/resources.ts';
import { deleteObject, type DeleteObjectOptions } from '../deleteObject.ts';

/** The result, or the result to expect, of deleting one policy. */
export interface DeletedPolicy {
  name: string;
  /** changed: it is no longer the one that was decided on; nothing was deleted */
  action: 'deleted' | 'gone' | 'changed' | 'refused' | 'unknown';
  message?: string;
}

/**
 * Deletes one policy if it has not changed since it was decided on.
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
        message: 'it has been changed meanwhile; look at it and try again',
      };
    default:
      return { name, action: outcome.result, message: outcome.message };
  }
}
