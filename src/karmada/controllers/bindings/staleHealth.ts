import type { ResourceBinding } from '../../api/work.ts';
import type { EvictPluginName } from '../../dialects/switches/eviction.ts';

/**
 * Whether a task of a binding may end on health from before a scale-up, now that the scheduler has asked clusters for
 * more replicas: all target clusters were reported Healthy before some of them grew. Karmada does not define which
 * comes first: the scheduler's second look, which makes the generations equal, or the report that members are no longer
 * Healthy.
 *
 * @param plugins the checks that end tasks
 */
export function judgedOnStaleHealth(
  before: ResourceBinding,
  after: ResourceBinding,
  plugins: readonly EvictPluginName[],
): boolean {
  const { spec, status } = after;
  // A task that suppresses deletion is not judged by health; one whose cluster is back ends in any case.
  const returned = (cluster: string) =>
    plugins.includes('InBoth') && spec.clusters?.some(({ name }) => name === cluster);
  const byHealth = spec.gracefulEvictionTasks?.some(
    ({ suppressDeletion, fromCluster }) => suppressDeletion !== true && !returned(fromCluster),
  );
  if (!byHealth || !plugins.includes('ResourceHealth')) return false;
  const had = new Map(before.spec.clusters?.map(({ name, replicas }) => [name, replicas ?? 0]));
  const targets = spec.clusters ?? [];
  const grows = targets.some(({ name, replicas }) => (replicas ?? 0) > (had.get(name) ?? 0));
  const healthy = new Set(
    status?.aggregatedStatus
      ?.filter(({ health }) => health === 'Healthy')
      .map(({ clusterName }) => clusterName),
  );
  return grows && targets.every(({ name }) => healthy.has(name));
}
