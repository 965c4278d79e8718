import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ObjectIdentity, Taint } from '../../../karmada/api/meta.ts';
import type { ChangeOf } from '../../../karmada/controllers/write.ts';
import { taintIdentity } from '../../../karmada/objects/sameTaint.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import type { EventDraft } from './timelineEvent.ts';
import { appendAll } from '../../../kubernetes/longLists.ts';

/**
 * The events of a change of a Cluster: its conditions and taints; that it is deleted, or edited by a scenario.
 *
 * @param controller who made the change
 */
export function clusterEvents({ key, before, after }: ChangeOf<'Cluster'>, controller: string): EventDraft[] {
  const object = { kind: 'Cluster', name: key };
  if (!after) return [{ type: 'ObjectDeleted', object }];
  const events: EventDraft[] = [];
  const known = [...(before?.status?.conditions ?? [])];
  for (const condition of after.status?.conditions ?? []) {
    // A type may be listed twice: each is compared with its own.
    const at = known.findIndex(({ type }) => type === condition.type);
    const [old] = at < 0 ? [] : known.splice(at, 1);
    if (old?.status === condition.status && old.reason === condition.reason) continue;
    events.push({
      type: 'ConditionChanged',
      object,
      cluster: key,
      ...(condition.reason === undefined ? {} : { reason: condition.reason }),
      message: `${condition.type}=${condition.status}`,
    });
  }
  appendAll(events, taintEvents(object, before?.spec?.taints ?? [], after.spec?.taints ?? []));
  if (before && !before.metadata.deletionTimestamp && after.metadata.deletionTimestamp)
    events.push({ type: 'ObjectDeleted', object });
  else if (controller === 'scenario' && changedOtherwise(before, after))
    events.push({ type: 'ObjectApplied', object });
  return events;
}

/** More than conditions and taints. */
function changedOtherwise(before: Cluster | undefined, after: Cluster): boolean {
  if (!before) return true;
  const { taints: _, ...spec } = before.spec ?? {};
  const { taints: __, ...now } = after.spec ?? {};
  return JSON.stringify([spec, before.metadata.labels]) !== JSON.stringify([now, after.metadata.labels]);
}

function taintEvents(
  object: ObjectIdentity,
  before: readonly Taint[],
  after: readonly Taint[],
): EventDraft[] {
  const [known, present] = [byIdentity(before), byIdentity(after)];
  const event = (type: 'TaintAdded' | 'TaintRemoved' | 'TaintRenewed', taint: Taint): EventDraft => {
    const { key, value, effect } = taint;
    return {
      type,
      object,
      cluster: object.name,
      message: formatTaint(taint),
      taint: { key, ...(value && { value }), effect },
    };
  };
  const isRenewed = (taint: Taint) => {
    const old = known.get(taintIdentity(taint));
    if (!old) return false;
    const sameTime = !old.timeAdded || old.timeAdded === taint.timeAdded;
    return !sameTime || (old.value ?? '') !== (taint.value ?? '');
  };
  return [
    ...before
      .filter((taint) => !present.has(taintIdentity(taint)))
      .map((taint) => event('TaintRemoved', taint)),
    ...after.filter((taint) => !known.has(taintIdentity(taint))).map((taint) => event('TaintAdded', taint)),
    ...after.filter(isRenewed).map((taint) => event('TaintRenewed', taint)),
  ];
}

/** The taints by identity; of equal ones the first. */
function byIdentity(taints: readonly Taint[]): Map<string, Taint> {
  const found = new Map<string, Taint>();
  for (const taint of taints) if (!found.has(taintIdentity(taint))) found.set(taintIdentity(taint), taint);
  return found;
}
