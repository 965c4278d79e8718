import { conditionOf } from '../objects/conditions.ts';
import type { ResourceHealth, Work } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import type { DeclaredHooks } from '../controllers/view.ts';
import { manifestIdentifier, workKey } from '../objects/identities.ts';
import { rolloutHealth } from '../status/memberObject.ts';
import type { Controller, ReconcileRequest, Step, Wake, WakeContext } from '../controllers/controller.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import type { Copy, Member } from '../controllers/kinds.ts';
import { appliedCopy } from './appliedCopy.ts';
import {
  answers,
  startupDelay,
  informerOf,
  isCached,
  isHandled,
  isUp,
  staleUntil,
} from '../detection/memberAccess.ts';
import type { View } from '../controllers/view.ts';
import { APPLIED_MESSAGE, isApplied, statusWrite, withCondition } from './workConditions.ts';
import type { ChangeOf } from '../controllers/write.ts';

/** Milliseconds until an applied object is reported. */
const JUST_APPLIED = 10_000;

/**
 * The work status controller (Karmada v1.18): copies the status and health of an object in a member into its Work.
 * While the member cannot be reached, or the Work is being deleted, they do not change.
 */
export const workStatus: Controller = {
  wakes: { Copy: copyChanged, Member: memberReached },
  resumes,
  reconcile(request) {
    const { key, view } = request;
    const work = view.get('Work', key);
    const copy = view.get('Copy', key);
    if (!work || work.metadata.deletionTimestamp) return {};
    if (!copy) return madeAgain(request, work);
    if (!copy.managed || copy.terminating) return {};
    if (!isHandled(request, copy.cluster) || !isUp(view, copy.cluster)) return {};
    const stale = staleUntil(view, copy.cluster, informerOf(copy.object), request.now);
    if (stale !== undefined) return { requeue: { after: stale - request.now } };
    const reported = manifestStatus(work, copy, view.hooks);
    const [present, ...others] = work.status?.manifestStatuses ?? [];
    if (present && deepEqual(present, reported)) return {};
    return {
      writes: statusWrite(work, {
        ...work,
        status: { ...work.status, manifestStatuses: [reported, ...others] },
      }),
    };
  },
};

/**
 * Recreates an object that vanished from the member during an outage, when informers find it gone: before v1.19 this
 * controller does it (handleDeleteEvent), usually before the execution controller's retry.
 */
function madeAgain({ key, view, now, configuration }: ReconcileRequest<unknown>, work: Work): Step<never> {
  if (configuration.rules.propagation.recreates !== 'work-status') return {};
  const cluster = clusterOfWork(work) ?? '';
  const object = work.spec?.workload?.manifests?.[0];
  if (!object || work.spec?.suspendDispatching || isApplied(work) || !isCached(view, cluster, key)) return {};
  if (!isHandled({ view, now, configuration }, cluster) || !isUp(view, cluster)) return {};
  const stale = staleUntil(view, cluster, informerOf(object), now);
  if (stale !== undefined) return { requeue: { after: stale - now } };
  const copy = appliedCopy(undefined, cluster, object, view.bindingOf(work), view.hooks);
  const made = { status: 'True', reason: 'ReCreateSuccessful', message: APPLIED_MESSAGE } as const;
  return {
    writes: [
      { verb: 'create', kind: 'Copy', key, object: copy },
      ...statusWrite(work, withCondition(work, { type: 'Applied', ...made }, now)),
    ],
  };
}

/**
 * Works that are not reported yet because they were applied shortly before the capture, or in a member that informers
 * have not relisted. Other unreported Works were applied long ago and stay unreported.
 */
function* resumes(view: View, { now }: WakeContext): Iterable<Wake> {
  for (const work of view.openWorks()) {
    if (work.status?.manifestStatuses?.length || work.metadata.deletionTimestamp) continue;
    const applied = conditionOf(work.status?.conditions, 'Applied');
    const cluster = clusterOfWork(work) ?? '';
    const object = work.spec?.workload?.manifests?.[0];
    const stale = object && staleUntil(view, cluster, informerOf(object), now);
    if (applied?.status === 'False' && stale !== undefined && isCached(view, cluster, workKey(work)))
      yield { key: workKey(work) };
    if (applied?.status !== 'True' || !applied.lastTransitionTime) continue;
    if (stale !== undefined || now - instant(applied.lastTransitionTime) < JUST_APPLIED)
      yield { key: workKey(work) };
  }
}

function copyChanged({ key, after }: ChangeOf<'Copy'>): Wake[] {
  return after?.managed && !after.terminating ? [{ key }] : [];
}

/** Changes during the outage are reported when the informers relist. */
function* memberReached(
  { key, before, after: member }: ChangeOf<'Member'>,
  view: View,
  context: WakeContext,
): Iterable<Wake> {
  const reaches = (one: Member | undefined) => one && answers(one) && (one.agent?.running ?? true);
  if (!reaches(member) || reaches(before)) return;
  const after = startupDelay(view, key, context);
  for (const work of view.worksOn(key)) yield { key: workKey(work), ...(after > 0 && { after }) };
}

function manifestStatus(work: Work, copy: Copy, hooks: DeclaredHooks) {
  const identifier = work.status?.manifestStatuses?.[0]?.identifier ?? manifestIdentifier(copy.object);
  return {
    identifier,
    ...(copy.status !== undefined && { status: copy.status }),
    health: copyHealth(copy, hooks),
  };
}

/** A copy's health by the interpreter of its kind, unless the copy has a fixed health. */
export function copyHealth(copy: Copy, hooks: DeclaredHooks): ResourceHealth {
  if (copy.health) return copy.health;
  const { object, replicas, ready, readyAt, stuck, unobserved } = copy;
  const complete = readyAt === undefined && !stuck && !unobserved && ready >= replicas;
  return rolloutHealth(object, { replicas, ready, complete, observed: !unobserved }, hooks);
}
