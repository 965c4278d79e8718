import {
  type EvictionContext,
  type EvictionTaskExplanation,
  explainEvictionTasks,
} from '../../analysis/explanation/tasks/evictionTask.ts';
import {
  type EvictionTaskChange,
  evictionTaskChanges,
  nextVerdictChange,
  timeoutShown,
} from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import {
  type QueueStatus,
  waitingEvictions,
  waitingSummary,
} from '../../analysis/explanation/waitingEvictions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { executionNamespace } from '../../karmada/api/names.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { type EvictionClock, evictionClock } from '../../karmada/eviction/evictionRule.ts';
import { purgesDirectly } from '../../karmada/eviction/evictionTasks.ts';
import { schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { hasOneQueue, startsTaintManager } from '../../karmada/configuration/taintEviction.ts';
import { formatDuration, instant } from '../../kubernetes/time.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { Mirror, MirrorListener } from '../../state/live/mirrors/mirror.ts';
import {
  CLUSTERS,
  CLUSTER_RESOURCE_BINDINGS,
  RESOURCE_BINDINGS,
  WORKS,
  apiPath,
} from '../../state/live/resources.ts';
import {
  type Served,
  type StartMirror,
  type Watch,
  type WatchOptions,
  type WatchRun,
  watchMirrors,
} from '../watchMirrors.ts';

interface WatchEvictionsOptions extends WatchOptions {
  /** only bindings of this namespace */
  namespace?: string | undefined;
  /** whether a binding was asked for */
  concerns(binding: ResourceBinding): boolean;
  configuration: Configuration;
  /** the objects that show whether Karmada's components run */
  others?(): readonly KubernetesObject[];
  /** is given a function to call when a component stops or runs again */
  onStopped?(refresh: () => void): void;
  /** how to provide graceful-eviction-timeout, if its value is only assumed */
  timeoutAssumed?: string | undefined;
  /** receives all tasks first (an empty list if there are none), then every change */
  onChanges(changes: EvictionTaskChange[], now: number): void;
  /** in versions with an eviction queue: receives its state once an eviction waits, and after each change */
  onQueue?(standing: QueueStatus, now: number): void;
}

const TIMEOUT = 'graceful-eviction-timeout';

/** Changes within this many milliseconds are reported together. */
const TOGETHER = 50;

/** Milliseconds between two reads of the eviction queue; each counts all waiting evictions. */
const QUEUE_PAUSE = 1000;

/**
 * Follows the eviction tasks of a control plane until the signal aborts: reports the state of each, and again whenever
 * it changes because of its binding, a cluster, or time alone. Rejects with ApiError if clusters or bindings cannot be
 * read.
 */
export function watchEvictions(start: StartMirror, options: WatchEvictionsOptions): Promise<void> {
  return watchMirrors(
    options,
    () => TOGETHER,
    (run) => evictionWatch(start, options, run),
  );
}

/** One long function, since mirrors, verdicts and deadlines share the state of the evictions. */
function evictionWatch(
  start: StartMirror,
  options: WatchEvictionsOptions,
  { refreshSoon, later, fail }: WatchRun,
): Watch {
  const { namespace, now } = options;
  const evicting = new Map<string, { binding: ResourceBinding; tasks: EvictionTaskExplanation[] }>();
  const dirty = new Set<string>();
  const queue = options.onQueue && createQueueWatch({ ...options, partial: namespace !== undefined });
  let begun = false;
  let { configuration } = options;
  const touch = (key: string): void => {
    dirty.add(key);
    refreshSoon();
  };
  const touchOn = (cluster: string): void => {
    for (const [key, { binding }] of evicting) if (involves(binding, cluster)) touch(key);
  };
  options.onStopped?.(() => {
    for (const key of evicting.keys()) touch(key);
  });
  const bindingChanged: MirrorListener<Served<ResourceBinding>> = ({ before, after }) => {
    const binding = after ?? before;
    if (options.concerns(binding)) touch(mirrorKey(binding));
  };

  const clusters = start<Served<Cluster>>(apiPath(CLUSTERS), ({ before, after }) => {
    touchOn((after ?? before).metadata.name);
    if (queue) refreshSoon();
  });
  const bindings = start<Served<ResourceBinding>>(apiPath(RESOURCE_BINDINGS, namespace), bindingChanged);
  const clusterBindings =
    namespace === undefined
      ? start<Served<ResourceBinding>>(apiPath(CLUSTER_RESOURCE_BINDINGS), bindingChanged)
      : undefined;
  const works = new Map<string, Mirror<Served<Work>>>();
  const mirrors = () => [
    clusters,
    bindings,
    ...(clusterBindings ? [clusterBindings] : []),
    ...works.values(),
  ];

  function refresh(): void {
    const known = [...clusters.objects.values()];
    const others = [...(options.others?.() ?? [])];
    const { timeoutAssumed } = options;
    const context: EvictionContext = {
      now: now(),
      configuration,
      ...(dirty.size > 0 && {
        snapshot: schedulerSnapshot(known, [...bindings.objects.values()], configuration),
      }),
      ...(timeoutAssumed === undefined ? {} : { timeoutAssumed }),
    };
    const changes: EvictionTaskChange[] = [];
    for (const key of dirty) {
      const binding = bindings.objects.get(key) ?? clusterBindings?.objects.get(key);
      const tasks = binding
        ? explainEvictionTasks({ clusters: known, works: worksFor(binding), others }, [binding], context)
        : [];
      const ofBinding = evictionTaskChanges(evicting.get(key)?.tasks ?? [], tasks, binding);
      changes.push(...ofBinding);
      for (const change of ofBinding) learn(timeoutShown(change, binding, context.now), change.task);
      if (binding && tasks.length > 0) evicting.set(key, { binding, tasks });
      else evicting.delete(key);
    }
    dirty.clear();
    if (changes.length > 0 || !begun) options.onChanges(changes, context.now);
    begun = true;
    lookAtQueue(known, context.now);
    awaitDeadline(evictionClock(context.now, configuration));
    if (context.configuration !== configuration) for (const key of evicting.keys()) touch(key);
  }

  /** Adopts a timeout revealed by the end of a task, and updates the deadlines of the others. */
  function learn(timeout: number | undefined, { workload, fromCluster }: EvictionTaskExplanation): void {
    const { controllerManager } = configuration;
    if (timeout === undefined || timeout >= controllerManager[TIMEOUT]) return;
    const supposed = formatDuration(controllerManager[TIMEOUT]);
    options.onWarning(
      `the eviction of ${workload.kind} ${workload.name} from ${fromCluster} ended after ${formatDuration(timeout)} without a Healthy replacement: ${TIMEOUT} seems to be ${formatDuration(timeout)} here, not ${supposed}, and deadlines are based on it`,
    );
    configuration = { ...configuration, controllerManager: { ...controllerManager, [TIMEOUT]: timeout } };
  }

  let queueSeen = -Infinity;
  let queueDue = false;
  function lookAtQueue(known: readonly Cluster[], time: number): void {
    if (!queue || queueDue) return;
    const pause = queueSeen + QUEUE_PAUSE - time;
    if (pause > 0) {
      queueDue = true;
      later(pause, () => {
        queueDue = false;
        refresh();
      });
      return;
    }
    queueSeen = time;
    const all = [...bindings.objects.values(), ...(clusterBindings?.objects.values() ?? [])];
    const standing = queue.read(known, all, time);
    if (standing) options.onQueue!(standing, time);
  }

  /** Works matter only for tasks with purgeMode Directly: the first such task from a cluster starts their mirror. */
  function worksFor({ spec }: ResourceBinding): Work[] {
    return (spec.gracefulEvictionTasks ?? []).flatMap(({ fromCluster, purgeMode }) => {
      if (!purgesDirectly(purgeMode, configuration.rules)) return [];
      const mirror = works.get(fromCluster) ?? followWorks(fromCluster);
      return [...mirror.objects.values()];
    });
  }

  function followWorks(cluster: string): Mirror<Served<Work>> {
    const mirror = start<Served<Work>>(apiPath(WORKS, executionNamespace(cluster)), () => touchOn(cluster));
    works.set(cluster, mirror);
    mirror.synced.catch((error: unknown) => {
      if (error instanceof ApiError)
        options.onWarning(`unknown whether the old Works on ${cluster} are gone: ${error.message}`);
      else fail(error);
    });
    return mirror;
  }

  /** Aborts the wait for the next deadline, when a verdict changes without an event. */
  let deadline = new AbortController();
  function awaitDeadline(clock: EvictionClock): void {
    deadline.abort();
    deadline = new AbortController();
    // a postponed read schedules the next one itself
    const ofQueue = queueDue ? undefined : queue?.next();
    const instants = [
      ...[...evicting.values()].flatMap(({ binding }) => nextVerdictChange(binding, clock) ?? []),
      ...(ofQueue === undefined ? [] : [ofQueue]),
    ];
    if (instants.length === 0) return;
    const next = instants.reduce((a, b) => Math.min(a, b));
    const pass = () => {
      const passed = now();
      for (const [key, { binding }] of evicting)
        if ((nextVerdictChange(binding, clock) ?? Infinity) <= passed) dirty.add(key);
      if (dirty.size > 0 || (ofQueue !== undefined && ofQueue <= passed)) refresh();
      else awaitDeadline({ ...clock, now: passed });
    };
    later(next - clock.now, pass, deadline.signal);
  }

  const synced = Promise.all([
    clusters.synced,
    bindings.synced,
    clusterBindings?.synced.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      options.onWarning(`ClusterResourceBindings cannot be read: ${error.message}`);
    }),
  ]);
  return { mirrors, synced, refresh };
}

/** The key of a binding in the mirrors' reports. */
function mirrorKey({ metadata: { namespace, name } }: ResourceBinding): string {
  return namespace ? `${namespace}/${name}` : name;
}

function involves({ spec }: ResourceBinding, cluster: string): boolean {
  return (
    (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === cluster) ||
    (spec.clusters ?? []).some(({ name }) => name === cluster)
  );
}

interface QueueWatchOptions {
  configuration: Configuration;
  /** bindings of other namespaces were not read */
  partial: boolean;
  /** whether a binding was asked for */
  concerns(binding: ResourceBinding): boolean;
}

interface QueueWatch {
  /** The queue's state, if it differs from the last read; the first time only if an eviction waits. */
  read(
    clusters: readonly Cluster[],
    bindings: readonly ResourceBinding[],
    now: number,
  ): QueueStatus | undefined;
  /** when a toleration ends, so that more evictions may wait (epoch milliseconds) */
  next(): number | undefined;
}

/** Watches the eviction queue; undefined in versions without one, or if the taint manager does not run. */
export function createQueueWatch({
  configuration,
  partial,
  concerns,
}: QueueWatchOptions): QueueWatch | undefined {
  if (!hasOneQueue(configuration.rules) || !startsTaintManager(configuration)) return undefined;
  let reported = '';
  let next: number | undefined;
  return {
    next: () => next,
    read(clusters, bindings, now) {
      const queue = waitingEvictions(
        { clusters: [...clusters], bindings: [...bindings] },
        { now, configuration, partial, asked: concerns },
      )!;
      const ends = queue.items.flatMap(({ state, expected }) =>
        state === 'tolerating' && expected !== null ? [instant(expected) + 1000] : [],
      );
      next = ends.length > 0 ? ends.reduce((a, b) => Math.min(a, b)) : undefined;
      const summary = waitingSummary(queue);
      const { pace } = queue;
      // The estimate for the last eviction changes constantly, so it is not compared.
      const standing = JSON.stringify([pace.mode, pace.rate, summary.clusters]);
      const nothing = reported === '' && summary.clusters.length === 0;
      if (nothing || standing === reported) return undefined;
      reported = standing;
      return { ...summary, pace };
    },
  };
}
