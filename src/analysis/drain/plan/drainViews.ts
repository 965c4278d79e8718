import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { bindingKey, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import type { Stage } from '../../../simulator/simulation/simulate.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainView } from '../decide/drainView.ts';

/** The views of a drain in a simulation, with the bindings of these keys as they are when it looks. */
export function drainViews(
  { time }: Stage,
  { clusters: own }: Pick<DrainOptions, 'clusters'>,
  { featureGates }: Configuration,
): (keys: Iterable<string>) => DrainView {
  const { view } = time;
  let known: readonly Cluster[] | undefined;
  time.follow(({ changes }) => {
    if (changes.some(({ kind }) => kind === 'Cluster')) known = undefined;
  });
  function* bindings(keys: Iterable<string>): Generator<ResourceBinding> {
    for (const key of keys) {
      const binding = view.get('Binding', key);
      if (binding) yield binding;
    }
  }
  return (keys) => ({
    clusters: (known ??= [...view.all('Cluster')]),
    bindings: [...bindings(keys)],
    onItsClusters: () =>
      new Set(own.flatMap((name) => [...view.bindingsOn(name), ...view.bindingsLeaving(name)])),
    find: (key) => view.get('Binding', key),
    attachedTo: (binding) => view.attachedTo(bindingKey(binding)),
    *leaving(namespace) {
      for (const cluster of own)
        for (const binding of view.bindingsLeaving(cluster))
          if (binding.metadata.namespace === namespace) yield binding;
    },
    worksOf: (binding) => view.worksOf(binding),
    templateOf: (binding) => view.get('Object', objectKey(workloadOf(binding))),
    hooks: view.hooks,
    ...(featureGates.WorkloadAffinity ? { workloads: view.fleet.workloads } : {}),
  });
}
