import type { DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import { evictFromClusters } from '../../analysis/drain/drainTasks.ts';
import { bindingIdentity, objectKey } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { ApiError } from '../../state/live/apiError.ts';
import { isMissingRight } from '../../state/live/missingRight.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import { writeBindingSpec } from '../writeBinding.ts';

/** The server's answer to the dry run of one write of a plan. */
interface RehearsedWrite {
  object: ObjectIdentity;
  /** absent for writes of clusters */
  workload?: PlannedWorkload;
  /** why the server would not accept it */
  refused?: string;
}

/** How many writes are sent at a time. */
const SIDE_BY_SIDE = 8;

/**
 * Sends the first writes of a plan, and each of its evictions, with dryRun=All: the server admits and validates them,
 * webhooks included, without storing them. Yields in the plan's order.
 *
 * @throws ApiError if the user may not write such objects, or the server cannot be reached
 */
export async function* rehearseDrain(
  server: ApiServer,
  { cordons, workloads, options }: DrainPlan,
  world: World,
  signal?: AbortSignal,
): AsyncGenerator<RehearsedWrite> {
  for (const { object, patch, resourceVersion, uid } of cordons) {
    const { metadata, ...rest } = patch as { metadata?: object };
    const guarded = { ...rest, metadata: { ...metadata, resourceVersion, uid } };
    const refused = await refusal(
      server.patch(apiPath(CLUSTERS, undefined, object.name), guarded, { dryRun: true, signal }),
    );
    yield { object, ...(refused === undefined ? {} : { refused }) };
  }
  if (options.method === 'taint') return;

  const bindings = new Map(world.bindings.map((one) => [objectKey(bindingIdentity(one)), one]));
  const evicted = workloads.filter(({ order }) => order !== undefined).sort((a, b) => a.order! - b.order!);
  for (let at = 0; at < evicted.length && !signal?.aborted; at += SIDE_BY_SIDE) {
    const rehearsed = evicted.slice(at, at + SIDE_BY_SIDE).map(async (workload): Promise<RehearsedWrite> => {
      const about = { object: workload.binding, workload };
      const binding = bindings.get(objectKey(workload.binding));
      if (!binding) return { ...about, refused: 'it is gone' };
      const from = workload.from.map(({ name }) => name);
      const outcome = await writeBindingSpec(
        server,
        binding,
        evictFromClusters(binding.spec, from, options),
        {
          dryRun: true,
          signal,
        },
      );
      switch (outcome.result) {
        case 'written':
        case 'unchanged':
          return about;
        case 'conflict':
          return { ...about, refused: 'it has changed since it was read' };
        case 'gone':
          return { ...about, refused: 'it is gone' };
        default:
          return { ...about, refused: outcome.message };
      }
    });
    yield* await Promise.all(rehearsed);
  }
}

/** Why the server refuses a write; undefined if it would accept it. */
async function refusal(write: Promise<unknown>): Promise<string | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) throw error;
    if (error.status === 403 && isMissingRight(error.message)) throw error;
    return error.message;
  }
}
