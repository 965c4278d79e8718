import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { TAINT_CLUSTER_UNSCHEDULABLE } from '../../../karmada/api/names.ts';
import { shellWord } from '../../../kubernetes/escaping.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../../kubernetes/schema/core.ts';
import type { SchedulingRules } from '../../../karmada/scheduling/schedulerOptions.ts';
import type { ClusterTrace } from '../../../karmada/scheduling/trace.ts';
import { forgetEvictions } from '../../../karmada/application/evictionHistory.ts';
import {
  respectsPreferNoExecute,
  tolerationsFor,
  untoleratedTaint,
} from '../../../karmada/scheduling/filters/taintToleration.ts';
import { noExecuteTaints } from '../../../karmada/taints/noExecuteDecision.ts';
import { type ChangeStep, withCluster, withPlacement } from './change.ts';
import type { ClusterAffinity, ClusterAffinityTerm, Placement } from '../../../karmada/api/policy.ts';
import { type AffinityRules, clusterMatches } from '../../../karmada/selection/clusterAffinity.ts';

/**
 * The ways to let a cluster pass the filters that reject it, each a list of steps needed together; none if some filter
 * cannot be passed. `trace` holds the filters' objections to the cluster.
 */
export function stepsToOpen(
  cluster: Cluster,
  trace: ClusterTrace,
  binding: ResourceBinding,
  rules: SchedulingRules,
): ChangeStep[][] {
  const rejecting = trace.filters.filter(({ reason }) => reason !== undefined);
  return rejecting.reduce<ChangeStep[][]>(
    (ways, { plugin }) => {
      const steps = stepsAgainst(plugin, cluster, binding, rules);
      return ways.flatMap((way) => steps.map((step) => [...way, ...step]));
    },
    [[]],
  );
}

/** The ways to pass one filter. */
function stepsAgainst(
  plugin: string,
  cluster: Cluster,
  binding: ResourceBinding,
  rules: SchedulingRules,
): ChangeStep[][] {
  switch (plugin) {
    case 'ClusterAffinity':
      return affinitySteps(cluster, binding.spec.placement ?? {}, rules).map((step) => [step]);
    case 'TaintToleration':
      return taintSteps(cluster, binding, rules);
    case 'ClusterEviction':
      return endEviction(cluster, binding).map((step) => [step]);
    case 'ActiveEvictionHistory':
      return [[forgetFailure(cluster)]];
    case 'APIEnablement':
      return [[installApi(cluster, binding)]];
    default:
      return [];
  }
}

/**
 * Uncordons the cluster, and tolerates its other taints; no step helps against a taint that no toleration can match.
 */
function taintSteps(cluster: Cluster, { spec }: ResourceBinding, rules: SchedulingRules): ChangeStep[][] {
  const tolerations = tolerationsFor(spec, cluster.metadata.name, rules);
  const heeds = respectsPreferNoExecute(spec, rules);
  const taints = (cluster.spec?.taints ?? []).filter(
    (taint) => untoleratedTaint([taint], tolerations, heeds) !== undefined,
  );
  if (taints.some(({ effect }) => effect === 'PreferNoExecute')) return [];
  return [
    taints.map((taint) => (isCordon(taint) ? uncordon(cluster) : tolerate(taint, cluster.metadata.name))),
  ];
}

function isCordon({ key, effect }: Taint): boolean {
  return key === TAINT_CLUSTER_UNSCHEDULABLE && effect === 'NoSchedule';
}

function uncordon(cluster: Cluster): ChangeStep {
  return {
    kind: 'uncordon',
    size: 1,
    text: `uncordon ${cluster.metadata.name} (karmadactl uncordon ${shellWord(cluster.metadata.name)})`,
    apply: (proposal) =>
      withCluster(proposal, cluster, (one) => ({
        ...one,
        spec: { ...one.spec, taints: one.spec?.taints?.filter((taint) => !isCordon(taint)) ?? [] },
      })),
  };
}

function tolerate(taint: Taint, name: string): ChangeStep {
  const { key, value, effect } = taint;
  const toleration: Toleration = value
    ? { key, operator: 'Equal', value, effect }
    : { key, operator: 'Exists', effect };
  return {
    kind: 'tolerate',
    size: 2,
    text: `tolerate ${formatTaint(taint)}, which ${name} has`,
    apply: (proposal) =>
      withPlacement(proposal, (placement) => ({
        ...placement,
        clusterTolerations: [...(placement.clusterTolerations ?? []), toleration],
      })),
  };
}

/** Cancels the eviction task of a cluster, unless the workload would leave it again at once. */
function endEviction(cluster: Cluster, { spec }: ResourceBinding): ChangeStep[] {
  const { name } = cluster.metadata;
  const evicting = noExecuteTaints(cluster.spec?.taints);
  if (untoleratedTaint(evicting, spec.placement?.clusterTolerations ?? []) !== undefined) return [];
  return [
    {
      kind: 'end-eviction',
      size: 1,
      text: `cancel the eviction task from ${name}: it can be chosen again`,
      apply: (proposal) => {
        const { binding } = proposal;
        const kept = (binding.spec.gracefulEvictionTasks ?? []).filter(
          ({ fromCluster }) => fromCluster !== name,
        );
        return {
          ...proposal,
          binding: { ...binding, spec: { ...binding.spec, gracefulEvictionTasks: kept } },
        };
      },
    },
  ];
}

/** Removes the cluster from the eviction history of application failover. */
function forgetFailure({ metadata: { name } }: Cluster): ChangeStep {
  return {
    kind: 'forget-eviction',
    size: 1,
    text: `take ${name} out of spec.activeEvictionHistory: it can be chosen before its block ends`,
    apply: ({ binding, ...proposal }) => ({
      ...proposal,
      binding: { ...binding, spec: forgetEvictions(binding.spec, new Set([name])) },
    }),
  };
}

function installApi(cluster: Cluster, { spec }: ResourceBinding): ChangeStep {
  const { apiVersion: groupVersion, kind } = spec.resource;
  return {
    kind: 'install-api',
    size: 6,
    text: `install the API ${groupVersion} ${kind} on ${cluster.metadata.name}`,
    apply: (proposal) =>
      withCluster(proposal, cluster, (one) => ({
        ...one,
        status: {
          ...one.status,
          apiEnablements: [...(one.status?.apiEnablements ?? []), { groupVersion, resources: [{ kind }] }],
        },
      })),
  };
}

/**
 * Ways to make an affinity select another cluster: relax it, label the cluster, or add a group that is tried after all
 * others. With several groups it relaxes the last one.
 */
function affinitySteps(cluster: Cluster, placement: Placement, rules: AffinityRules): ChangeStep[] {
  const { clusterAffinity, clusterAffinities } = placement;
  const term = clusterAffinities?.at(-1);
  const affinity = clusterAffinity ?? term;
  if (!affinity) return [];
  const path = clusterAffinity ? 'clusterAffinity' : `affinity group ${term?.affinityName}`;
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
    ...(excluded ? { exclude: one.exclude?.filter((other) => other !== name) } : {}),
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

/** Labels the cluster, if only labels are missing and it is clear which. */
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

/** Adds a group to try when the others have failed; a plain clusterAffinity becomes the first group. */
function fallbackGroup({ metadata }: Cluster): ChangeStep {
  const { name } = metadata;
  return {
    kind: 'fallback-group',
    size: 3,
    text: `add an affinity group with ${name} as a fallback`,
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
