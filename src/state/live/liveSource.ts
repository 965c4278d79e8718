import { lastingFailures, successOf } from '../../analysis/findings/state/failureEvents.ts';
import { eventStep } from '../../analysis/history/karmadaEvents.ts';
import { emptyWorld, type World } from '../../karmada/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { executionNamespace } from '../../karmada/api/names.ts';
import { addObjects } from '../schema/kinds.ts';
import type { LoadedState, LoadOptions, StateSource } from '../source.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer, Query } from './apiServer.ts';
import { CHECKED_EVENTS, EVENTS, MAX_EVENTS, FAILURE_EVENTS_QUERY, STEP_EVENTS } from './events.ts';
import type { HostComponents } from './hostComponents.ts';
import { inParallel } from './inParallel.ts';
import { createKindReader, type KindReader } from './kindReader.ts';
import { servedVersion } from './served/servedVersion.ts';
import { CHECKED_KINDS, LEADER_LEASES, STATE_KINDS, type StateKind } from './stateKinds.ts';
import { readTemplates } from './templates.ts';

/** How many lists run at a time: enough to keep this process busy, few enough not to burden the server. */
const LISTS_AT_A_TIME = 4;

interface LiveSourceOptions {
  /** reads how Karmada's components were started; absent: their flags are assumed */
  host?: () => Promise<HostComponents>;
  /** whether to detect Karmada's version from the API */
  detectVersion?: boolean;
}

const NOTHING_SHOWN: HostComponents = { commandLines: [], versions: [], warnings: [] };

/**
 * The state of a live control plane, in the same form as from files, at the current time of the server's clock. Only
 * the requested kinds are read, in parallel and page by page. Rejects with ApiError if the server cannot be reached, is
 * not a Karmada API server, or forbids a kind that every answer needs.
 */
export function stateFromControlPlane(
  server: ApiServer,
  { host, detectVersion = true }: LiveSourceOptions = {},
): StateSource {
  return {
    async load(options = {}) {
      const abort = new AbortController();
      const reader = createKindReader(server, {
        signal: abort.signal,
        progress: (reading, objects) => options.progress?.({ reading, bytes: 0, objects }),
      });
      try {
        const [world, { objects = [], ...components }, detected] = await Promise.all([
          readWorld(server, reader, options),
          host?.() ?? NOTHING_SHOWN,
          detectVersion ? servedVersion(server, abort.signal) : undefined,
        ]);
        // fixes patch the workloads that run components, and answers depend on whether those run
        world.others.push(...objects);
        return asLoadedState(server, reader, world, { components, detected });
      } catch (error) {
        throw describeForeignServer(error, server);
      } finally {
        abort.abort();
      }
    },
  };
}

function asLoadedState(
  server: ApiServer,
  { unread, warnings }: KindReader,
  world: World,
  known: Pick<LoadedState, 'components' | 'detected'>,
): LoadedState {
  const objects = Object.values(world).reduce((sum, list: unknown[]) => sum + list.length, 0);
  const none = world.clusters.length === 0 ? [`${server.url} has no Cluster; has any been joined?`] : [];
  const clock = { time: server.now(), source: 'the clock of the API server' };
  return {
    ...known,
    world: { ...world, unread: [...unread] },
    origins: [{ name: server.url, objects }],
    captured: clock,
    read: clock,
    warnings: [...warnings, ...none],
  };
}

async function readWorld(server: ApiServer, reader: KindReader, options: LoadOptions): Promise<World> {
  const { live = {} } = options;
  const { namespace, worksOfEvictions, templates, history, checks } = live;
  const world = emptyWorld();
  const all = [...STATE_KINDS, LEADER_LEASES, ...(checks ? CHECKED_KINDS : [])];
  const wanted = all.filter(({ kind }) => options.kinds?.has(kind) ?? true);
  const [later, now] = partition(wanted, ({ kind }) => kind === 'Work' && worksOfEvictions === true);
  const lists = await inParallel<{ kind: string; objects: KubernetesObject[] }>(LISTS_AT_A_TIME, [
    ...(checks ? [async () => ({ kind: 'Event', objects: await readFailures(reader) })] : []),
    ...now
      .filter((kind) => namespace === undefined || kind.kind !== 'ClusterResourceBinding')
      .map((kind) => async () => {
        const part = kind.kind === 'ResourceBinding' ? { namespace } : {};
        const managedFields = history && kind.kind === 'Cluster';
        return { kind: kind.kind, objects: await reader.read(kind, { ...part, managedFields }) };
      }),
  ]);
  for (const { kind, objects } of lists) addObjects(world, kind, objects);
  if (history)
    for (const event of await reader.read(EVENTS, STEP_EVENTS))
      if (eventStep(event)) world.others.push(event);
  for (const kind of later)
    addObjects(world, kind.kind, await worksOfEvictedClusters(reader, kind, world.bindings));
  if (templates)
    world.others.push(...(await readTemplates(server, reader, world, templates, LISTS_AT_A_TIME)));
  return world;
}

/** The failures that Events report, without those that a later success ended. */
async function readFailures(reader: KindReader): Promise<KubernetesObject[]> {
  const read = (query: Query) => reader.read(CHECKED_EVENTS, { ...query, most: MAX_EVENTS });
  const failures = lastingFailures(await read(FAILURE_EVENTS_QUERY));
  const ending = [...new Set(failures.map(({ reason }) => successOf(reason)))];
  const successes: KubernetesObject[] = [];
  for (const reason of ending) successes.push(...(await read({ fieldSelector: `reason=${reason}` })));
  return lastingFailures([...failures, ...successes]);
}

/** The Works on clusters with eviction tasks; none if there are no tasks. */
async function worksOfEvictedClusters(
  reader: KindReader,
  works: StateKind,
  bindings: ResourceBinding[],
): Promise<KubernetesObject[]> {
  const tasks = bindings.flatMap(({ spec }) => spec.gracefulEvictionTasks ?? []);
  const left = [...new Set(tasks.map(({ fromCluster }) => fromCluster))].sort();
  const lists = await inParallel(
    LISTS_AT_A_TIME,
    left.map((cluster) => () => reader.read(works, { namespace: executionNamespace(cluster) })),
  );
  return lists.flat();
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** Explains a 404 of a member cluster or of the host cluster, which do not serve Karmada's API. */
function describeForeignServer(error: unknown, server: ApiServer): unknown {
  if (!(error instanceof ApiError) || error.status !== 404) return error;
  const name = server.context === undefined ? server.url : `context ${server.context} (${server.url})`;
  return new ApiError(
    `${name} is not a Karmada API server: it does not serve cluster.karmada.io and work.karmada.io; give the context of Karmada's API server (--context)`,
    { status: error.status, reason: error.reason, cause: error },
  );
}
