import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { ObjectIdentity, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { factsOf, isController } from '../../../karmada/controllers/registry.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { ChangeOf } from '../../../karmada/controllers/write.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { placementOf } from '../../../karmada/objects/placement.ts';
import type { EventDraft } from './timelineEvent.ts';
import { appendAll } from '../../../kubernetes/longLists.ts';

/** The event for a deleted object; none if its deletion was reported when it began. */
export function removed(object: ObjectIdentity, before: { metadata: ObjectMeta } | undefined): EventDraft {
  return {
    type: 'ObjectDeleted',
    object,
    ...(before?.metadata.deletionTimestamp ? { message: 'gone' } : {}),
  };
}

/** The meaning of a binding's change: by the difference and, if that is ambiguous, by the writer. */
export function bindingEvents(
  { before, after }: ChangeOf<'Binding'>,
  controller: string,
  view: Pick<View, 'worksOf'>,
): EventDraft[] {
  const object = bindingIdentity(after ?? before);
  if (!after) return [removed(object, before)];
  const { clusters, gracefulEvictionTasks } = after.spec;
  // Events of dependents also show their own spec, which has no clusters.
  const placed = (meaning: Meaning): EventDraft => ({
    ...meaning,
    object,
    ...placementOf({ clusters, gracefulEvictionTasks }),
  });
  if (!before) return [placed({ type: 'BindingFollowed' })];
  const events: EventDraft[] = [];
  if (!before.metadata.deletionTimestamp && after.metadata.deletionTimestamp)
    events.push({ type: 'ObjectDeleted', object });
  appendAll(events, healthEvents(before, after));
  const meaning = meaningOf(before, after, controller, view);
  if (meaning) events.push(placed(meaning));
  return events;
}

function meaningOf(
  before: ResourceBinding,
  after: ResourceBinding,
  controller: string,
  view: Pick<View, 'worksOf'>,
): Meaning | undefined {
  if (controller === 'scheduler') return schedulerEvent(before, after);
  if (before.spec !== after.spec) return specEvent(before, after, controller, view);
  const followed = controller === 'detector' && before.metadata !== after.metadata;
  return followed ? { type: 'BindingFollowed' } : undefined;
}

type Meaning = Pick<EventDraft, 'type' | 'cluster' | 'reason' | 'message'>;

function specEvent(
  before: ResourceBinding,
  after: ResourceBinding,
  controller: string,
  view: Pick<View, 'worksOf'>,
): Meaning {
  const [had, has] = [before.spec.gracefulEvictionTasks ?? [], after.spec.gracefulEvictionTasks ?? []];
  const from = new Set(had.map(({ fromCluster }) => fromCluster));
  const fresh = has.filter(({ fromCluster }) => !from.has(fromCluster));
  const ended = had.filter((task) => !has.some(({ fromCluster }) => fromCluster === task.fromCluster));
  if (fresh.length > 0) {
    const names = fresh.map(({ fromCluster }) => fromCluster);
    return {
      type: 'Evicted',
      cluster: names.join(','),
      reason: fresh[0]!.reason,
      message: `evicted from ${names.join(', ')}, ${fresh[0]!.purgeMode ?? 'Gracefully'}${fresh[0]!.suppressDeletion ? ', the old copy is held' : ''}`,
    };
  }
  if (ended.length > 0) {
    const names = ended.map(({ fromCluster }) => fromCluster);
    return {
      type: 'TaskEnded',
      cluster: names.join(','),
      reason: 'EvictWorkloadFromClusterSucceed',
      message: `${endText(after, names, view)}${(after.spec.clusters?.length ?? 0) > 0 ? '' : ' without a replacement'}`,
    };
  }
  const released = has.filter(({ fromCluster, suppressDeletion }) => {
    const old = had.find((task) => task.fromCluster === fromCluster);
    return old?.suppressDeletion === true && suppressDeletion !== true;
  });
  if (released.length > 0) {
    const names = released.map(({ fromCluster }) => fromCluster);
    return {
      type: 'TaskReleased',
      cluster: names.join(','),
      message: `the old copy on ${names.join(', ')} is released`,
    };
  }
  const gone = (before.spec.clusters ?? []).filter(
    ({ name }) => !after.spec.clusters?.some((kept) => kept.name === name),
  );
  // up to v1.11 without the gate GracefulEviction
  if (controller === 'taint-manager' && gone.length > 0) {
    const names = gone.map(({ name }) => name);
    return {
      type: 'Evicted',
      cluster: names.join(','),
      message: `evicted from ${names.join(', ')} at once, without an eviction task`,
    };
  }
  return { type: (isController(controller) ? factsOf(controller).respecs : null) ?? 'ObjectApplied' };
}

/**
 * The end of an eviction. A graceful eviction kept the copy until now; a direct purge deleted its Work at the
 * beginning.
 */
function endText(binding: ResourceBinding, from: string[], view: Pick<View, 'worksOf'>): string {
  if (from.every((name) => binding.spec.clusters?.some((target) => target.name === name)))
    return `the eviction from ${from.join(', ')} is over: the scheduling result contains it again`;
  const works = view.worksOf(binding);
  const isKept = from.some((name) => works.has(name) && !works.get(name)!.metadata.deletionTimestamp);
  return isKept
    ? `the old copy on ${from.join(', ')} is deleted`
    : `the eviction from ${from.join(', ')} ends`;
}

/** Another placement, or another reason for having none. The order of clusters makes no difference. */
function schedulerEvent(before: ResourceBinding, after: ResourceBinding): Meaning | undefined {
  const [old, now] = [before, after].map(({ status }) => conditionOf(status?.conditions, 'Scheduled'));
  const moved = before.spec !== after.spec && !deepEqual(inNameOrder(before), inNameOrder(after));
  const isSaidBefore = old?.message === now?.message && old?.reason === now?.reason;
  // A real scheduler writes the placement first, then the condition.
  const isPlaced = moved && isSaidBefore && (after.spec.clusters?.length ?? 0) > 0;
  if (now && now.status !== 'True' && !isPlaced) {
    if (!moved && isSaidBefore) return undefined;
    return {
      type: 'ScheduleFailed',
      ...reasonOf(now.reason),
      ...(now.message ? { message: now.message } : {}),
    };
  }
  if (!moved) return undefined;
  const group = after.status?.schedulerObservingAffinityName;
  return {
    type: 'Scheduled',
    reason: 'Success',
    ...(group && group !== before.status?.schedulerObservingAffinityName
      ? { message: `by affinity group ${group}` }
      : {}),
  };
}

function inNameOrder({ spec: { clusters = [] } }: ResourceBinding): TargetCluster[] {
  return clusters.toSorted((a, b) => compareUtf8(a.name, b.name));
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

function healthEvents(before: ResourceBinding, after: ResourceBinding): EventDraft[] {
  const [old, now] = [before.status?.aggregatedStatus, after.status?.aggregatedStatus];
  if (old === now) return [];
  const known = new Map(old?.map(({ clusterName, health }) => [clusterName, health]));
  return (now ?? [])
    .filter(({ clusterName, health }) => known.get(clusterName) !== health)
    .map(({ clusterName, health }) => ({
      type: 'HealthChanged',
      object: bindingIdentity(after),
      cluster: clusterName,
      ...(health ? { message: health } : {}),
    }));
}
