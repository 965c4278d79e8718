import type { PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import type { RemovalPlan } from '../../analysis/taintPolicy/removalPlan.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import type { Pause } from '../../operations/pause.ts';
import { type MissingTaints, awaitTaints } from '../../operations/taintPolicy/awaitTaints.ts';
import { removeTaints } from '../../operations/taintPolicy/removeTaints.ts';
import {
  type ApplyPolicyOptions,
  applyPolicy,
  deletePolicy,
} from '../../operations/taintPolicy/writePolicies.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { CLUSTERS, apiPath } from '../../state/live/resources.ts';
import type { ReportedWrite } from '../../analysis/taintPolicy/policyChange.ts';

/** A change of policies to write to a live control plane. */
interface PolicyWrites {
  /** in the form of the files */
  applied: readonly ClusterTaintPolicy[];
  /** in the form of the state */
  deleted: readonly ClusterTaintPolicy[];
  /** "deleted" or "pruned" */
  deletion: 'deleted' | 'pruned';
  /** the taints to remove too; absent: none */
  removal?: RemovalPlan | undefined;
}

interface WriteOptions {
  fieldManager: string;
  force: boolean;
  dryRun: boolean;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}

export interface MadeWrite extends ReportedWrite {
  /** whether the object is now as intended, written or not */
  done: boolean;
}

/**
 * Writes a change of policies. First it applies policies. Then it removes taints, while the policies that explain them
 * still exist, so that a rerun plans the same change. Then it deletes policies, and removes the taints that Karmada has
 * restored in between. If a policy is not applied, nothing is removed or deleted; if a taint is not removed, no policy
 * is deleted. Yields each write, including skipped ones, and ends early on request.
 *
 * @throws ApiError if the user may not do this, or the server does not respond
 */
export async function* writePolicyChange(
  server: ApiServer,
  { applied, deleted, deletion, removal }: PolicyWrites,
  options: WriteOptions,
): AsyncGenerator<MadeWrite> {
  const stopped = () => options.signal?.aborted === true;
  const steps = removal?.steps ?? [];
  const failed: string[] = [];
  for (const policy of applied) {
    if (stopped()) return;
    const { action, message, conflicts } = await applyPolicy(server, policy, options);
    const done = action === 'created' || action === 'configured' || action === 'unchanged';
    if (!done) failed.push(policy.metadata.name);
    yield { kind: 'ClusterTaintPolicy', name: policy.metadata.name, action, done, message, conflicts };
  }
  if (failed.length > 0) {
    // the policies to delete may be those that the failed ones should replace
    const are = failed.length === 1 ? 'is' : 'are';
    yield* skipped(steps, deleted, deletion, `${failed.join(', ')} ${are} not applied`);
    return;
  }
  for (const [at, step] of steps.entries()) {
    if (stopped()) return;
    const write = await untainted(server, step, options);
    yield write;
    if (write.done || deleted.length === 0) continue;
    // the policy stays, so that a rerun plans the same change
    yield* skipped(steps.slice(at + 1), deleted, deletion, `the taints of ${step.cluster} are not removed`);
    return;
  }
  for (const policy of deleted) {
    if (stopped()) return;
    const { action, message } = await deletePolicy(server, policy, options);
    const done = action === 'deleted' || action === 'gone';
    const shown = action === 'deleted' ? deletion : action === 'gone' ? 'already gone' : action;
    yield { kind: 'ClusterTaintPolicy', name: policy.metadata.name, action: shown, done, message };
  }
  if (options.dryRun || deleted.length === 0) return;
  for (const step of steps) {
    if (stopped()) return;
    const back = await putBack(server, step.cluster, step.taints);
    if (back.length > 0) yield untainted(server, { ...step, taints: back }, options);
  }
}

/** The writes that are skipped because of an earlier failure. */
function skipped(
  steps: RemovalPlan['steps'],
  deleted: readonly ClusterTaintPolicy[],
  deletion: PolicyWrites['deletion'],
  because: string,
): MadeWrite[] {
  const rest = {
    done: false,
    skipped: true,
    message: `${because}; fix that and run the same command again`,
  } as const;
  return [
    ...steps.map(
      ({ cluster }) => ({ kind: 'Cluster', name: cluster, action: 'not untainted', ...rest }) as const,
    ),
    ...deleted.map(
      ({ metadata: { name } }) =>
        ({ kind: 'ClusterTaintPolicy', name, action: `not ${deletion}`, ...rest }) as const,
    ),
  ];
}

async function untainted(
  server: ApiServer,
  step: RemovalPlan['steps'][number],
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

/** The same taints with another timeAdded, which the policy put back before it was deleted. */
async function putBack(server: ApiServer, cluster: string, taints: readonly Taint[]): Promise<Taint[]> {
  try {
    const found = await server.get<{ spec?: { taints?: Taint[] } }>(apiPath(CLUSTERS, undefined, cluster));
    return (found.spec?.taints ?? []).filter(
      (taint) =>
        taint.timeAdded &&
        taints.some(
          (one) =>
            sameTaint(one, taint) &&
            (one.value ?? '') === (taint.value ?? '') &&
            one.timeAdded !== taint.timeAdded,
        ),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/**
 * Waits until the clusters have the taints that the change predicts, and those of unchanged policies: at once, or at
 * the end of a window within the timeout. See awaitTaints.
 */
export function awaitEffect(
  server: ApiServer,
  { clusters }: PolicyEffect,
  options: { timeout: number; since: number; signal?: AbortSignal | undefined; pause?: Pause | undefined },
): Promise<MissingTaints[]> {
  const expected = clusters.map(({ cluster, atOnce, outstanding }) => {
    const lasting = (moves: typeof atOnce.gains) =>
      moves.filter(({ undone, after = 0 }) => !undone && after < options.timeout).map(({ taint }) => taint);
    return {
      cluster,
      gains: lasting([...atOnce.gains, ...outstanding.gains]),
      loses: lasting([...atOnce.loses, ...outstanding.loses]),
    };
  });
  return awaitTaints(server, expected, options);
}

/** A control plane's answer to a dry run of policies. */
interface TriedPolicies {
  /** the resulting policies, by name */
  objects: Map<string, ClusterTaintPolicy>;
  refusals: MadeWrite[];
}

/**
 * Sends each policy to the API server as a dry run: which checks the schema, webhooks, and field ownership.
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
