import { purgesDirectly } from '../../engine/eviction/purgeMode.ts';
import { explainEvictionTasks, type EvictionTaskExplanation } from '../../engine/explanation/evictionTask.ts';
import {
  evictionTaskChanges,
  nextJudgement,
  type EvictionTaskChange,
} from '../../engine/explanation/evictionTaskChanges.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { executionNamespace } from '../../karmada/names.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { Mirror, MirrorListener } from '../../state/live/mirror.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  WORKS,
} from '../../state/live/resources.ts';

/** Begins to follow the objects at a path of the API. */
export type StartMirror = <T>(path: string, listener: MirrorListener<T>) => Mirror<T>;

export interface WatchEvictionsOptions {
  /** only bindings of this namespace */
  namespace?: string | undefined;
  /** whether a binding is one of those asked for */
  concerns(binding: ResourceBinding): boolean;
  /** milliseconds */
  gracefulEvictionTimeout: number;
  /** how to tell that flag, where it is only assumed */
  timeoutAssumed?: string | undefined;
  /** the server's clock, epoch milliseconds */
  now(): number;
  /** ends the watch */
  signal: AbortSignal;
  /** is told of all tasks first, empty where there are none, and then of every change */
  onChanges(changes: EvictionTaskChange[], now: number): void;
  /** nothing has been heard since then; undefined: heard again */
  onSilence(since: number | undefined): void;
  /** what cannot be seen, in one line */
  onWarning(message: string): void;
}

/** Changes that come within so many milliseconds are told together. */
const TOGETHER = 50;
/** A server that is silent for so long is said to be. */
const SILENCE = 10_000;
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Follows the eviction tasks of a control plane until the signal aborts: tells how each stands, and again whenever
 * that changes, be it by a change of its binding, of a cluster, or by the time alone. Rejects with ApiError where
 * clusters or bindings cannot be read.
 */
export async function watchEvictions(start: StartMirror, options: WatchEvictionsOptions): Promise<void> {
  const { namespace, signal, now } = options;
  const bindingMirrors: Mirror<ResourceBinding>[] = [];
  const works = new Map<string, Mirror<Work>>();
  const evicting = new Map<string, { binding: ResourceBinding; tasks: EvictionTaskExplanation[] }>();
  const dirty = new Set<string>();
  let begun = false;
  let flushing: NodeJS.Timeout | undefined;
  let judging: NodeJS.Timeout | undefined;

  const touch = (key: string): void => {
    dirty.add(key);
    if (begun) flushing ??= setTimeout(flush, TOGETHER);
  };
  const touchOn = (cluster: string): void => {
    for (const [key, { binding }] of evicting) if (involves(binding, cluster)) touch(key);
  };
  const bindingChanged: MirrorListener<ResourceBinding> = ({ before, after }) => {
    const binding = after ?? before!;
    if (options.concerns(binding)) touch(keyOf(binding));
  };

  const clusters = start<Cluster>(apiPath(CLUSTERS), ({ before, after }) =>
    touchOn((after ?? before!).metadata.name),
  );
  bindingMirrors.push(start<ResourceBinding>(apiPath(RESOURCE_BINDINGS, namespace), bindingChanged));
  const clusterBindings =
    namespace === undefined
      ? start<ResourceBinding>(apiPath(CLUSTER_RESOURCE_BINDINGS), bindingChanged)
      : undefined;
  if (clusterBindings) bindingMirrors.push(clusterBindings);
  const mirrors = () => [clusters, ...bindingMirrors, ...works.values()];

  function flush(): void {
    flushing = undefined;
    const at = now();
    const context = {
      now: at,
      gracefulEvictionTimeout: options.gracefulEvictionTimeout,
      ...(options.timeoutAssumed === undefined ? {} : { timeoutAssumed: options.timeoutAssumed }),
    };
    const changes: EvictionTaskChange[] = [];
    const all = [...clusters.objects.values()];
    for (const key of dirty) {
      const binding = find(key);
      const known = evicting.get(key);
      const tasks = binding
        ? explainEvictionTasks({ clusters: all, works: worksFor(binding) }, [binding], context)
        : [];
      changes.push(...evictionTaskChanges(known?.tasks ?? [], tasks, binding));
      if (binding && tasks.length > 0) evicting.set(key, { binding, tasks });
      else evicting.delete(key);
    }
    dirty.clear();
    if (changes.length > 0 || !begun) options.onChanges(changes, at);
    begun = true;
    planJudgement(at);
  }

  function find(key: string): ResourceBinding | undefined {
    for (const { objects } of bindingMirrors) {
      const binding = objects.get(key);
      if (binding) return binding;
    }
    return undefined;
  }

  /** The Works that decide about directly purged copies; the first such task from a cluster begins to follow them. */
  function worksFor({ spec }: ResourceBinding): Work[] {
    return (spec.gracefulEvictionTasks ?? []).flatMap(({ fromCluster, purgeMode }) => {
      if (!purgesDirectly(purgeMode)) return [];
      let mirror = works.get(fromCluster);
      if (!mirror) {
        const path = apiPath(WORKS, executionNamespace(fromCluster));
        mirror = start<Work>(path, () => touchOn(fromCluster));
        works.set(fromCluster, mirror);
        mirror.synced.catch((error: unknown) =>
          options.onWarning(`Works of ${fromCluster} cannot be read: ${messageOf(error)}`),
        );
      }
      return [...mirror.objects.values()];
    });
  }

  /** Looks again when the next deadline has passed. */
  function planJudgement(at: number): void {
    clearTimeout(judging);
    const clock = { now: at, gracefulEvictionTimeout: options.gracefulEvictionTimeout };
    let next = Infinity;
    for (const { binding } of evicting.values())
      next = Math.min(next, nextJudgement(binding, clock) ?? Infinity);
    if (next === Infinity) return;
    judging = setTimeout(
      () => {
        const passed = now();
        for (const [key, { binding }] of evicting)
          if ((nextJudgement(binding, clock) ?? Infinity) <= passed) touch(key);
        if (dirty.size === 0) planJudgement(passed);
      },
      Math.min(next - at, LONGEST_TIMER),
    );
  }

  let silent: number | undefined;
  const listening = setInterval(() => {
    const since = mirrors()
      .map((mirror) => mirror.staleSince())
      .filter((one) => one !== undefined);
    const oldest = since.length > 0 ? Math.min(...since) : undefined;
    const said = oldest !== undefined && Date.now() - oldest >= SILENCE ? oldest : undefined;
    if ((said === undefined) !== (silent === undefined)) options.onSilence(said);
    silent = said;
  }, 1000);

  try {
    await Promise.all([
      clusters.synced,
      bindingMirrors[0]!.synced,
      clusterBindings?.synced.catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        options.onWarning(`ClusterResourceBindings cannot be read: ${error.message}`);
      }),
    ]);
    if (signal.aborted) return;
    flush();
    await aborted(signal);
  } finally {
    clearInterval(listening);
    clearTimeout(flushing);
    clearTimeout(judging);
    for (const mirror of mirrors()) mirror.stop();
  }
}

function keyOf({ metadata: { namespace, name } }: ResourceBinding): string {
  return namespace ? `${namespace}/${name}` : name;
}

function involves({ spec }: ResourceBinding, cluster: string): boolean {
  return (
    (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === cluster) ||
    (spec.clusters ?? []).some(({ name }) => name === cluster)
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
