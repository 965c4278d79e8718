import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceList } from '../../../karmada/api/meta.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../../kubernetes/quantity.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { type Members } from '../members.ts';
import { isReady } from '../../objects/clusterReadiness.ts';

/**
 * The resource summaries of clusters follow what comes and goes there, with the next status collection: so a
 * scheduling sees the room that those before it took, once the clusters have reported it. Left as captured
 * are clusters that do not count what runs on them, clusters out of reach, and resource models, which
 * only the nodes could tell anew.
 *
 * @param period milliseconds between two collections (--cluster-status-update-frequency)
 */
export function startResourceSummaries(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  members: Members,
  period: number,
): void {
  const start = agenda.now();
  /** thousandths of each resource that have come since the start, by cluster */
  const added = new Map<string, Map<string, bigint>>();
  const atStart = plane.clusters;
  const captured = new Map(
    [...atStart].map(([name, cluster]) => [name, cluster.status?.resourceSummary?.allocated]),
  );

  const collect = createKeyedQueue<string>(agenda, (name) => {
    const cluster = plane.clusters.get(name);
    const change = added.get(name);
    if (!cluster || !change || !isReady(cluster) || members.isDown(name)) return;
    plane.writeCluster(withAllocated(cluster, captured.get(name) ?? {}, change));
  });

  members.onPods((record, name, pods) => {
    const before = captured.get(name);
    if (pods === 0 || !before || Object.keys(before).length === 0) return;
    let change = added.get(name);
    if (!change) added.set(name, (change = new Map()));
    for (const [resource, amount] of podRequest(record))
      change.set(resource, (change.get(resource) ?? 0n) + amount * BigInt(pods));
    const periods = Math.floor((agenda.now() - start) / period) + 1;
    collect.add(name, start + periods * period);
  });
}

const requests = new WeakMap<ResourceList, Map<string, bigint>>();
const podAlone = new Map([['pods', 1000n]]);

/** What one replica asks for, in thousandths. */
function podRequest(record: BindingRecord): Map<string, bigint> {
  const list = record.current.spec.replicaRequirements?.resourceRequest;
  if (!list) return podAlone;
  let request = requests.get(list);
  if (!request) {
    request = new Map(
      Object.entries(list).map(([name, amount]) => [name, quantityMilliValue(parseQuantity(amount))]),
    );
    request.set('pods', 1000n);
    requests.set(list, request);
  }
  return request;
}

function withAllocated(cluster: Cluster, captured: ResourceList, change: Map<string, bigint>): Cluster {
  const allocated: ResourceList = { ...captured };
  for (const [name, amount] of change) {
    const total = quantityMilliValue(parseQuantity(captured[name] ?? 0)) + amount;
    allocated[name] = `${total < 0n ? 0n : total}m`;
  }
  return {
    ...cluster,
    status: { ...cluster.status, resourceSummary: { ...cluster.status?.resourceSummary, allocated } },
  };
}
