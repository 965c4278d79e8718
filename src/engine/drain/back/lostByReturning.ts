import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster, Work } from '../../../karmada/api/work.ts';
import { isStale } from '../../objects/clusterReadiness.ts';
import type { DeclaredHooks } from '../../status/healthInterpreter.ts';
import { copyReadiness, reportedReady } from '../../status/copyReadiness.ts';
import { givenUp } from './restoreClusters.ts';

/**
 * Why fewer replicas may be ready once a workload is back: what replaces its old copies is given up for them, so they
 * have to be ready themselves. Undefined if they are, and where they can be seen and nothing that is given up is
 * ready either.
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
  // An old copy is not one that has just been applied: what Karmada says of its health may be believed.
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
    // scaled up meanwhile, it is to have more than it has
    const target = { name, replicas: Math.max(replicas, kept.get(name) ?? 0) };
    const copy = copyReadiness(binding, target, works.get(name), known.get(name), settled);
    const lost = isStale(known.get(name)) ? given : serving;
    if (copy.ready || lost.length === 0) continue;
    const replacements = lost.map((one) => one.name).join(', ');
    return `${copy.evidence.rule}; what replaces it on ${replacements} would be given up`;
  }
  return undefined;
}

/** Whether more of a copy may be ready than is kept of it; one that cannot be seen may be. */
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
