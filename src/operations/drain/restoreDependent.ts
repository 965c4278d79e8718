import { releaseDependent } from '../../analysis/drain/drainTasks.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { BindingCancellation } from './bindingCancellation.ts';
import { clustersToRestore, type Cancelled } from './whatIsCancelled.ts';

/**
 * What becomes of a drain's tasks on a dependent: it is released from a cluster if its requiredBy names the cluster
 * again, or if no parent is left there. It is kept for a parent that cannot go back and is held itself.
 */
export function restoreDependent(
  binding: ResourceBinding,
  cancelled: Cancelled,
  find: (key: string) => ResourceBinding | undefined,
): BindingCancellation {
  const requiredBy = binding.spec.requiredBy ?? [];
  const parents = requiredBy.flatMap((one) => find(snapshotKey(one)) ?? []);
  const back: string[] = [];
  const gone: string[] = [];
  const kept: string[] = [];
  const waiting: string[] = [];
  for (const name of clustersToRestore(binding, cancelled))
    if (requiredBy.some(({ clusters }) => clusters?.some((one) => one.name === name))) back.push(name);
    else if (parents.some(({ spec }) => spec.clusters?.some((one) => one.name === name))) waiting.push(name);
    else if (
      parents.some(({ spec }) => spec.gracefulEvictionTasks?.some((task) => task.fromCluster === name))
    )
      kept.push(name);
    else gone.push(name);
  const left = [...kept, ...gone];
  return {
    spec: releaseDependent(binding.spec, [...back, ...gone]),
    ...(back.length > 0 ? { restored: { to: back.map((name) => ({ name })), given: [] } } : {}),
    ...(left.length > 0
      ? {
          left: {
            from: left,
            reason:
              kept.length > 0
                ? 'it is kept for the workload that needs it, which is leaving'
                : 'the workload that needs it has left, so it leaves too',
          },
        }
      : {}),
    ...(kept.length > 0 ? { held: true } : {}),
    ...(waiting.length > 0 ? { waiting } : {}),
  };
}
