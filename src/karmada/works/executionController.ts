import { numberIn } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { Work } from '../api/work.ts';
import { CONFLICT_RESOLUTION_ANNOTATION } from '../api/names.ts';
import { appliedCopy } from './appliedCopy.ts';
import type {
  Controller,
  Failure,
  Interest,
  ReconcileRequest,
  Step,
  Wake,
  WakeContext,
} from '../controllers/controller.ts';
import { lastScheduled } from '../objects/dependents.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { workKey } from '../objects/identities.ts';
import type { Copy } from '../controllers/kinds.ts';
import { isReady, readyCondition } from '../objects/clusterReadiness.ts';
import {
  startupDelay,
  informerOf,
  isCached,
  isHandled,
  isOutdatedInCache,
  isUp,
  staleUntil,
  electionWait,
} from '../detection/memberAccess.ts';
import { specChanged } from '../controllers/specChange.ts';
import type { ControllerName } from '../controllers/karmada.ts';
import type { View } from '../controllers/view.ts';
import {
  APPLIED_MESSAGE,
  dispatchingCondition,
  failingSinceStart,
  isApplied,
  statusWrite,
  withCondition,
} from './workConditions.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { nextRetry, pendingRetry, STANDARD_BACK_OFF } from '../queues/retryBackoff.ts';
import { copyUpdate } from '../controllers/write.ts';

/**
 * The execution controller (Karmada v1.18): applies Works in their members and removes the objects of deleted ones. It
 * runs in the controller manager for Push members and in the agent of each Pull member, which reconciles all of its
 * Works when it starts, without the previous process's failures.
 */
export const executionController: Controller = {
  wakes: { Work: specChanged, Member: memberChanged },
  resumes,
  reconcile(request) {
    const work = request.view.get('Work', request.key);
    const name = work && clusterOfWork(work);
    if (!work || name === undefined) return {};
    if (!request.view.get('Cluster', name))
      return { failure: failure(`cluster(${name}) not found`, [{ kind: 'Cluster', key: name }]) };
    if (!isHandled(request, name)) return {};
    return work.metadata.deletionTimestamp ? remove(request, work, name) : dispatch(request, work, name);
  },
};

function* memberChanged(change: ChangeOf<'Member'>, view: View, context: WakeContext): Iterable<Wake> {
  yield* agentStarted(change, view, context);
  if (context.configuration.rules.propagation.recreates === 'execution-controller')
    for (const work of view.worksOn(change.key)) yield* foundGone(view, work, context);
}

/** Objects found gone when informers relist: recreated here since v1.19, before by the work status controller. */
function* foundGone(view: View, work: Work, { now }: Pick<WakeContext, 'now'>): Iterable<Wake> {
  const object = work.spec?.workload?.manifests?.[0];
  const cluster = clusterOfWork(work) ?? '';
  const stale = object && staleUntil(view, cluster, informerOf(object), now);
  const key = workKey(work);
  if (stale !== undefined && isCached(view, cluster, key) && !view.get('Copy', key))
    yield { key, after: stale - now };
}

function* agentStarted(
  { key, before, after: member }: ChangeOf<'Member'>,
  view: View,
  context: WakeContext,
): Iterable<Wake> {
  if (!member?.agent?.running) return;
  if (before?.agent?.running && before.agent.since === member.agent.since) return;
  const after = startupDelay(view, key, context);
  for (const work of view.worksOn(key))
    yield { key: workKey(work), ...(after > 0 && { after }), fresh: true };
}

/**
 * Works in progress when the world was captured: not applied yet, still being deleted, or changed while their member
 * could not be reached. A Work that has been failing for long is queued for its next retry.
 */
function* resumes(view: View, context: WakeContext): Iterable<Wake> {
  const { now } = context;
  for (const work of view.openWorks()) {
    const cluster = clusterOfWork(work);
    if (cluster === undefined) continue;
    const key = workKey(work);
    const ready = isReady(view.get('Cluster', cluster));
    const open = work.metadata.deletionTimestamp || (!isApplied(work) && !work.spec?.suspendDispatching);
    const fails = () => failingSinceStart(view.get('Cluster', cluster), view.get('Member', cluster));
    if (!ready && (open || isOutdated(view, work, cluster) || fails() !== undefined)) yield { key };
    else if (open) yield { key, after: nextTry({ view, ...context }, work, cluster) - now };
    if (context.configuration.rules.propagation.recreates === 'execution-controller')
      yield* foundGone(view, work, context);
  }
}

function isOutdated(view: View, work: Work, cluster: string): boolean {
  const copy = view.get('Copy', workKey(work));
  const object = work.spec?.workload?.manifests?.[0];
  if (!copy || !object || work.spec?.suspendDispatching) return false;
  return appliedCopy(copy, cluster, object, view.bindingOf(work), view.hooks) !== copy;
}

/** Deletes the object of a deleted Work, or leaves it unmanaged; then the Work is gone. */
function remove(request: ReconcileRequest<unknown>, work: Work, name: string): Step<never> {
  const { key, view, now } = request;
  const failing = (failed: Failure) => ({
    failure: { ...failed, ...failingToRemove(request, work, name) },
  });
  const copy = view.get('Copy', key);
  const release: Write = { verb: 'release', kind: 'Work', key, base: work };
  const cluster = view.get('Cluster', name);
  if (work.spec?.preserveResourcesOnDeletion) {
    if (isUninformed(view, name)) return failing(uninformed(name));
    if (!copy || copy.terminating)
      return failing(
        failure(`${nameOf(work)} not found in member cluster(${name})`, [{ kind: 'Copy', key }]),
      );
    const object = work.spec.workload?.manifests?.[0];
    const refusal = object && refusedUpdate(work, copy, object, name);
    if (refusal !== undefined) return failing(failure(refusal, [{ kind: 'Copy', key }]));
    if (!isUp(view, name)) return failing(unreachable(name));
    if (isOutdatedInCache(view, name, key, copy, now)) return failing(failure(modified(copy.object), []));
    return {
      writes: copy.managed ? [copyUpdate(key, copy, { ...copy, managed: false }), release] : [release],
    };
  }
  if (!isReady(cluster))
    return cluster?.metadata.deletionTimestamp ? { writes: [release] } : failing(notReady(name));
  if (isUninformed(view, name)) return failing(uninformed(name));
  if (!copy?.managed || copy.terminating) return { writes: [release] };
  if (!isUp(view, name)) return failing(unreachable(name));
  // If an object is not in its cache, the controller assumes that it is gone and leaves it.
  if (cacheOf(request, name, copy.object) === 'missing') return { writes: [release] };
  return { writes: [copyUpdate(key, copy, terminateCopy(copy, now)), release] };
}

/** Whether an informer's cache has the object of a Work; one that is not stale shows the real state. */
function cacheOf(
  { key, view, now }: ReconcileRequest<unknown>,
  cluster: string,
  object: KubernetesObject,
): 'held' | 'missing' | 'fresh' {
  if (staleUntil(view, cluster, informerOf(object), now) === undefined) return 'fresh';
  return isCached(view, cluster, key) ? 'held' : 'missing';
}

/** The error of updating an object that exists only in the cache. */
function notFound({ kind, metadata: { name } }: KubernetesObject): string {
  return `${kind.toLowerCase()} "${name}" not found`;
}

/** The error of creating an object that is missing only in the cache. */
function alreadyExists({ kind, metadata: { name } }: KubernetesObject): string {
  return `${kind.toLowerCase()} "${name}" already exists`;
}

/** Milliseconds from the deletion of a namespace until the member's namespace controller deletes its contents. */
const NAMESPACE_GRACE = 5000;

/** The error of updating an object that has changed since it was cached. */
function modified({ kind, metadata: { name } }: KubernetesObject): string {
  return `Operation cannot be fulfilled on ${kind.toLowerCase()} "${name}": the object has been modified; please apply your changes to the latest version and try again`;
}

/** A deleted copy; its pods are removed once the member's own controllers have seen the deletion. */
export function terminateCopy(copy: Copy, now: number): Copy {
  const { readyAt: _, stuck: __, unobserved: ___, health: ____, ...kept } = copy;
  const counted = copy.counted ?? copy.replicas;
  return {
    ...kept,
    replicas: 0,
    ready: 0,
    terminating: true,
    ...(counted > 0 && { counted }),
    ...(copy.workload.kind === 'Namespace' && { emptiesAt: now + NAMESPACE_GRACE }),
  };
}

function dispatch(request: ReconcileRequest<unknown>, work: Work, name: string): Step<never> {
  const { key, view, now } = request;
  const suspended = work.spec?.suspendDispatching ?? false;
  const dispatching = withDispatching(work, suspended, now);
  if (suspended) return { writes: statusWrite(work, dispatching) };
  if (!isReady(view.get('Cluster', name)))
    return {
      writes: statusWrite(work, dispatching),
      failure: { ...notReady(name), ...failingSince(request, name, notReadySince(view, work, name)) },
    };

  const object = work.spec?.workload?.manifests?.[0];
  if (!object) return { writes: statusWrite(work, withApplied(dispatching, undefined, now)) };
  if (isUninformed(view, name)) return refused(work, dispatching, uninformed(name), now);
  const before = view.get('Copy', key);
  const refusal = before && refusedUpdate(work, before, object, name);
  if (refusal !== undefined)
    return refused(work, dispatching, failure(refusal, [{ kind: 'Copy', key }]), now);
  const present = before && !before.terminating;
  const cache = isUp(view, name) ? cacheOf(request, name, object) : 'fresh';
  if (cache === 'held' && !present) {
    const after = staleUntil(view, name, informerOf(object), now)! - now;
    return {
      ...refused(work, dispatching, failure(notFound(object), []), now),
      // The object is found gone when the informer relists.
      enqueues: [
        { queue: request.configuration.rules.propagation.recreates satisfies ControllerName, key, after },
      ],
    };
  }
  if (cache === 'missing' && present)
    return refused(work, dispatching, failure(alreadyExists(object), []), now);
  const copy = appliedCopy(before, name, object, view.bindingOf(work), view.hooks);
  if (copy !== before && !isUp(view, name)) return refused(work, dispatching, unreachable(name), now);
  if (before && copy !== before && isOutdatedInCache(view, name, key, before, now))
    return refused(work, dispatching, failure(modified(object), []), now);
  const status = statusWrite(work, withApplied(dispatching, undefined, now));
  if (copy === before) return { writes: status };
  const write: Write = before
    ? copyUpdate(key, before, copy)
    : { verb: 'create', kind: 'Copy', key, object: copy };
  return { writes: [write, ...status] };
}

/** Why an object in a member is not updated, not even to remove Karmada's labels; undefined if it is. */
function refusedUpdate(
  work: Work,
  copy: Copy,
  object: KubernetesObject,
  cluster: string,
): string | undefined {
  if (!copy.managed)
    return object.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] === 'overwrite'
      ? undefined
      : conflict(work, cluster);
  return copy.terminating ? undefined : invalidUpdate(copy.object, object);
}

/** When a Work first could not be applied: the later of the cluster's failure and the scheduling. */
function notReadySince(view: View, work: Work, cluster: string): string | undefined {
  const ready = readyCondition(view.get('Cluster', cluster));
  const binding = view.bindingOf(work);
  const scheduled = (binding && lastScheduled(binding, (key) => view.get('Binding', key))) ?? '';
  const lost = ready?.lastTransitionTime ?? '';
  return (scheduled > lost ? scheduled : lost) || undefined;
}

/**
 * Why a member's API server refuses an update; undefined if it does not. Of the fields that failover changes, only a
 * Job's spec.completions is immutable.
 */
function invalidUpdate(before: KubernetesObject, after: KubernetesObject): string | undefined {
  if (after.kind !== 'Job') return undefined;
  const [is, wanted] = [numberIn(before.spec, 'completions'), numberIn(after.spec, 'completions')];
  if (is === wanted) return undefined;
  return `Job.batch "${after.metadata.name}" is invalid: spec.completions: Invalid value: ${wanted}: field is immutable`;
}

function refused(work: Work, dispatching: Work, failed: Failure, now: number): Step<never> {
  return { writes: statusWrite(work, withApplied(dispatching, failed.message, now)), failure: failed };
}

function withDispatching(work: Work, suspended: boolean, now: number): Work {
  const condition = dispatchingCondition(suspended);
  if (
    work.status?.conditions?.some(
      ({ type, status }) => type === condition.type && status === condition.status,
    )
  )
    return work;
  return withCondition(work, condition, now);
}

function withApplied(work: Work, error: string | undefined, now: number): Work {
  const condition =
    error === undefined
      ? ({
          status: 'True',
          reason: 'AppliedSuccessful',
          message: APPLIED_MESSAGE,
        } as const)
      : ({
          status: 'False',
          reason: 'AppliedFailed',
          message: `Failed to apply all manifests (0/1): ${error}`,
        } as const);
  return withCondition(work, { type: 'Applied', ...condition }, now);
}

function notReady(cluster: string): Failure {
  return failure(`cluster(${cluster}) not ready`, [{ kind: 'Cluster', key: cluster }]);
}

function unreachable(cluster: string): Failure {
  return failure(`the API server of member cluster(${cluster}) does not answer`, [
    { kind: 'Cluster', key: cluster },
    { kind: 'Member', key: cluster },
  ]);
}

/** Whether the controller manager has just started and has no informers of a member yet. */
function isUninformed(view: View, cluster: string): boolean {
  return view.get('Member', cluster)?.uninformed === true;
}

function uninformed(cluster: string): Failure {
  return failure(`the informer of cluster(${cluster}) has not been initialized`, [
    { kind: 'Cluster', key: cluster },
    { kind: 'Member', key: cluster },
  ]);
}

function conflict(work: Work, cluster: string): string {
  return (
    `resource(${nameOf(work)}) already exists in the cluster ${cluster} and the ` +
    `${CONFLICT_RESOLUTION_ANNOTATION} strategy value is empty, Karmada will not manage this resource`
  );
}

/** "kind=Deployment, shop/web" */
function nameOf({ spec }: Work): string {
  const { kind = '', metadata } = spec?.workload?.manifests?.[0] ?? {};
  return `kind=${kind}, ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function failure(message: string, unless: readonly Interest[]): Failure {
  return { reason: 'SyncWorkloadFailed', message, unless };
}

/** Start of a process's failures, and its retry back-off; empty if recent. */
type Failing = Pick<Failure, 'since' | 'backOff'>;
type Seen = Pick<ReconcileRequest<unknown>, 'now' | 'configuration'> & { view: Pick<View, 'get'> };

/** Milliseconds: an older failure is not recent. */
const LONG_AGO = 2000;

/** The next retry (epoch milliseconds) of a failed Work of a Ready cluster; `now` for a new Work. */
function nextTry(seen: Seen, work: Work, cluster: string): number {
  const { since, backOff }: Failing = work.metadata.deletionTimestamp
    ? failingToRemove(seen, work, cluster)
    : failingSince(seen, cluster, notApplied(work)?.lastTransitionTime);
  if (isRemovalOverdue(seen, work, cluster)) return seen.now;
  return nextRetry(since ?? seen.now, seen.now, backOff);
}

/**
 * Whether the retry that deletes a leftover in a member is overdue since the cluster became Ready again: all retries of
 * an outage share a token bucket of 10 per second, and wait for their turn.
 */
export function isRemovalOverdue(seen: Seen, work: Work, cluster: string): boolean {
  const { metadata, spec } = work;
  const back = readyCondition(seen.view.get('Cluster', cluster))?.lastTransitionTime;
  if (!metadata.deletionTimestamp || spec?.preserveResourcesOnDeletion || !back) return false;
  const { since, backOff } = failingToRemove(seen, work, cluster);
  // Times are in whole seconds.
  const ready = instant(back) + 1000;
  return since !== undefined && ready > since && nextRetry(since, ready, backOff) < seen.now;
}

function notApplied(work: Work) {
  return work.status?.conditions?.find(({ type, status }) => type === 'Applied' && status === 'False');
}

/** When a process began to fail on a Work (epoch milliseconds), if that was long before the capture. */
function failingSince(
  { view, now, configuration }: Seen,
  cluster: string,
  begun: string | null | undefined,
): Failing {
  const { agent, handledSince = 0 } = view.get('Member', cluster) ?? {};
  const started = agent ? agent.since + electionWait(configuration) : handledSince;
  const since = Math.max(begun ? instant(begun) : now, started);
  return now - since > LONG_AGO ? { since } : {};
}

/** The same for a Work that is being deleted: its back-off from earlier failures continues. */
function failingToRemove(seen: Seen, work: Work, cluster: string): Failing {
  const { since } = failingSince(seen, cluster, work.metadata.deletionTimestamp);
  const started = failingSinceStart(seen.view.get('Cluster', cluster), seen.view.get('Member', cluster));
  const unapplied = notApplied(work)?.lastTransitionTime ?? (started && rfc3339(started));
  const before = failingSince(seen, cluster, unapplied || undefined).since;
  if (since === undefined) return {};
  if (before === undefined || before >= since) return { since };
  const { next } = pendingRetry(before, since);
  return { since, backOff: { ...STANDARD_BACK_OFF, first: next } };
}
