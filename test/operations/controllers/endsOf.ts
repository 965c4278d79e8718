import type { View } from '../../../src/karmada/controllers/view.ts';
import { bindingKey, workKey } from '../../../src/karmada/objects/identities.ts';

/** Karmada's final state, by object. */
export type Ends = ReadonlyMap<string, unknown>;

/**
 * Karmada's final state, without times, counters, and the condition Scheduled: if the patch of a status is refused after that of the
 * result, the retry finds nothing to schedule and leaves the condition unchanged.
 */
export function endsOf(view: View): Ends {
  const ends = new Map<string, unknown>();
  for (const { metadata, spec, status } of view.all('Cluster'))
    ends.set(`cluster ${metadata.name}`, {
      taints: (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort(),
      ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status,
    });
  const owned = new Set<string>();
  for (const binding of view.all('Binding')) {
    const { spec, status } = binding;
    const works = [...view.worksOf(binding).values()];
    for (const work of works) owned.add(workKey(work));
    ends.set(`binding ${bindingKey(binding)}`, {
      clusters: (spec.clusters ?? []).map(({ name, replicas }) => `${name}×${replicas}`).sort(),
      leaving: (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster).sort(),
      // The status of a Work being deleted depends on whether a controller looks again.
      health: (status?.aggregatedStatus ?? [])
        .filter(({ clusterName }) => spec.clusters?.some(({ name }) => name === clusterName))
        .map(({ clusterName, health }) => `${clusterName} ${health}`)
        .sort(),
      works: works.map((work) => `${workKey(work)}${deletedText(work)}`).sort(),
    });
  }
  for (const work of view.all('Work'))
    if (!owned.has(workKey(work))) ends.set(`Work ${workKey(work)}`, deletedText(work));
  for (const { cluster, workload, ready, replicas } of view.all('Copy')) {
    const key = `copy ${cluster} ${workload.kind}/${workload.namespace ?? ''}/${workload.name}`;
    ends.set(key, `${ready}/${replicas}`);
  }
  return ends;
}

function deletedText({ metadata }: { metadata: { deletionTimestamp?: string | null } }): string {
  return metadata.deletionTimestamp ? ' being deleted' : '';
}
