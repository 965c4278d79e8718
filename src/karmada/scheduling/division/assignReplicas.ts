import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../../api/work.ts';
import { clusterIndexes, clusterSetOf } from '../../selection/clusterSet.ts';
import { schedulesComponentSets } from '../capacity/availableReplicas.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import { type RankedClusters, availableOn } from '../rankClusters.ts';
import { assignsReplicas, strategyOf } from '../strategy.ts';
import type { AttemptTrace } from '../trace.ts';
import { divideRandomly } from './divideRandomly.ts';
import { divideByCapacity } from './divideByCapacity.ts';
import {
  type Assignment,
  type Division,
  type Shares,
  noShares,
  recordDivision,
  targetsOf,
} from './division.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';

/**
 * Assigns replicas to the selected clusters. Workloads with several components, and objects without replicas, run on
 * all of them. Clusters are indexes in the snapshot, in ranked order.
 *
 * @param winners the winners of random ties (before v1.16); absent: the first names
 */
export function assignReplicas(
  snapshot: ClusterSnapshot,
  selected: readonly number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  winners: ReadonlySet<string> | undefined,
  trace: AttemptTrace | undefined,
): Assignment {
  if (selected.length === 0)
    return { error: { kind: 'Error', message: 'no clusters available to schedule' } };
  const { rules } = snapshot.options;
  if (!assignsReplicas(spec, rules)) return { clusters: wholeOnEach(snapshot, selected, spec) };
  const { replicas = 0 } = spec;
  const { names } = snapshot;
  const division: Division = { snapshot, names, ranked, selected, replicas, spec, status, winners, trace };
  return rules.overflowAffinities && overflows(spec, status) ? divideByTier(division) : divide(division);
}

function onEach({ names }: ClusterSnapshot, selected: readonly number[], replicas: number): TargetCluster[] {
  return selected.map((at) => ({ name: names[at]!, replicas }));
}

/** Assigns all replicas to each cluster; since v1.19 those of components, too. */
function wholeOnEach(
  snapshot: ClusterSnapshot,
  selected: readonly number[],
  spec: ResourceBindingSpec,
): TargetCluster[] {
  const { components = [] } = spec;
  const { options } = snapshot;
  const targets = onEach(snapshot, selected, 0);
  if (!options.rules.componentsInResult || components.length < 2 || !schedulesComponentSets(spec, options))
    return targets;
  const asked = components.map(({ name = '', replicas = 0 }) => ({ name, replicas }));
  return targets.map((target) => ({ ...target, components: asked }));
}

/** Whether the observed affinity group has overflow groups. */
function overflows({ placement }: ResourceBindingSpec, status: ResourceBindingStatus | undefined): boolean {
  const observed = status?.schedulerObservingAffinityName;
  if (placement?.clusterAffinity || !observed) return false;
  return (placement?.clusterAffinities ?? []).some(
    ({ affinityName, overflowAffinities }) => affinityName === observed && overflowAffinities != null,
  );
}

/** Each tier takes as much as fits, the group itself first; the rest goes to the next tier. */
function divideByTier(division: Division): Assignment {
  const { ranked, selected } = division;
  const tiers = groupedBy(selected, (at) => ranked.tiers?.get(at) ?? 0);
  const clusters: TargetCluster[] = [];
  let remaining = division.replicas;
  for (const [, members] of [...tiers].sort(([a], [b]) => a - b)) {
    const capacity = members.reduce((sum, at) => sum + availableOn(ranked, at), 0);
    const replicas = Math.min(remaining, capacity) | 0;
    const assigned = divide({ ...division, selected: members, replicas });
    if ('error' in assigned) return assigned;
    clusters.push(...assigned.clusters);
    remaining = (remaining - replicas) | 0; // an int32 in Karmada; a tier with negative capacity makes it overflow
    if (remaining <= 0) return { clusters };
  }
  const message = 'Clusters available replicas are not enough to schedule.';
  return { error: { kind: 'UnschedulableError', message } };
}

function divide(division: Division): Assignment {
  const { snapshot, selected, replicas, spec } = division;
  const strategy = strategyOf(spec.placement);
  switch (strategy) {
    case 'Duplicated':
      recordDivision(division, strategy, 'every cluster gets all', replicas, noShares);
      return { clusters: replicas > 0 ? onEach(snapshot, selected, replicas) : [] };
    case 'StaticWeight':
      return divideStatically(division);
    case 'Aggregated':
    case 'DynamicWeight':
      return divideByCapacity(division, strategy);
    case undefined: {
      const { replicaSchedulingType = '', replicaDivisionPreference = '' } =
        spec.placement?.replicaScheduling ?? {};
      const message = `unsupported replica scheduling strategy, replicaSchedulingType: ${replicaSchedulingType}, replicaDivisionPreference: ${replicaDivisionPreference}, please try another scheduling strategy`;
      return { error: { kind: 'Error', message } };
    }
  }
}

/** Static weights: always divides from scratch; before v1.16 current replicas count in ties. */
function divideStatically(division: Division): Assignment {
  const { replicas, snapshot, spec } = division;
  const { weights, ruled } = staticWeights(division);
  recordDivision(division, 'StaticWeight', 'from scratch', replicas, weights);
  if (snapshot.rules.division === 'roundedDown')
    return divideRandomly(
      division,
      replicas,
      weights,
      noShares,
      ruled ? division.ranked.assigned : undefined,
    );
  const seats = divideByWebster(replicas, weights.of, laterNamesFirst(spec.resource.uid));
  return { clusters: targetsOf(division, { clusters: weights.clusters, of: seats }) };
}

/**
 * A cluster's weight is the largest of the rules that select it. Clusters without a weight get nothing, unless none has
 * one: then all have equal weight. `ruled`: the weights come from rules, including the one that Karmada adds without a
 * preference.
 */
function staticWeights({ snapshot, selected, spec }: Division): { weights: Shares; ruled: boolean } {
  const candidates = clusterSetOf(selected, snapshot.clusters.length);
  const weights = new Map<number, number>();
  for (const rule of spec.placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []) {
    const matching = candidates.slice();
    snapshot.affinities.keep(matching, snapshot, rule.targetCluster);
    for (const at of clusterIndexes(matching))
      if (rule.weight > (weights.get(at) ?? 0)) weights.set(at, rule.weight);
  }
  const clusters = clusterIndexes(candidates);
  const unasked = spec.placement?.replicaScheduling?.weightPreference == null;
  if (weights.size === 0) return { weights: { clusters, of: clusters.map(() => 1) }, ruled: unasked };
  const weighted = clusters.filter((at) => weights.has(at));
  return { weights: { clusters: weighted, of: weighted.map((at) => weights.get(at)!) }, ruled: true };
}
