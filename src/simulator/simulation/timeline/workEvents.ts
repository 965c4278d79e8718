import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { Work } from '../../../karmada/api/work.ts';
import type { ChangeOf } from '../../../karmada/controllers/write.ts';
import { bindingIdentity, identityOf } from '../../../karmada/objects/identities.ts';
import { clusterOfWork, namedBinding } from '../../../karmada/objects/worksOfBinding.ts';
import type { EventDraft, EventView } from './eventDraft.ts';

/** The events of a change of a Work, about its binding, on its cluster. */
export function workEvents({ before, after }: ChangeOf<'Work'>, view: EventView): EventDraft[] {
  const work = (after ?? before)!;
  const cluster = clusterOfWork(work);
  if (cluster === undefined) return [];
  const event = (type: EventDraft['type'], message?: string): EventDraft[] => [
    { type, object: ownerOf(work, view), cluster, ...(message ? { message } : {}) },
  ];
  if (!before) return event('WorkCreated', copies(after!));
  if (!after) return event('WorkRemoved');
  if (!before.metadata.deletionTimestamp && after.metadata.deletionTimestamp)
    return event('WorkDeleted', 'no longer wanted there');
  return before.spec === after.spec ? [] : event('WorkUpdated', copies(after));
}

function ownerOf(work: Work, view: EventView): ObjectIdentity {
  const binding = view.bindingOf(work);
  if (binding) return bindingIdentity(binding);
  return namedBinding(work) ?? identityOf({ ...work, kind: 'Work' });
}

/** The replicas that the manifest asks for; undefined if it has no such field: a ConfigMap, a Job. */
function copies(work: Work): string | undefined {
  const manifest = work.spec?.workload?.manifests?.[0] as { spec?: { replicas?: unknown } } | undefined;
  const replicas = manifest?.spec?.replicas;
  if (typeof replicas !== 'number') return undefined;
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}
