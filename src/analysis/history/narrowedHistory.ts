import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import type { History } from './history.ts';

/**
 * The part of a history that concerns some workloads, or a cluster. For a workload, that includes what happened to
 * the clusters that it was on.
 */
export function narrowedHistory(
  history: History,
  to: { bindings: readonly ResourceBinding[] } | { cluster: string },
): History {
  return 'cluster' in to ? ofCluster(history, to.cluster) : ofBindings(history, to.bindings);
}

function ofCluster(history: History, cluster: string): History {
  const { events, evictions, workloads, clusters, spans } = history;
  const there = spans.filter((span) => span.cluster === cluster);
  const concerned = new Set(there.map(({ workload }) => objectKey(workload)));
  return {
    ...history,
    events: events.filter(
      (event) =>
        event.cluster?.split(',').includes(cluster) ||
        (event.object.kind === 'Cluster' && event.object.name === cluster) ||
        event.clusters?.some(({ name }) => name === cluster),
    ),
    evictions: evictions.filter(
      ({ from, to }) => from === cluster || to.some(({ name }) => name === cluster),
    ),
    workloads: workloads.filter(({ workload }) => concerned.has(objectKey(workload))),
    clusters: clusters.filter(({ name }) => name === cluster),
    spans: there,
  };
}

function ofBindings(history: History, bindings: readonly ResourceBinding[]): History {
  const { events, evictions, workloads, clusters, spans } = history;
  const own = new Set(bindings.map((one) => objectKey(bindingIdentity(one))));
  const named = new Set(bindings.map((one) => objectKey(workloadOf(one))));
  const isNamed = ({ workload }: { workload: ObjectIdentity }) => named.has(objectKey(workload));
  const ownSpans = spans.filter(isNamed);
  const places = new Set(ownSpans.flatMap(({ cluster }) => cluster ?? []));
  return {
    ...history,
    events: events.filter(
      ({ object }) => own.has(objectKey(object)) || (object.kind === 'Cluster' && places.has(object.name)),
    ),
    evictions: evictions.filter(isNamed),
    workloads: workloads.filter(isNamed),
    clusters: clusters.filter(({ name }) => places.has(name)),
    spans: ownSpans,
  };
}
