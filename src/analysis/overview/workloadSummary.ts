import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../../karmada/objects/identities.ts';
import { evictingFrom, placedOn } from '../../karmada/objects/placement.ts';

/**
 * How a workload is now:
 * - `evicting`: it leaves at least one cluster
 * - `unplaced`: it is nowhere
 * - `unhealthy`: a copy is reported to be unhealthy
 * - `stale`: one of its clusters is not Ready, so that nothing is reported from there
 * - `unapplied`: a copy is not in its cluster: it was refused there, or its dispatching is suspended
 * - `starting`: a copy has not been reported yet
 * - `running`: all copies are healthy, or their health cannot be told
 */
export type WorkloadState =
  'evicting' | 'unplaced' | 'unhealthy' | 'stale' | 'unapplied' | 'starting' | 'running';

/** A workload in one line. */
export interface WorkloadSummary {
  /** the result of `bindingKey` */
  key: string;
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  clusters: TargetCluster[];
  evicting: string[];
  state: WorkloadState;
  /** the clusters that the state is about */
  where: string[];
}

/** How a workload is now, given whether a cluster is Ready. */
export function workloadSummary(
  binding: ResourceBinding,
  isReady: (cluster: string) => boolean,
): WorkloadSummary {
  const clusters = placedOn(binding.spec);
  const evicting = evictingFrom(binding.spec);
  return {
    key: bindingKey(binding),
    binding: bindingIdentity(binding),
    workload: workloadOf(binding),
    clusters,
    evicting,
    ...stateOf(binding, clusters, evicting, isReady),
  };
}

function stateOf(
  { status }: ResourceBinding,
  clusters: readonly TargetCluster[],
  evicting: string[],
  isReady: (cluster: string) => boolean,
): Pick<WorkloadSummary, 'state' | 'where'> {
  if (evicting.length > 0) return { state: 'evicting', where: evicting };
  if (clusters.length === 0) return { state: 'unplaced', where: [] };
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const names = clusters.map(({ name }) => name);
  const stale = names.filter((name) => !isReady(name));
  if (stale.length > 0) return { state: 'stale', where: stale };
  const unhealthy = names.filter((name) => reported.get(name)?.health === 'Unhealthy');
  if (unhealthy.length > 0) return { state: 'unhealthy', where: unhealthy };
  const unapplied = names.filter((name) => {
    const item = reported.get(name);
    return item?.health === 'Unknown' && !item.applied;
  });
  if (unapplied.length > 0) return { state: 'unapplied', where: unapplied };
  const silent = names.filter((name) => !reported.has(name));
  return silent.length > 0 ? { state: 'starting', where: silent } : { state: 'running', where: [] };
}
