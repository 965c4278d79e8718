import { bindingName } from '../../../karmada/objects/bindingName.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { objectKey, snapshotKey } from '../../../karmada/objects/identities.ts';
import type { WorkloadSpans } from '../spansShown.ts';
import type { TracedEvent } from './told.ts';

/** Events by what they are about. */
export interface EventPlaces {
  ofClusters: Map<string, TracedEvent[]>;
  /** by `objectKey` */
  ofWorkloads: Map<string, TracedEvent[]>;
  elsewhere: TracedEvent[];
}

/** The events of clusters, those of workloads, which are told of their bindings, and all others. */
export function eventsByPlace(
  events: readonly TracedEvent[],
  workloads: readonly WorkloadSpans[],
): EventPlaces {
  const owners = new Map<string, string>();
  for (const { workload } of workloads) {
    const { kind, namespace, name } = workload;
    owners.set(objectKey(workload), objectKey(workload));
    owners.set(bindingPlace({ namespace, name: bindingName(kind, name) }), objectKey(workload));
  }
  const places: EventPlaces = { ofClusters: new Map(), ofWorkloads: new Map(), elsewhere: [] };
  for (const event of events) {
    const { object } = event;
    const isBinding = object.kind === 'ResourceBinding' || object.kind === 'ClusterResourceBinding';
    const owner = owners.get(isBinding ? bindingPlace(object) : objectKey(object));
    if (object.kind === 'Cluster') getOrAdd(places.ofClusters, object.name, () => []).push(event);
    else if (owner !== undefined) getOrAdd(places.ofWorkloads, owner, () => []).push(event);
    else places.elsewhere.push(event);
  }
  return places;
}

function bindingPlace(binding: { namespace?: string | undefined; name: string }): string {
  return `binding ${snapshotKey(binding)}`;
}
