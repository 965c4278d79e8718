import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { afterNextLook } from '../explanation/evictionAction/nextLook.ts';
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import { bindingAffinityMatches } from '../scheduling/filters/clusterAffinity.ts';

/**
 * Whether the scheduler lets a workload stay where it is put back. `affinityName`: only once the scheduler is back at
 * this affinity group, too.
 */
export type WayBack = { affinityName?: string } | { refused: string };

/** The scheduler that meets what is put back. */
export interface MeetingScheduler {
  /** of the clusters as they are by then */
  snapshot: ClusterSnapshot;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
}

/**
 * What the scheduler does with a workload that is put back. A duplicated one it places anew at each change, and from
 * the affinity group on to which it has come (Karmada v1.18): put back into an earlier group, the workload
 * would be moved at once to where it was going, without a task that waits for its replacement.
 *
 * @param after the spec with the clusters back in the result
 * @param restored the clusters that are put back
 */
export function wayBack(
  binding: ResourceBinding,
  after: ResourceBindingSpec,
  restored: readonly TargetCluster[],
  scheduler: MeetingScheduler,
): WayBack {
  const groups = after.placement?.clusterAffinities;
  const observed = binding.status?.schedulerObservingAffinityName;
  const at = (affinityName: string | undefined): ResourceBinding =>
    affinityName === undefined || affinityName === observed
      ? binding
      : { ...binding, status: { ...binding.status, schedulerObservingAffinityName: affinityName } };
  const stays = (met: ResourceBinding) =>
    keepsAll(after.clusters ?? [], afterNextLook(met, after, scheduler).binding.spec.clusters ?? []);

  if (groups && !after.placement?.clusterAffinity) {
    const names = groups.map(({ affinityName }) => affinityName);
    const candidates =
      observed === undefined ? names : [observed, ...names.filter((name) => name !== observed)];
    for (const name of candidates) {
      const met = at(name);
      if (!isOfGroup(met, restored, scheduler.snapshot) || !stays(met)) continue;
      return name === observed ? {} : { affinityName: name };
    }
  }
  if (stays(binding)) return {};
  const names = restored.map(({ name }) => name).join(', ');
  return { refused: `the scheduler would take it off ${names} again at once` };
}

/** Whether the affinity group that a binding has come to selects all of the clusters. */
function isOfGroup(
  { spec, status }: ResourceBinding,
  clusters: readonly TargetCluster[],
  { index, clusters: known }: ClusterSnapshot,
): boolean {
  return clusters.every(({ name }) => {
    const cluster = known[index.get(name) ?? -1];
    return cluster !== undefined && bindingAffinityMatches(spec, status, cluster);
  });
}

function keepsAll(wanted: readonly TargetCluster[], found: readonly TargetCluster[]): boolean {
  const replicas = new Map(found.map((target) => [target.name, target.replicas ?? 0]));
  return wanted.every((target) => (replicas.get(target.name) ?? -1) >= (target.replicas ?? 0));
}
