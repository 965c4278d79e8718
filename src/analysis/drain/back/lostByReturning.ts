import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster, Work } from '../../../karmada/api/work.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import type { DeclaredHooks } from '../../../karmada/controllers/view.ts';
import { copyReadiness, reportedReady } from '../../../karmada/status/copyReadiness.ts';
import { givenUp } from './restoreClusters.ts';

/**
 * Why fewer replicas may be ready once a workload is back: its replacement is given up for the old copies, so these
 * must be ready themselves. Undefined if they are, or if they are visible and none of the replicas that are given up
 * is ready either.
 *
 * @param clusters where the old copies are
 * @param result the scheduling result once it is back
 * @param works the binding's Works by cluster
 */
export function lostByReturning(
  binding: ResourceBinding,
  clusters: readonly string[],
  result: readonly TargetCluster[],
  works: ReadonlyMap<string, Work>,
  { clusters: known, hooks }: { clusters: ReadonlyMap<string, Cluster>; hooks: DeclaredHooks },
): string | undefined {
  // An old copy was not applied just now, so the health that Karmada reports is reliable.
  const settled: DeclaredHooks = {
    ...hooks,
    enabled: (resource, operation) => operation === 'InterpretHealth' || hooks.enabled(resource, operation),
  };
  const kept = new Map(result.map(({ name, replicas }) => [name, replicas ?? 0]));
  const given = givenUp(binding.spec.clusters ?? [], result);
  const serving = given.filter(({ name }) =>
    mayServe(binding, works.get(name), known.get(name), kept.get(name)),
  );
  const tasks = binding.spec.gracefulEvictionTasks?.filter((task) => clusters.includes(task.fromCluster));
  for (const { fromCluster: name, replicas = 0 } of tasks ?? []) {
    // the workload was scaled up meanwhile, so the copy is to get more replicas than it has
    const target = { name, replicas: Math.max(replicas, kept.get(name) ?? 0) };
    const copy = copyReadiness(binding, target, works.get(name), known.get(name), settled);
    const lost = isStale(known.get(name)) ? given : serving;
    if (copy.ready || lost.length === 0) continue;
    const replacements = lost.map((one) => one.name).join(', ');
    return `${copy.evidence.rule}; its replacement on ${replacements} would be given up`;
  }
  return undefined;
}

/** Whether more replicas of a copy may be ready than are kept; true if the copy cannot be seen. */
function mayServe(
  { spec }: ResourceBinding,
  work: Work | undefined,
  cluster: Cluster | undefined,
  kept: number | undefined,
): boolean {
  if (!work) return false;
  if (isStale(cluster)) return true;
  const ready = reportedReady(spec.resource, work);
  return ready === undefined ? kept === undefined : ready > (kept ?? 0);
}
