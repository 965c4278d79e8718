import { drainMarkOf, isCordoned, isMarkOf } from '../../analysis/drain/cordon.ts';
import type { DrainedWorkload } from '../../analysis/drain/decide/drainStep.ts';
import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { UpdateOf } from '../../karmada/controllers/write.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity } from '../../karmada/objects/identities.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS, WORKS } from '../../state/live/resources.ts';
import { answerOf, type WriteApi, type Written } from '../controllers/controllerHost.ts';
import type { LiveView } from '../controllers/liveView.ts';
import type { Pause } from '../pause.ts';
import { CONFLICTS, MAX_TRIES } from '../retries.ts';
import { bindingResource } from '../writeBinding.ts';
import { writeObject, type WriteOutcome } from '../writeObject.ts';
import type { DrainNews } from './drainEvents.ts';
import type { Postponements } from './postponements.ts';
import { isTransient } from './untilAnswered.ts';

interface DrainApiOptions {
  options: DrainOptions;
  live: LiveView;
  postponements: Postponements;
  pause: Pause;
  /** no further write is sent; one that was sent is settled first */
  stop: AbortSignal;
  /** clusters that this run has marked */
  marked: () => readonly string[];
  /** the state of a workload at the last full read */
  standing: (binding: ResourceBinding) => DrainedWorkload | undefined;
  /** wakes the drain for a binding at a time in epoch milliseconds */
  reconsider: (binding: ResourceBinding, at: number) => void;
  notify: (news: DrainNews) => void;
}

interface DrainApi extends WriteApi {
  /** one line for each write with an unknown outcome; only after a stop */
  readonly unsettled: readonly string[];
}

/** Milliseconds of a pause after a failed read. */
const AFTER_FAILED_READ = 1000;

const STOPPED: Written = { result: 'lost', message: 'the drain has been stopped' };
const OUTDATED: Written = { result: 'conflict', message: 'its input has changed' };

/**
 * Sends the writes of a drain. Before an eviction or a release it rereads the objects behind the decision: noticing a
 * dead watch can take a minute.
 *
 * Its promises reject with ApiError if a write of a Cluster is refused, or a right is missing.
 */
export function createDrainApi(server: ApiServer, given: DrainApiOptions): DrainApi {
  const { options, live, postponements, pause, stop, marked, standing, reconsider, notify } = given;
  const unsettled: string[] = [];
  const settings = { signal: stop, pause };
  /** conflicts since the last write of a cluster; the pauses between tries are those of `runControllers` */
  const clusterConflicts = new Map<string, number>();

  async function writeCluster({ key, base, object }: UpdateOf<'Cluster'>): Promise<Written> {
    // if two drains overwrite each other's mark, the later one continues
    if (marked().includes(key) && isOfOtherDrain(base, options)) return OUTDATED;
    const outcome = await writeObject(server, CLUSTERS, base, object, settings);
    if (outcome.result === 'refused' && !stop.aborted)
      throw new ApiError(`Cluster ${key}: ${outcome.message}`, { status: 422, reason: 'Invalid' });
    if (outcome.result === 'unknown' && !stop.aborted)
      throw new ApiError(`Cluster ${key}: ${outcome.message}`, { status: 0, reason: 'unknown' });
    if (outcome.result === 'conflict') {
      live.observe(outcome.object);
      // a cluster must be cordoned before anything is evicted from it
      const count = (clusterConflicts.get(key) ?? 0) + 1;
      clusterConflicts.set(key, count);
      if (count >= MAX_TRIES && !stop.aborted)
        throw new ApiError(`Cluster ${key}: ${CONFLICTS}`, { status: 409, reason: 'Conflict' });
    } else clusterConflicts.delete(key);
    if (outcome.result === 'written' && !isCordoned(base)) notify({ type: 'cordoned', cluster: key });
    return settle(outcome, { kind: 'Cluster', name: key });
  }

  async function writeBinding(write: UpdateOf<'Binding'>): Promise<Written> {
    const { base, object } = write;
    const behind = await outdated(write);
    if (behind) return behind;
    if (stop.aborted) return STOPPED;
    if (live.staleSince() !== undefined || live.view.get('Binding', write.key) !== base) return OUTDATED;
    const outcome = await writeObject(server, bindingResource(base), base, object, settings);
    const due = { binding: base, evicts: clustersLeft(write).length > 0, seen: standing(base) };
    const refused = (reason: string) => reconsider(base, postponements.refused(due, reason, server.now()));
    if (outcome.result === 'written') postponements.written(base);
    else if (outcome.result === 'gone') postponements.gone(base);
    else if (outcome.result === 'conflict') reconsider(base, postponements.conflict(due, server.now()));
    else if (outcome.result === 'refused') refused(`the API server refuses the change: ${outcome.message}`);
    else if (outcome.result === 'unknown' && !stop.aborted) {
      refused(`the API server does not answer: ${outcome.message}`);
      return { result: 'lost', message: outcome.message };
    }
    return settle(outcome, bindingIdentity(base));
  }

  function settle<T extends Cluster | ResourceBinding>(
    outcome: WriteOutcome<T>,
    object: ReturnType<typeof bindingIdentity>,
  ): Written {
    if ('object' in outcome) live.observe(outcome.object);
    if (outcome.result === 'conflict') notify({ type: 'conflict', object });
    if (outcome.result === 'unknown') unsettled.push(`${object.kind} ${object.name}: ${outcome.message}`);
    return answerOf(outcome);
  }

  return {
    unsettled,
    async write(write) {
      if (stop.aborted) return STOPPED;
      if (write.verb === 'update' && write.kind === 'Cluster') return writeCluster(write);
      if (write.verb === 'update' && write.kind === 'Binding') return writeBinding(write);
      throw new Error(`a drain may not ${write.verb} a ${write.kind}`);
    },
  };

  /** Undefined if the view is up to date on the objects that an eviction or a release depends on. */
  async function outdated(write: UpdateOf<'Binding'>): Promise<Written | undefined> {
    try {
      return await readAgain(server, live, write, options.clusters);
    } catch (error) {
      if (!(error instanceof ApiError && isTransient(error))) throw error;
      await pause(AFTER_FAILED_READ, stop);
      return OUTDATED;
    }
  }
}

/** Whether a cluster carries the mark of a drain with other options. */
export function isOfOtherDrain(cluster: Cluster, options: DrainOptions): boolean {
  const mark = drainMarkOf(cluster);
  return mark !== undefined && !isMarkOf(mark, options);
}

/** The clusters that a write removes from spec.clusters. */
function clustersLeft({ base, object }: UpdateOf<'Binding'>): string[] {
  const after = new Set(object.spec.clusters?.map(({ name }) => name));
  return (base.spec.clusters ?? []).map(({ name }) => name).filter((name) => !after.has(name));
}

/**
 * Rereads the objects that a write depends on into the view. An eviction depends on the drained clusters, of this drain
 * or another, which a user may have uncordoned; a release on the Works and clusters of the replacement, but for a
 * dependent on nothing. The binding itself is not read: the server refuses the write if it is stale.
 *
 * @returns the result of the write if the view was stale
 */
async function readAgain(
  server: ApiServer,
  { view, observe }: LiveView,
  write: UpdateOf<'Binding'>,
  drained: readonly string[],
): Promise<Written | undefined> {
  const { base } = write;
  if (isAttached(base.spec)) return undefined;
  const left = clustersLeft(write);
  const replacing = left.length > 0 ? [] : (base.spec.clusters ?? []).map(({ name }) => name);
  const clusters = new Set([...replacing, ...(left.length > 0 ? [...drained, ...left] : [])]);
  const works = view.worksOf(base);
  const known = [
    ...[...clusters].map((name) => ({
      path: apiPath(CLUSTERS, undefined, name),
      was: view.get('Cluster', name),
    })),
    ...replacing.flatMap((name) => {
      const work = works.get(name);
      const { namespace, name: named } = work?.metadata ?? { name: '' };
      return work ? [{ path: apiPath(WORKS, namespace, named), was: work }] : [];
    }),
  ];
  const answers = await Promise.all(
    known.map(async ({ path, was }) => {
      try {
        const now = await server.get<Cluster | Work>(path);
        if (now.metadata.resourceVersion === was?.metadata.resourceVersion) return undefined;
        observe(now);
        return OUTDATED;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        // the view will show that the object is gone
        return { result: 'refused', message: 'its input no longer exists' } satisfies Written;
      }
    }),
  );
  return answers.find((one) => one?.result === 'refused') ?? answers.find((one) => one !== undefined);
}
