import { conditionOf } from '../objects/conditions.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding, TargetCluster, Work } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant, SECOND } from '../../kubernetes/time.ts';
import { lastScheduled } from '../objects/dependents.ts';
import { bindingOwnership, clusterOfWork } from '../objects/worksOfBinding.ts';
import { planWorks, type WorkPlan } from '../eviction/works.ts';
import { targetClusters } from '../objects/placement.ts';
import type {
  Controller,
  Failure,
  ReconcileRequest,
  Note,
  Step,
  Wake,
  WakeContext,
} from '../controllers/controller.ts';
import { bindingKey, workKey } from '../objects/identities.ts';
import { jobCompletions } from '../scheduling/division/jobCompletions.ts';
import { nextRetry } from '../queues/retryBackoff.ts';
import { specChanged } from '../controllers/specChange.ts';
import type { View } from '../controllers/view.ts';
import { revisesReplicas, templateOf } from './workManifest.ts';
import type { Write } from '../controllers/write.ts';
import { replicasOf, type Unwritable, writeWork } from './writeWork.ts';
import type { MemoryOf } from '../controllers/karmada.ts';

type BindingControllerMemory = MemoryOf<'binding-controller'>;

/** How long the cache may still show a deleted Work, in milliseconds. */
const CACHE_LAG = 500;

/** Milliseconds within which the Works of a binding are written after its scheduling. */
const JUST_SCHEDULED = 3000;

/**
 * The binding controllers of ResourceBindings and ClusterResourceBindings (Karmada v1.18): they delete Works that
 * neither spec.clusters nor a task keeps, write those of the target clusters, and delete a binding's Works with it.
 */
export const bindingController: Controller<BindingControllerMemory> = {
  wakes: { Binding: specChanged },
  resumes,
  reconcile(request) {
    const binding = request.view.get('Binding', request.key);
    if (!binding) return {};
    return binding.metadata.deletionTimestamp ? removeWorks(request, binding) : syncWorks(request, binding);
  },
};

/**
 * Bindings in progress when the world was captured: they wait for a direct purge, are being deleted, still have Works
 * to delete, or were scheduled shortly before and still have Works to write; and the bindings attached to them. A
 * manually deleted Work is not written again before its binding's spec changes.
 */
function* resumes(view: View, { configuration, now }: WakeContext): Iterable<Wake> {
  const mayWrite = (binding: ResourceBinding): boolean => {
    const key = bindingKey(binding);
    const request = { key, view, configuration, now, memory: undefined, evidence: undefined };
    const { writes, requeue, failure } = syncWorks(request, binding);
    return Boolean(writes?.length) || requeue !== undefined || failure !== undefined;
  };
  for (const binding of view.all('Binding')) {
    const { metadata, spec } = binding;
    const blocked = blockedUntil(view, binding, now);
    if (blocked !== undefined) yield { key: bindingKey(binding), after: blocked - now };
    const scheduled = scheduledAt(view, binding);
    const fresh = scheduled !== undefined && now - scheduled < JUST_SCHEDULED;
    if (
      metadata.deletionTimestamp ||
      spec.gracefulEvictionTasks?.length ||
      (fresh && mayWrite(binding)) ||
      pendingWorks(binding, view.worksOf(binding)).length > 0
    )
      yield { key: bindingKey(binding) };
  }
  for (const binding of view.orphaned()) yield { key: bindingKey(binding) };
  // A binding that cannot write a Work, because the old one is still being deleted, is queued for its next retry.
  for (const work of view.openWorks()) {
    if (!work.metadata.deletionTimestamp) continue;
    const binding = view.bindingOf(work);
    const cluster = clusterOfWork(work);
    if (!binding || !targetClusters(binding.spec).some(({ name }) => name === cluster)) continue;
    const scheduled = scheduledAt(view, binding);
    if (scheduled === undefined) continue;
    const since = Math.min(scheduled, now);
    yield { key: bindingKey(binding), after: nextRetry(since, now) - now };
  }
}

/**
 * The clusters whose Works a binding lacks because the binding controller has not reconciled its spec yet: nothing has
 * been reported for the binding yet, or the scheduler has written its result but not its status.
 */
function pendingWorks(
  { metadata, spec, status }: ResourceBinding,
  works: ReadonlyMap<string, Work>,
): string[] {
  const isBehind = (status?.schedulerObservedGeneration ?? Infinity) < (metadata.generation ?? 0);
  if (!isBehind && !(works.size === 0 && isUnreported(status))) return [];
  return targetClusters(spec).flatMap(({ name }) => (works.has(name) ? [] : [name]));
}

/** Whether no Work of a binding has ever been reported. */
export function isUnreported(status: ResourceBinding['status']): boolean {
  return !status?.aggregatedStatus?.length && !conditionOf(status?.conditions, 'FullyApplied');
}

/** When (epoch milliseconds) the clusters of a binding's Works were last decided. */
function scheduledAt(view: View, binding: ResourceBinding): number | undefined {
  const scheduled = lastScheduled(binding, (key) => view.get('Binding', key));
  return scheduled === undefined ? undefined : instant(scheduled);
}

/**
 * The next retry of a binding (epoch milliseconds), if its scheduling found a terminating Work that is gone now: at
 * least since then, the binding has not been fully applied. A lost Work was already gone at the scheduling.
 */
function blockedUntil(view: View, binding: ResourceBinding, now: number): number | undefined {
  const { spec, status } = binding;
  const applied = conditionOf(status?.conditions, 'FullyApplied');
  if (applied?.status !== 'False' || !applied.lastTransitionTime) return undefined;
  const since = scheduledAt(view, binding);
  if (since === undefined) return undefined;
  if (Math.abs(instant(applied.lastTransitionTime) - since) <= SECOND) return undefined;
  const works = view.worksOf(binding);
  // The Works of a deleted cluster are deleted with it.
  const stays = (cluster: Cluster | undefined) => cluster && !cluster.metadata.deletionTimestamp;
  const failed = instant(applied.lastTransitionTime);
  // A retry since then would have written it, so it was deleted manually.
  const isTried = failed > since && nextRetry(since, failed + REMOVED) + SECOND < now;
  const isLost = (cluster: Cluster | undefined) => isTried && isReadySince(cluster, failed);
  const isMissing = ({ name }: TargetCluster) => {
    const cluster = view.get('Cluster', name);
    return !works.has(name) && stays(cluster) && !isLost(cluster);
  };
  return targetClusters(spec).some(isMissing) ? nextRetry(since, now) : undefined;
}

/** Milliseconds within which a deleted Work of a Ready cluster is gone. */
const REMOVED = 2000;

function isReadySince(cluster: Cluster | undefined, time: number): boolean {
  const { status, lastTransitionTime } = readyCondition(cluster) ?? {};
  return status === 'True' && lastTransitionTime != null && instant(lastTransitionTime) < time;
}

/** Deletes the Works of a deleted binding, without waiting until they are gone. */
function removeWorks(
  { key, view }: ReconcileRequest<unknown>,
  binding: ResourceBinding,
): Step<BindingControllerMemory> {
  const writes: Write[] = [];
  for (const work of view.worksOf(binding).values())
    if (!work.metadata.deletionTimestamp)
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
  return { writes: [...writes, { verb: 'release', kind: 'Binding', key, base: binding }] };
}

function syncWorks(
  { key, view, memory, configuration, now, evidence, outdated }: ReconcileRequest<BindingControllerMemory>,
  binding: ResourceBinding,
): Step<BindingControllerMemory> {
  const works = view.worksOf(binding);
  const existing = Array.from(works, ([cluster, { metadata }]) => ({
    cluster,
    // Every Work has the execution controller's finalizer.
    held: true,
    deleting: Boolean(metadata.deletionTimestamp),
  }));
  const { rules, featureGates } = configuration;
  const options = { statefulFailoverInjection: featureGates.StatefulFailoverInjection, rules };
  const plan = planWorks(binding.spec, existing, options, evidence);
  const { writes, replicas } = orphans(works, plan);
  const deletes = Object.keys(replicas).length > 0;
  const deleted = deletes ? { deleted: { at: now, replicas } } : {};
  if (plan.requeueAfter !== undefined) {
    const waits = plan.waitingFor.flatMap((cluster) => works.get(cluster) ?? []);
    return {
      writes,
      memory: { waitingFor: plan.waitingFor, ...deleted },
      requeue: {
        after: plan.requeueAfter,
        unless: waits.map((work) => ({ kind: 'Work', key: workKey(work) })),
      },
      notes: deepEqual(memory?.waitingFor, plan.waitingFor) ? [] : [waitsFor(key, plan.waitingFor)],
    };
  }
  const template = templateOf(binding, (key) => view.get('Object', key));
  const completions = jobCompletions(template, binding.spec, rules);
  const ownership = bindingOwnership(binding);
  const revises = revisesReplicas(binding.spec, view.hooks);
  const failures: Unwritable[] = [];
  const isRecent = outdated && memory?.deleted && now - memory.deleted.at <= CACHE_LAG;
  const takenToBeThere = isRecent ? memory.deleted.replicas : {};
  for (const write of plan.writes) {
    const own = works.get(write.cluster);
    const parts = {
      ownership,
      revises,
      template,
      completions: completions?.get(write.cluster),
      cached: takenToBeThere[write.cluster],
    };
    const written = writeWork(view, binding, own, write, parts);
    if (!written) continue;
    if ('verb' in written) writes.push(written);
    else failures.push(written);
  }
  const step = { writes, ...(deletes && { memory: deleted }) };
  return failures.length > 0 ? { ...step, failure: blocked(failures) } : step;
}

function orphans(
  works: ReadonlyMap<string, Work>,
  { fates }: WorkPlan,
): { writes: Write[]; replicas: Record<string, number | null> } {
  const writes: Write[] = [];
  const replicas: Record<string, number | null> = {};
  for (const [cluster, work] of works)
    if (!work.metadata.deletionTimestamp && fates.get(cluster) !== 'kept') {
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
      replicas[cluster] = replicasOf(work.spec?.workload?.manifests?.[0]);
    }
  return { writes, replicas };
}

function waitsFor(binding: string, clusters: string[]): Note {
  return { type: 'WaitsForDirectPurge', binding, clusters };
}

function blocked(works: Unwritable[]): Failure {
  return {
    reason: 'SyncWorkFailed',
    message: works.map(({ message }) => message).join(', '),
    unless: works.map(({ unless }) => unless),
  };
}
