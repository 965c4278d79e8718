import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { schedulerSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../src/karmada/scheduling/scheduleBinding.ts';

/**
 * A binding as the scheduler of Karmada v1.18.2 leaves it: clusters in its order, and the applied placement as it writes it. Scheduling it
 * again changes only the last scheduled time, so any change in a simulation is due to the failure. Throws if the scheduler would place it
 * elsewhere.
 */
export function settledOn(clusters: readonly Cluster[]): (binding: ResourceBinding) => ResourceBinding {
  const snapshot = schedulerSnapshot(clusters, [], dialectOf('v1.18.2').dialect.defaults);
  return (binding) => {
    const { metadata, spec } = binding;
    const scheduled = Date.parse(binding.status?.lastScheduledTime ?? '');
    const applied = { ...binding, metadata: { ...metadata, annotations: {} } };
    const { spec: written, annotations } = scheduleBinding({ snapshot, binding: applied, now: scheduled });
    if (!annotations || !isSamePlaces(written, spec))
      throw new Error(`the scheduler would not place ${metadata.name} where it was generated`);
    return {
      ...binding,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
      spec: written,
    };
  };
}

function isSamePlaces(one: ResourceBinding['spec'], other: ResourceBinding['spec']): boolean {
  const placesOf = ({ clusters = [] }: ResourceBinding['spec']) =>
    clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
  return placesOf(one).join() === placesOf(other).join();
}
