import { eventSource } from '../../karmada/controllers/registry.ts';
import type { ControllerName, EventReason } from '../../karmada/controllers/karmada.ts';
import { subjectOf, type ControllerNews, type Reconciled } from '../../karmada/running/controllerNews.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { EventSubject } from '../../state/live/typedObjects.ts';
import { queueNewsOf, type QueueNews } from './queueNews.ts';

/** An Event, in the API's terms, that Karmada's own controller would write. */
export interface KarmadaEvent {
  /** the name of Karmada's controller, as the source of the Event */
  component: string;
  subject: EventSubject;
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/**
 * The Events that Karmada's own controllers write, with their reasons, messages and sources (pkg/events,
 * pkg/util/helper/binding.go): about the binding and its template when an eviction task has ended or its write has
 * failed; about the Cluster for taints.
 */
export function eventsOf(news: ControllerNews, view: View): KarmadaEvent[] {
  switch (news.type) {
    case 'tainted': {
      const message = `Update Cluster(${news.cluster}) with taints(${taintsMessage(news.taints)}) succeed`;
      return events(news.controller, 'TaintClusterSucceed', message, [clusterSubject(news.cluster, view)]);
    }
    case 'task-ended': {
      const message = `Evict from cluster ${news.cluster} succeed.`;
      return events(news.controller, 'EvictWorkloadFromClusterSucceed', message, aboutBinding(news.binding));
    }
    case 'failed':
      return failureEvents(news, view);
    default:
      return [];
  }
}

/** The Events that a controller writes about these objects for a reason; none if it does not report that reason. */
function events(
  controller: ControllerName,
  reason: EventReason,
  message: string,
  subjects: readonly [EventSubject, ...EventSubject[]],
): KarmadaEvent[] {
  const component = eventSource(controller, reason, subjects[0].kind !== 'ClusterResourceBinding');
  if (component === undefined) return [];
  const type = reason.endsWith('Failed') ? 'Warning' : 'Normal';
  return subjects.map((subject) => ({ component, subject, type, reason, message }));
}

/**
 * The Events about bindings (and their templates) that enter or leave the eviction queue of the design
 * optimize-cluster-failover, which asks for Events but names none: EvictionQueued, EvictionBegun, EvictionAbandoned,
 * EvictionDropped.
 */
export function queueEventsOf(result: Reconciled<ControllerName>, view: View): KarmadaEvent[] {
  return queueNewsOf(result).flatMap(({ binding, state, message }) => {
    const found = view.get('Binding', binding);
    const reason = QUEUE_REASONS[state];
    if (!found || reason === undefined) return [];
    const type = state === 'Abandoned' ? ('Warning' as const) : ('Normal' as const);
    return aboutBinding(found).map((subject) => ({
      component: 'taint-manager',
      subject,
      type,
      reason,
      message,
    }));
  });
}

const QUEUE_REASONS: Readonly<Record<QueueNews['state'], string | undefined>> = {
  Waiting: 'EvictionQueued',
  Tolerating: 'EvictionQueued',
  Evicted: 'EvictionBegun',
  Abandoned: 'EvictionAbandoned',
  Dropped: 'EvictionDropped',
  // another client removed the cluster, and reports that
  Left: undefined,
};

/** As in Karmada, failed writes become Events: for evictions with the cluster, for taints with the reason. */
function failureEvents(news: Extract<ControllerNews, { type: 'failed' }>, view: View): KarmadaEvent[] {
  const { controller, message } = news;
  const ofTaints = eventSource(controller, 'TaintClusterFailed', true) !== undefined;
  if (ofTaints)
    return events(controller, 'TaintClusterFailed', message, [clusterSubject(subjectOf(news).name, view)]);
  return news.writes.flatMap((write) => {
    if (write.verb !== 'update' || write.kind !== 'Binding') return [];
    const targets = new Set((write.object.spec.clusters ?? []).map(({ name }) => name));
    const left = (write.base.spec.clusters ?? []).filter(({ name }) => !targets.has(name));
    return left.flatMap(({ name }) => {
      const failed = `Evict from cluster ${name} failed.`;
      return events(controller, 'EvictWorkloadFromClusterFailed', failed, aboutBinding(write.base));
    });
  });
}

function aboutBinding({ kind, metadata, spec: { resource } }: ResourceBinding): [EventSubject, EventSubject] {
  const { namespace, name, uid, resourceVersion } = metadata;
  return [
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: kind ?? (namespace ? 'ResourceBinding' : 'ClusterResourceBinding'),
      namespace,
      name,
      uid,
      resourceVersion,
    },
    {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      namespace: resource.namespace,
      name: resource.name,
      uid: resource.uid,
    },
  ];
}

function clusterSubject(name: string, view: View): EventSubject {
  const { uid, resourceVersion } = view.get('Cluster', name)?.metadata ?? {};
  return { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name, uid, resourceVersion };
}

/** GenerateTaintsMessage of pkg/util/helper/taint.go. */
function taintsMessage(taints: readonly Taint[]): string {
  if (taints.length === 0) return 'cluster now does not have taints';
  const each = taints.map(
    ({ key, value, effect }) => `{Key:${key},${value ? `Value:${value},` : ''}Effect:${effect}}`,
  );
  return `cluster now has taints([${each.join(',')}])`;
}
