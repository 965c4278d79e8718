import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import { withoutTaints } from '../../analysis/taintPolicy/removalPlan.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import type { Pause } from '../pause.ts';
import { rewriteObject } from '../rewriteObject.ts';

/** The actual or expected result of removing taints from one cluster. */
interface RemovedTaints {
  cluster: string;
  removed: Taint[];
  /** taints that have changed since the decision: gone, renewed, or with another value */
  left: Taint[];
  /** why nothing was written */
  message?: string;
}

export interface RemoveTaintsOptions {
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}

/**
 * Removes taints from a cluster if they have not changed since the decision, including timeAdded and value. Each
 * write carries resourceVersion and uid; after a conflict it decides again.
 *
 * @throws ApiError if the user may not read or write the cluster
 */
export async function removeTaints(
  server: ApiServer,
  { cluster: name, taints, uid }: { cluster: string; taints: readonly Taint[]; uid?: string | undefined },
  { dryRun, signal, pause }: RemoveTaintsOptions = {},
): Promise<RemovedTaints> {
  const nothing = (message?: string): RemovedTaints => ({
    cluster: name,
    removed: [],
    left: [...taints],
    ...(message === undefined ? {} : { message }),
  });
  let found: Cluster;
  try {
    found = await server.get<Cluster>(apiPath(CLUSTERS, undefined, name), { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return nothing();
    throw error;
  }
  const isAnother = ({ metadata }: Cluster) => uid !== undefined && metadata.uid !== uid;
  const without = (one: Cluster): Cluster => {
    const there = one.spec?.taints ?? [];
    const kept = withoutTaints(there, taints);
    return isAnother(one) || kept === there ? one : { ...one, spec: { ...one.spec, taints: [...kept] } };
  };
  const outcome = await rewriteObject(server, CLUSTERS, found, without, { dryRun, signal, pause });
  if (outcome.result === 'gone') return nothing();
  if (!('before' in outcome)) return nothing(outcome.message);
  const { before, result } = outcome;
  if (isAnother(before)) return nothing('it was deleted and joined again; run the command again');
  if (result === 'unchanged') return nothing();
  const there = before.spec?.taints ?? [];
  const kept = withoutTaints(there, taints);
  const removed = there.filter((taint) => !kept.includes(taint));
  return {
    cluster: name,
    removed,
    left: taints.filter((one) => !removed.some((taint) => sameTaint(taint, one))),
  };
}
