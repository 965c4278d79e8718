import type { PolicyEffect } from '../../engine/taintPolicy/effect.ts';
import type { RemovalPlan } from '../../engine/taintPolicy/removalPlan.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { Pause } from '../../operations/pause.ts';
import { applyPolicy } from '../../operations/taintPolicy/applyPolicies.ts';
import { awaitTaints, type MissingTaints } from '../../operations/taintPolicy/awaitTaints.ts';
import { deletePolicy } from '../../operations/taintPolicy/deletePolicy.ts';
import { removeTaints } from '../../operations/taintPolicy/removeTaints.ts';
import { ApiError } from '../../state/live/apiError.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';

/** A change of policies as it is written. */
export interface PolicyWrites {
  /** as they are written in files */
  applied: readonly ClusterTaintPolicy[];
  /** as the state has them */
  deleted: readonly ClusterTaintPolicy[];
  /** "deleted" or "pruned" */
  deletion: 'deleted' | 'pruned';
  /** the taints to take along; absent: none */
  removal?: RemovalPlan | undefined;
}

export interface WriteOptions {
  fieldManager: string;
  force: boolean;
  dryRun: boolean;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}

/** One write that was made, or tried. */
export interface MadeWrite {
  kind: 'ClusterTaintPolicy' | 'Cluster';
  name: string;
  action: string;
  /** whether it is as it was to be: written, or so already */
  done: boolean;
  taints?: readonly Taint[];
  message?: string | undefined;
  conflicts?: readonly { manager: string; field: string }[] | undefined;
}

/**
 * Writes a change of policies: first those that are applied; then the taints that are to go, while the policies that explain them are still
 * there, so that after an interruption the same change is planned again; then the deletions; and once more the taints, if Karmada has put some
 * back meanwhile. Gives each write as it is made, and ends early if asked to.
 *
 * @throws ApiError if the user may not do this, or the server does not answer
 */
export async function* writePolicyChange(
  server: ApiServer,
  { applied, deleted, deletion, removal }: PolicyWrites,
  options: WriteOptions,
): AsyncGenerator<MadeWrite> {
  const stopped = () => options.signal?.aborted === true;
  for (const policy of applied) {
    if (stopped()) return;
    const { action, message, conflicts } = await applyPolicy(server, policy, options);
    const done = action === 'created' || action === 'configured' || action === 'unchanged';
    yield { kind: 'ClusterTaintPolicy', name: policy.metadata.name, action, done, message, conflicts };
  }
  const steps = (removal?.steps ?? []).flatMap((step) => (step.kind === 'remove-taints' ? [step] : []));
  for (const { cluster, taints, expects } of steps) {
    if (stopped()) return;
    const write = await untainted(server, { cluster, taints, uid: expects.uid }, options);
    yield write;
    // the policy stays, so that the same change is planned again
    if (!write.done && deleted.length > 0) return;
  }
  for (const policy of deleted) {
    if (stopped()) return;
    const { action, message } = await deletePolicy(server, policy, options);
    const done = action === 'deleted' || action === 'gone';
    const told = action === 'deleted' ? deletion : action === 'gone' ? 'already gone' : action;
    yield { kind: 'ClusterTaintPolicy', name: policy.metadata.name, action: told, done, message };
  }
  if (options.dryRun || deleted.length === 0) return;
  for (const { cluster, taints, expects } of steps) {
    if (stopped()) return;
    const back = await putBack(server, cluster, taints);
    if (back.length > 0) yield untainted(server, { cluster, taints: back, uid: expects.uid }, options);
  }
}

async function untainted(
  server: ApiServer,
  step: { cluster: string; taints: readonly Taint[]; uid: string | undefined },
  options: WriteOptions,
): Promise<MadeWrite> {
  const { removed, message } = await removeTaints(server, step, options);
  return {
    kind: 'Cluster',
    name: step.cluster,
    action: removed.length > 0 ? 'untainted' : message === undefined ? 'already untainted' : 'refused',
    done: message === undefined,
    taints: removed,
    message,
  };
}

/** The same taints with another time: the policy has put them back before it was deleted. */
async function putBack(server: ApiServer, cluster: string, taints: readonly Taint[]): Promise<Taint[]> {
  try {
    const found = await server.get<{ spec?: { taints?: Taint[] } }>(apiPath(CLUSTERS, undefined, cluster));
    return (found.spec?.taints ?? []).filter(
      (taint) =>
        taint.timeAdded &&
        taints.some(
          ({ key, effect, value = '', timeAdded }) =>
            key === taint.key &&
            effect === taint.effect &&
            value === (taint.value ?? '') &&
            timeAdded !== taint.timeAdded,
        ),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Waits until the clusters are as the effect of a change says. See awaitTaints. */
export function awaitEffect(
  server: ApiServer,
  { clusters }: PolicyEffect,
  options: { timeout: number; since: number; signal?: AbortSignal | undefined; pause?: Pause | undefined },
): Promise<MissingTaints[]> {
  const expected = clusters.map(({ cluster, atOnce }) => {
    const lasting = (moves: typeof atOnce.gains) =>
      moves.filter(({ undone }) => !undone).map(({ taint }) => taint);
    return { cluster, gains: lasting(atOnce.gains), loses: lasting(atOnce.loses) };
  });
  return awaitTaints(server, expected, options);
}
