import { drainMarkOf } from '../../analysis/drain/cordon.ts';
import type { DrainEvent } from '../../analysis/drain/decide/drainStep.ts';
import { bindingIdentity, bindingKey, snapshotKey, workloadOf } from '../../karmada/objects/identities.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity, KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import {
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  apiPath,
  type ApiResource,
} from '../../state/live/resources.ts';
import { pause as realPause, type Pause } from '../pause.ts';
import {
  type CancelResult,
  type LeftWorkload,
  type RestoredWorkload,
  dependentsLast,
  type RemainingCluster,
  heldOn,
  remainingMark,
  cancelledDrain,
  clustersToRestore,
  type Cancelled,
} from '../../analysis/drain/back/planCancel.ts';
import type { DrainNews } from './drainEvents.ts';
import { EVICTION_ENDED, readBinding, restoreBinding } from './restoreBinding.ts';
import { writeMark, uncordonDrained, removeMark, type CancelSettings } from './uncordonDrained.ts';
import { untilAnswered } from './untilAnswered.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { slimServer } from '../slimServer.ts';
import { readHooks } from './readHooks.ts';

interface CancelDrainOptions {
  configuration: Configuration;
  /** the workloads that the confirmed plan restores; those that have left since are reported */
  planned?: readonly Pick<RestoredWorkload, 'workload' | 'binding' | 'to'>[] | undefined;
  /** stops between two writes, after the current one is settled */
  signal?: AbortSignal | undefined;
  onEvent?: ((event: DrainEvent) => void) | undefined;
  pause?: Pause | undefined;
}

/**
 * Cancels a drain: uncordons the clusters, and puts every workload that is being evicted back where it still runs, each
 * in one write. Workloads that are gone stay where they are now.
 *
 * It uncordons the clusters first, because that stops a drain that is still running, which would evict a workload
 * again. Nothing is at risk in between: Karmada does not schedule a binding to a cluster with its eviction task, and
 * held copies stay. After any interruption, cancelling again resumes it: it needs only the tasks, not the cordon or the
 * mark of a cluster.
 *
 * Rejects with ApiError if the user may not do this, or if the API server refuses to uncordon.
 */
export async function cancelDrain(
  server: ApiServer,
  clusters: readonly string[],
  { configuration, planned = [], signal, onEvent, pause = realPause }: CancelDrainOptions,
): Promise<CancelResult> {
  const startedAt = server.now();
  const stop = signal ?? new AbortController().signal;
  const notify = (news: DrainNews) => onEvent?.({ time: server.now(), ...news });
  const unsettled: string[] = [];
  const settings = { pause, stop, notify, unsettled };
  let restored = 0;
  const back = new Set<string>();
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

  const interrupted = () => result('not-finished', ['interrupted', ...unsettled].join('; '));

  function leave(one: LeftWorkload): void {
    left.set(snapshotKey(one.binding), one);
    notify({ type: 'skipped', workload: one.workload, binding: one.binding, reason: one.reason });
  }

  const found = new Map<string, Cluster>();
  for (const name of new Set(clusters)) {
    const cluster = await uncordonDrained(server, name, settings);
    if (cluster) found.set(name, cluster);
  }
  if (stop.aborted) return interrupted();
  const cancelled = cancelledDrain(clusters, [...found.values()]);
  remaining = (await leaveOthers(server, cancelled.clusters, settings)) ?? [];
  const marked = [...found.values()].some((cluster) => drainMarkOf(cluster) !== undefined);

  // A drain running elsewhere may evict once more before it sees the uncordon: wait, then read again.
  let lateWrites = marked ? LATE_WRITES : 0;
  for (let passes = 0; ; passes++) {
    const found = await evictedBindings(server, cancelled, configuration.rules, settings);
    const open = found?.bindings.filter((binding) => !left.has(bindingKey(binding)));
    if (!found || !open || stop.aborted) return interrupted();
    if (open.length === 0) {
      if (lateWrites === 0) break;
      await pause(lateWrites, stop);
      lateWrites = 0;
      continue;
    }
    if (passes >= MAX_PASSES)
      return result('not-finished', 'a drain of these clusters is still running: stop it, then cancel again');
    const known = new Map(found.clusters.map((cluster) => [cluster.metadata.name, cluster]));
    for (const binding of open.toSorted(dependentsLast)) {
      if (stop.aborted) return interrupted();
      const surroundings = { cancelled, known, hooks: found.hooks, configuration };
      const done = await restoreBinding(server, binding, surroundings, settings);
      if (done.restored) {
        restored++;
        back.add(bindingKey(binding));
        notify({ type: 'cancelled', ...namesOf(binding), to: done.restored.to });
      }
      if (done.left) leave({ ...namesOf(binding), ...done.left });
      refused ||= done.refused === true;
      if (done.held) held++;
    }
  }
  for (const { workload, binding, to } of planned) {
    const key = snapshotKey(binding);
    if (back.has(key) || left.has(key)) continue;
    const from = to.map(({ name }) => name);
    const now = await untilAnswered(server, (from) => readBinding(from, binding), settings);
    const there = new Set(now && targetClusters(now.spec).map(({ name }) => name));
    if (now && !from.every((name) => there.has(name)))
      leave({ workload, binding, from, reason: EVICTION_ENDED });
  }
  if (!refused) for (const name of cancelled.taintedSince.keys()) await removeMark(server, name, settings);
  if (refused) return result('not-finished', 'the API server refused some of the writes');
  if (held > 0) return result('not-finished', heldReason(held));
  return result('done');
}

function heldReason(held: number): string {
  const what = held === 1 ? '1 workload that cannot return is' : `${held} workloads that cannot return are`;
  return `${what} held until the replacement is ready; then cancel again to release ${held === 1 ? 'it' : 'them'}`;
}

const MAX_PASSES = 10;
/** Milliseconds within which the last eviction of a drain elsewhere, running or killed, may still arrive. */
const LATE_WRITES = 1000;

/** Removes the cancelled clusters from the marks of others; returns those others. Undefined if stopped first. */
async function leaveOthers(
  server: ApiServer,
  cancelled: ReadonlySet<string>,
  settings: CancelSettings,
): Promise<RemainingCluster[] | undefined> {
  return untilAnswered(
    server,
    async (from) => {
      const others = await listed<Cluster>(
        from,
        CLUSTERS,
        (one) => remainingMark(one, cancelled) !== undefined,
      );
      if (others.length === 0) return [];
      for (const { metadata } of others) await writeMark(server, metadata.name, cancelled, settings);
      const bindings = await listedBindings(from, ({ spec }) => Boolean(spec.gracefulEvictionTasks?.length));
      return others.map(({ metadata: { name } }) => ({ name, held: heldOn(name, bindings) }));
    },
    settings,
  );
}

function namesOf(binding: ResourceBinding): { workload: ObjectIdentity; binding: ObjectIdentity } {
  return { workload: workloadOf(binding), binding: bindingIdentity(binding) };
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
    server,
    async (from) => {
      const bindings = await listedBindings(from, (one) => clustersToRestore(one, cancelled).length > 0);
      if (bindings.length === 0) return { clusters: [], hooks: declaredHooks([], rules), bindings };
      const hooks = await readHooks(from, rules);
      return { clusters: await listed<Cluster>(from, CLUSTERS, () => true), hooks, bindings };
    },
    { pause, stop },
  );
}

async function listedBindings(
  from: ApiServer,
  wanted: (binding: ResourceBinding) => boolean,
): Promise<ResourceBinding[]> {
  const namespaced = await listed(from, RESOURCE_BINDINGS, wanted);
  return [...namespaced, ...(await listed(from, CLUSTER_RESOURCE_BINDINGS, wanted))];
}

/** The relevant objects of a kind, read page by page, without fields that drains do not read. */
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
