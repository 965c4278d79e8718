import { numberIn } from '../../../kubernetes/json.ts';
import { eventSource, isEvictionQueue, userFacingName } from '../../../karmada/controllers/registry.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { Change, ChangeOf } from '../../../karmada/controllers/write.ts';
import { bindingIdentity, identityOf } from '../../../karmada/objects/identities.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { taintIdentity } from '../../../karmada/objects/sameTaint.ts';
import { parseTaintedPairKey } from '../../../karmada/taints/taintedPair.ts';
import type { AppliedStep } from '../../virtualTime/virtualTime.ts';
import type { EventDraft, EventView, TimelineEvent } from './timelineEvent.ts';
import type { Evidence, NamedTaint } from '../../../karmada/evidence.ts';
import { bindingEvents, removed } from './bindingEvents.ts';
import { appendAll } from '../../../kubernetes/longLists.ts';
import type { ObjectIdentity, Taint } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { Dequeue, Note } from '../../../karmada/controllers/controller.ts';
import { paceInWords } from '../../../karmada/taints/evictionPace.ts';
import { clusterOfWork, namedBinding } from '../../../karmada/objects/worksOfBinding.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';

/** The events of a step: from its writes and its notes. */
export function timelineOf(happening: AppliedStep, view: View): TimelineEvent[] {
  const { time, evidence, changes, step, failsAgain } = happening;
  const controller = userFacingName(happening.by);
  const events: EventDraft[] = [];
  for (const change of joined(changes))
    for (const event of changeEvents(change, controller, view)) events.push(event);
  if (step?.failure && !failsAgain) appendAll(events, failureEvents(happening, view));
  if (happening.process) {
    const { component, change } = happening.process;
    events.push({ type: PROCESS_EVENTS[change], object: { kind: 'Deployment', name: component } });
  }
  for (const note of step?.notes ?? []) appendAll(events, noteEvents(note, view, time));
  for (const one of happening.dequeued ?? []) appendAll(events, dequeuedEvents(one, view));
  if (events.length === 0) return [];
  // slice() drops spare capacity, which would add up in the timeline of a large fleet.
  const own = evidence.slice();
  const about = evidenceByTaint(own);
  return events.map(({ type, object, cluster, reason, message, taint, clusters, evicting, evidence }) => ({
    time,
    controller,
    type,
    object,
    cluster,
    reason,
    message,
    taint,
    clusters,
    evicting,
    evidence: evidence ?? (taint ? about(taint) : own),
  }));
}

const PROCESS_EVENTS = { ended: 'Stopped', begun: 'Started', replaced: 'Restarted' } as const;

/** Finds the evidence for one taint: a reconcile may change several. */
function evidenceByTaint(evidence: Evidence[]): (taint: NamedTaint) => Evidence[] {
  let found: { general: Evidence[]; ofTaints: Map<string, Evidence[]> } | undefined;
  return (taint) => {
    const { general, ofTaints } = (found ??= groupedByTaint(evidence));
    const own = ofTaints.get(taintIdentity(taint)) ?? general;
    return own.length === evidence.length ? evidence : own;
  };
}

function groupedByTaint(evidence: readonly Evidence[]) {
  const general: Evidence[] = [];
  const ofTaints = new Map<string, Evidence[]>();
  for (const one of evidence)
    if (one.taint) getOrAdd(ofTaints, taintIdentity(one.taint), () => [...general]).push(one);
    else for (const list of [general, ...ofTaints.values()]) list.push(one);
  return { general, ofTaints };
}

/** Merges the writes of one step to one object into one change. */
function joined(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes;
  const byObject = new Map<string, Change>();
  for (const change of changes) {
    const id = `${change.kind} ${change.key}`;
    const first = byObject.get(id);
    if (!first) byObject.set(id, change);
    else byObject.set(id, { ...change, before: first.before } as Change);
  }
  return [...byObject.values()];
}

/**
 * The events of a change.
 *
 * @param controller the author of a change of bindings: "scheduler", …
 */
export function changeEvents(change: Change, controller: string, view: EventView): EventDraft[] {
  switch (change.kind) {
    case 'Cluster':
      return clusterEvents(change, controller);
    case 'Binding':
      return bindingEvents(change, controller, view);
    case 'Work':
      return workEvents(change, view);
    case 'Member': {
      const { before, after } = change;
      if (before?.up === after?.up) return [];
      const name = change.key;
      return [
        {
          type: after?.up ? 'ClusterRecovered' : 'ClusterFailed',
          object: { kind: 'Cluster', name },
          cluster: name,
        },
      ];
    }
    case 'Copy':
      return [];
    default:
      return controller === 'scenario' ? [appliedEvent(change)] : [];
  }
}

/** The scenario applied or deleted an object. */
function appliedEvent(change: ChangeOf<'Policy' | 'Object' | 'ClusterTaintPolicy'>): EventDraft {
  const object = identityOf(change.after ?? change.before);
  return { type: change.after ? 'ObjectApplied' : 'ObjectDeleted', object };
}

/**
 * The failures that delayed an eviction or a taint. The scheduler records its failures as conditions of the binding.
 */
function failureEvents({ by, key = '', step }: AppliedStep, view: View): EventDraft[] {
  if (eventSource(by, 'TaintClusterFailed', true) !== undefined) {
    const { reason, message } = step!.failure!;
    const object = { kind: 'Cluster', name: key };
    return [{ type: 'TaintClusterFailed', object, cluster: key, reason, message }];
  }
  if (eventSource(by, 'EvictWorkloadFromClusterFailed', true) === undefined) return [];
  const pair = isEvictionQueue(by);
  const { cluster, binding: bindingKey } = pair ? parseTaintedPairKey(key) : { binding: key };
  const binding = view.get('Binding', bindingKey);
  if (!binding) return [];
  return [
    {
      type: 'EvictionBlocked',
      object: bindingIdentity(binding),
      ...(cluster === undefined ? {} : { cluster }),
      message: step!.failure!.message,
    },
  ];
}

/** A controller's decisions without a write, as events; `now` is epoch milliseconds. Some notes have no event. */
function noteEvents(note: Note, view: View, now: number): EventDraft[] {
  const ofBinding = (key: string): ObjectIdentity[] => {
    const binding: ResourceBinding | undefined = view.get('Binding', key);
    return binding ? [bindingIdentity(binding)] : [];
  };
  switch (note.type) {
    case 'Tolerated':
      return note.until === undefined
        ? []
        : ofBinding(note.binding).map((object) => ({
            type: 'EvictionWaits',
            object,
            cluster: note.cluster,
            message: `tolerated for another ${formatDuration(Math.round((note.until! - now) / 1000) * 1000)}`,
          }));
    case 'NotMoved':
      return [];
    case 'EvictionsQueued': {
      const count = note.bindings.length;
      const what = count === 1 ? '1 workload enters' : `${count} workloads enter`;
      return [
        {
          type: 'EvictionsQueued',
          object: { kind: 'Cluster', name: note.cluster },
          cluster: note.cluster,
          message: `${what} the eviction queue, which ${paceInWords(note.pace)}`,
        },
      ];
    }
    case 'EvictionAbandoned':
      return ofBinding(note.binding).map((object) => ({
        type: 'EvictionAbandoned',
        object,
        cluster: note.cluster,
        message: note.reason,
      }));
    case 'EvictionPace':
      return [
        {
          type: 'EvictionPaceChanged',
          object: { kind: 'Deployment', name: 'karmada-controller-manager' },
          message: `the eviction queue ${paceInWords(note.pace)}: ${note.pace.reason}`,
        },
      ];
    case 'WaitsForDirectPurge':
      return ofBinding(note.binding).map((object) => ({
        type: 'WaitsForDirectPurge',
        object,
        cluster: note.clusters.join(', '),
        message: `no Work is written until the old one on ${note.clusters.join(', ')} is gone`,
      }));
    case 'PolicyWaits': {
      const [kind = '', namespace, name = ''] = note.object.split('/');
      return [
        {
          type: 'PolicyWaits',
          object: { kind, name, ...(namespace ? { namespace } : {}) },
          message: note.reason,
        },
      ];
    }
    case 'FreeChoice':
      return [];
  }
}

/** The evictions that left the eviction queue. */
function dequeuedEvents({ key, reason }: Dequeue, view: View): EventDraft[] {
  const { cluster, binding } = parseTaintedPairKey(key);
  const found = view.get('Binding', binding);
  if (!found) return [];
  return [{ type: 'EvictionDropped', object: bindingIdentity(found), cluster, message: reason }];
}

/** The events of a change to a Work, for its binding and cluster. */
function workEvents({ before, after }: ChangeOf<'Work'>, view: EventView): EventDraft[] {
  const work = after ?? before;
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

/** The replicas in the manifest; undefined if its kind has no such field: a ConfigMap, a Job. */
function copies(work: Work): string | undefined {
  const replicas = numberIn(work.spec?.workload?.manifests?.[0]?.spec, 'replicas');
  if (replicas === undefined) return undefined;
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}

/**
 * The events of a change to a Cluster: its conditions, its taints, its deletion, or an edit by a scenario.
 *
 * @param controller the author of the change
 */
function clusterEvents({ key, before, after }: ChangeOf<'Cluster'>, controller: string): EventDraft[] {
  const object = { kind: 'Cluster', name: key };
  if (!after) return [removed(object, before)];
  const events: EventDraft[] = [];
  const known = [...(before?.status?.conditions ?? [])];
  for (const condition of after.status?.conditions ?? []) {
    // A type may be listed twice: each entry is compared with its own predecessor.
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

/** Whether anything but conditions and taints changed. */
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

function byIdentity(taints: readonly Taint[]): Map<string, Taint> {
  const found = new Map<string, Taint>();
  for (const taint of taints) if (!found.has(taintIdentity(taint))) found.set(taintIdentity(taint), taint);
  return found;
}
