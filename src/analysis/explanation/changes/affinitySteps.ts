import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterAffinity, ClusterAffinityTerm, Placement } from '../../../karmada/api/policy.ts';
import { clusterMatches, type AffinityRules } from '../../../karmada/selection/clusterAffinity.ts';
import { withCluster, withPlacement, type ChangeStep } from './change.ts';

/**
 * Ways to let an affinity select another cluster: relax it, label the cluster, or add a group that is tried after all
 * others. Of several groups it relaxes the last one.
 */
export function affinitySteps(cluster: Cluster, placement: Placement, rules: AffinityRules): ChangeStep[] {
  const { clusterAffinity, clusterAffinities } = placement;
  const term = clusterAffinities?.at(-1);
  const affinity = clusterAffinity ?? term;
  if (!affinity) return [];
  const path = clusterAffinity ? 'clusterAffinity' : `affinity group ${term!.affinityName}`;
  return [
    ...relaxedAffinity(cluster, affinity, path),
    ...labelledCluster(cluster, affinity, path, rules),
    fallbackGroup(cluster),
  ];
}

function relaxedAffinity({ metadata }: Cluster, affinity: ClusterAffinity, path: string): ChangeStep[] {
  const { name } = metadata;
  const listed = affinity.clusterNames?.length && !affinity.clusterNames.includes(name);
  const excluded = affinity.exclude?.includes(name);
  if (!listed && !excluded) return [];
  const texts = [
    ...(listed ? [`add ${name} to clusterNames of ${path}`] : []),
    ...(excluded ? [`remove ${name} from exclude of ${path}`] : []),
  ];
  const relax = <Affinity extends ClusterAffinity>(one: Affinity): Affinity => ({
    ...one,
    ...(listed ? { clusterNames: [...(one.clusterNames ?? []), name] } : {}),
    ...(excluded ? { exclude: one.exclude!.filter((other) => other !== name) } : {}),
  });
  return [
    {
      kind: 'cluster-affinity',
      size: 2 * texts.length,
      text: texts.join(' and '),
      apply: (proposal) =>
        withPlacement(proposal, (placement) =>
          placement.clusterAffinity
            ? { ...placement, clusterAffinity: relax(placement.clusterAffinity) }
            : { ...placement, clusterAffinities: replaceLast(placement.clusterAffinities ?? [], relax) },
        ),
    },
  ];
}

function replaceLast<Item>(items: Item[], change: (item: Item) => Item): Item[] {
  return items.map((item, index) => (index === items.length - 1 ? change(item) : item));
}

/** Labels the cluster, only if nothing but labels is missing and it is clear which. */
function labelledCluster(
  cluster: Cluster,
  affinity: ClusterAffinity,
  path: string,
  rules: AffinityRules,
): ChangeStep[] {
  const { labelSelector, ...rest } = affinity;
  const wanted = labelSelector?.matchLabels ?? {};
  const labelled = (one: Cluster): Cluster => ({
    ...one,
    metadata: { ...one.metadata, labels: { ...one.metadata.labels, ...wanted } },
  });
  if (!clusterMatches(cluster, rest, rules) || clusterMatches(cluster, affinity, rules)) return [];
  if (!clusterMatches(labelled(cluster), affinity, rules)) return [];
  const missing = Object.entries(wanted).filter(([key, value]) => cluster.metadata.labels?.[key] !== value);
  return [
    {
      kind: 'label-cluster',
      size: 3,
      text: `label ${cluster.metadata.name} ${missing.map(([key, value]) => `${key}=${value}`).join(' ')}, as ${path} asks`,
      apply: (proposal) => withCluster(proposal, cluster, labelled),
    },
  ];
}

/** Adds a group that is tried when the others have failed; a plain clusterAffinity becomes the first group. */
function fallbackGroup({ metadata }: Cluster): ChangeStep {
  const { name } = metadata;
  return {
    kind: 'fallback-group',
    size: 3,
    text: `add an affinity group with ${name}, to fall back on`,
    apply: (proposal) =>
      withPlacement(proposal, ({ clusterAffinity, clusterAffinities, ...placement }) => {
        const groups: ClusterAffinityTerm[] = clusterAffinity
          ? [{ affinityName: 'primary', ...clusterAffinity }]
          : (clusterAffinities ?? []);
        const affinityName = freeName(groups.map((group) => group.affinityName));
        return { ...placement, clusterAffinities: [...groups, { affinityName, clusterNames: [name] }] };
      }),
  };
}

function freeName(taken: string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'fallback' : `fallback-${count}`;
    if (!taken.includes(name)) return name;
  }
}
