import { drainMarkOf } from '../../engine/drain/cordon.ts';
import type { DrainEvent } from '../../engine/drain/drainEvent.ts';
import { isAttached } from '../../engine/objects/dependents.ts';
import {
  bindingIdentity,
  bindingKey,
  snapshotKey,
  workloadIdentity,
} from '../../engine/objects/identities.ts';
import { declaredHooks, type DeclaredHooks } from '../../engine/status/healthInterpreter.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  type ApiResource,
} from '../../state/live/resources.ts';
import { listWorks } from '../eviction/readWorks.ts';
import { pause as realPause, type Pause } from '../pause.ts';
import { writeReturn } from '../writeReturn.ts';
import type { DrainNews } from './drainEvents.ts';
import type { BindingCancellation, LeftWorkload } from './bindingCancellation.ts';
import { byDependence, returnContextOf, restore, type RemainingCluster } from './planCancel.ts';
import { restoreDependent } from './restoreDependent.ts';
import { readCluster, remark, uncordonDrained, unmark, type CancelSettings } from './uncordonDrained.ts';
import {
  clustersToRestore,
  heldOn,
  remainingMark,
  whatIsCancelled,
  type Cancelled,
} from './whatIsCancelled.ts';
import { readHooks } from './readHooks.ts';
import { slimServer } from '../slimServer.ts';
import { untilAnswered } from './untilAnswered.ts';

export interface CancelDrainOptions {
  configuration: Configuration;
  /** stops between two writes, after the current one is settled */
  signal?: AbortSignal | undefined;
  onEvent?: ((event: DrainEvent) => void) | undefined;
  pause?: Pause | undefined;
}

export interface CancelResult {
  /** not-finished: interrupted, or the API server refused a write; cancelling again goes on */
  outcome: 'done' | 'not-finished';
  reason?: string;
  /** workloads put back */
  restored: number;
  /** workloads that had already left, or whose write failed */
  left: LeftWorkload[];
  /** clusters of the same drain that stay cordoned: that drain can be continued or cancelled */
  remaining: RemainingCluster[];
  /** seconds since the start */
  seconds: number;
}

/**
 * Cancels a drain: uncordons the clusters, and puts every workload that is being evicted back where it still runs, each
 * in one write. Workloads that are gone stay where they are now.
 *
 * It uncordons the clusters first, because that stops a drain that is still running, which would evict a workload
 * again. Nothing is at risk in between: Karmada does not schedule a binding to a cluster that it has an eviction task
 * for, and held copies stay. Whatever interrupts it, cancelling again goes on: it only needs the tasks, not the cordon
 * or the mark of a cluster.
 *
 * Rejects with ApiError if the user may not do this, or if the API server refuses to uncordon.
 */
export async function cancelDrain(
  server: ApiServer,
  clusters: readonly string[],
  { configuration, signal, onEvent, pause = realPause }: CancelDrainOptions,
): Promise<CancelResult> {
  const startedAt = server.now();
  const stop = signal ?? new AbortController().signal;
  const tell = (news: DrainNews) => onEvent?.({ time: server.now(), ...news });
  const settings = { pause, stop, tell };
  let restored = 0;
  const left = new Map<string, LeftWorkload>();
  let remaining: RemainingCluster[] = [];
  let refused = false;
  let held = 0;
  const result = (outcome: CancelResult['outcome'], reason?: string): CancelResult => ({
    outcome,
    ...(reason === undefined ? {} : { reason }),
    restored,
    left: [...left.values()],
    remaining,
    seconds: (server.now() - startedAt) / 1000,
  });

  const found = new Map<string, Cluster>();
  for (const name of new Set(clusters)) {
    const cluster = await uncordonDrained(server, name, settings);
    if (cluster) found.set(name, cluster);
  }
  if (stop.aborted) return result('not-finished', INTERRUPTED);
  const cancelled = whatIsCancelled(clusters, [...found.values()]);
  remaining = (await leaveOthers(server, cancelled.clusters, settings)) ?? [];
  const marked = [...found.values()].some((cluster) => drainMarkOf(cluster) !== undefined);

  // A drain that runs elsewhere may evict once more before it sees that: wait, then look again.
  let lateWrites = marked ? LATE_WRITES : 0;
  for (let passes = 0; ; passes++) {
    const found = await evictedBindings(server, cancelled, configuration.rules, settings);
    const open = found?.bindings.filter((binding) => !left.has(bindingKey(binding)));
    if (!found || !open || stop.aborted) return result('not-finished', INTERRUPTED);
    if (open.length === 0) {
      if (lateWrites === 0) break;
      await pause(lateWrites, stop);
      lateWrites = 0;
      continue;
    }
    if (passes >= MOST_PASSES)
      return result(
        'not-finished',
        'a drain of these clusters is still evicting: stop it, then cancel again',
      );
    const known = new Map(found.clusters.map((cluster) => [cluster.metadata.name, cluster]));
    for (const binding of open.toSorted(byDependence)) {
      if (stop.aborted) return result('not-finished', INTERRUPTED);
      const surroundings = { cancelled, known, hooks: found.hooks, configuration };
      const done = await restoreBinding(server, binding, surroundings, settings);
      if (done.restored) {
        restored++;
        tell({ type: 'cancelled', ...namesOf(binding), to: done.restored.to });
      }
      if (done.left) {
        left.set(bindingKey(binding), { ...namesOf(binding), ...done.left });
        tell({ type: 'skipped', ...namesOf(binding), reason: done.left.reason });
      }
      refused ||= done.refused === true;
      if (done.held) held++;
    }
  }
  if (!refused) for (const name of cancelled.taintedSince.keys()) await unmark(server, name, settings);
  if (refused) return result('not-finished', 'the API server refused some of the writes');
  if (held > 0) return result('not-finished', heldReason(held));
  return result('done');
}

function heldReason(held: number): string {
  const what = held === 1 ? '1 workload that cannot go back is' : `${held} workloads that cannot go back are`;
  return `${what} held until the replacement is ready; then cancel again to release ${held === 1 ? 'it' : 'them'}`;
}

const INTERRUPTED = 'interrupted';
const MOST_PASSES = 10;
/** Milliseconds in which the last eviction of a drain elsewhere, running or killed, may still arrive. */
const LATE_WRITES = 1000;

/** How often, and after how many milliseconds each, to look whether Karmada has written a dependent's requiredBy. */
const DISTRIBUTED = { pause: 250, tries: 20 };

/** Removes the cancelled clusters from the marks of other clusters, and returns those. Undefined if stopped first. */
async function leaveOthers(
  server: ApiServer,
  cancelled: ReadonlySet<string>,
  settings: CancelSettings,
): Promise<RemainingCluster[] | undefined> {
  return untilAnswered(async () => {
    const others = await listed<Cluster>(
      server,
      CLUSTERS,
      (one) => remainingMark(one, cancelled) !== undefined,
    );
    if (others.length === 0) return [];
    for (const { metadata } of others) await remark(server, metadata.name, cancelled, settings);
    const bindings: ResourceBinding[] = [];
    for (const resource of [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS])
      bindings.push(
        ...(await listed<ResourceBinding>(server, resource, ({ spec }) =>
          Boolean(spec.gracefulEvictionTasks?.length),
        )),
      );
    return others.map(({ metadata: { name } }) => ({ name, held: heldOn(name, bindings) }));
  }, settings);
}

interface Found {
  clusters: Cluster[];
  hooks: DeclaredHooks;
  bindings: ResourceBinding[];
}

/** The bindings that drains evict from the clusters, with all clusters and interpreters; undefined if stopped first. */
async function evictedBindings(
  server: ApiServer,
  cancelled: Cancelled,
  rules: Rules,
  { pause, stop }: CancelSettings,
): Promise<Found | undefined> {
  return untilAnswered(
    async () => {
      const bindings: ResourceBinding[] = [];
      for (const resource of [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS])
        bindings.push(
          ...(await listed<ResourceBinding>(
            server,
            resource,
            (one) => clustersToRestore(one, cancelled).length > 0,
          )),
        );
      if (bindings.length === 0) return { clusters: [], hooks: declaredHooks([], rules), bindings };
      const hooks = await readHooks(server, rules);
      return { clusters: await listed<Cluster>(server, CLUSTERS, () => true), hooks, bindings };
    },
    { pause, stop },
  );
}

async function listed<T>(
  server: ApiServer,
  resource: ApiResource,
  wanted: (object: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  await slimServer(server).list(apiPath(resource), {
    onPage: (page: KubernetesObject[]) => void found.push(...(page as unknown as T[]).filter(wanted)),
    onRestart: () => void (found.length = 0),
  });
  return found;
}

interface Surroundings {
  cancelled: Cancelled;
  /** all clusters; those of a binding are read anew */
  known: Map<string, Cluster>;
  hooks: DeclaredHooks;
  configuration: Configuration;
}

/**
 * Reads what the way back of a binding rests on, right before the decision: with many bindings that takes a while, and
 * a cluster may be gone by then. Puts clusters into `known`.
 */
async function lookAround(
  server: ApiServer,
  binding: ResourceBinding,
  known: Surroundings['known'],
): Promise<ReadonlyMap<string, Work>> {
  const { clusters = [], gracefulEvictionTasks: tasks = [] } = binding.spec;
  const names = new Set([...clusters.map(({ name }) => name), ...tasks.map((task) => task.fromCluster)]);
  const reads = [...names].map(async (name) => {
    const cluster = await readCluster(server, name);
    if (cluster) known.set(name, cluster);
    else known.delete(name);
  });
  const [works] = await Promise.all([listWorks(server, binding), ...reads]);
  return works;
}

async function restoreBinding(
  server: ApiServer,
  first: ResourceBinding,
  surroundings: Surroundings,
  { pause, stop, tell }: CancelSettings,
): Promise<Pick<BindingCancellation, 'restored' | 'left' | 'held'> & { refused?: true }> {
  const { cancelled } = surroundings;
  const attached = isAttached(first.spec);
  for (let binding = first; ;) {
    const decided = await untilAnswered(
      () =>
        attached
          ? decideDependent(server, binding, cancelled, { pause, stop })
          : decideReturn(server, binding, surroundings),
      { pause, stop },
    );
    if (!decided) return {};
    const { spec, affinityName, ...done } = decided.change;
    binding = decided.binding;
    const back = done.restored?.to.map(({ name }) => name) ?? [];
    const isBack = (found: ResourceBinding) => attached || isOn(found, back);
    const outcome = await writeReturn(
      server,
      binding,
      { spec, affinityName },
      {
        pause,
        signal: stop,
        patience: Infinity,
        holds: (found) =>
          clustersToRestore(found, { ...cancelled, clusters: new Set(back) }).length === 0 && isBack(found),
      },
    );
    switch (outcome.result) {
      case 'written':
      case 'unchanged':
        return done;
      case 'conflict':
        binding = outcome.object;
        tell({ type: 'conflict', object: bindingIdentity(binding) });
        if (stop.aborted) return {};
        if (clustersToRestore(binding, cancelled).length > 0) continue;
        // somebody else has put it back, or its eviction has ended
        return isBack(binding) ? {} : { left: { from: back, reason: 'it has left meanwhile' } };
      case 'gone':
        return {};
      case 'refused': {
        const reason = `the API server refuses the change: ${outcome.message}`;
        return { left: { from: clustersToRestore(binding, cancelled), reason }, refused: true };
      }
      case 'unknown':
        return {};
    }
  }
}

interface DecidedReturn {
  /** as it was read last */
  binding: ResourceBinding;
  change: BindingCancellation;
}

async function decideReturn(
  server: ApiServer,
  binding: ResourceBinding,
  { cancelled, known, hooks, configuration }: Surroundings,
): Promise<DecidedReturn> {
  const works = await lookAround(server, binding, known);
  const context = returnContextOf([...known.values()], hooks, configuration, server.now());
  return { binding, change: restore(binding, cancelled, works, context) };
}

/** A dependent is released once its requiredBy names the cluster again. */
async function decideDependent(
  server: ApiServer,
  first: ResourceBinding,
  cancelled: Cancelled,
  { pause, stop }: Pick<CancelSettings, 'pause' | 'stop'>,
): Promise<DecidedReturn> {
  let binding = first;
  for (let tries = 0; ; tries++) {
    const parents = new Map<string, ResourceBinding>();
    for (const one of binding.spec.requiredBy ?? []) {
      const parent = await readBinding(server, one);
      if (parent) parents.set(snapshotKey(one), parent);
    }
    const change = restoreDependent(binding, cancelled, (key) => parents.get(key));
    if (!change.waiting || stop.aborted) return { binding, change };
    if (tries === DISTRIBUTED.tries) {
      const reason = 'Karmada has not yet put the cluster back into spec.requiredBy; its old copy is kept';
      return { binding, change: { ...change, left: { from: change.waiting, reason }, held: true } };
    }
    await pause(DISTRIBUTED.pause, stop);
    binding = (await readBinding(server, binding.metadata)) ?? binding;
  }
}

async function readBinding(
  server: ApiServer,
  { namespace, name }: { namespace?: string | undefined; name: string },
): Promise<ResourceBinding | null> {
  const resource = namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS;
  try {
    return await server.get<ResourceBinding>(apiPath(resource, namespace || undefined, name));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function isOn({ spec }: ResourceBinding, clusters: readonly string[]): boolean {
  return clusters.every((cluster) => spec.clusters?.some(({ name }) => name === cluster));
}

function namesOf(binding: ResourceBinding): { workload: ObjectIdentity; binding: ObjectIdentity } {
  const { apiVersion: _version, ...workload } = workloadIdentity(binding);
  return { workload, binding: bindingIdentity(binding) };
}
