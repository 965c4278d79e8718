import type { Cluster } from '../api/cluster.ts';
import type { Placement, SpreadConstraint } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Evidence } from '../evidence.ts';
import { overflowAffinitiesOf } from '../scheduling/affinityGroups.ts';
import { isDuplicated } from '../scheduling/strategy.ts';
import { createAffinities } from '../selection/clusterAffinity.ts';
import { isWorkload } from '../objects/placement.ts';

/** The names of the clusters that a binding's affinity alone allows. */
export type MatchingNames = (binding: ResourceBinding) => readonly string[];

/** The most affinities whose result is cached. */
const MAX_KNOWN = 1000;

/**
 * Finds the clusters selected by a binding's affinity, or by one of its groups that the scheduler can still reach.
 * Cached by affinity, so that calls for thousands of bindings are cheap.
 */
export function matchingNames(
  clusters: Iterable<Cluster>,
  { scheduling }: Pick<Rules, 'scheduling'>,
): MatchingNames {
  const all = Array.from(clusters);
  const affinities = createAffinities(scheduling);
  const known = new Map<string, readonly string[]>();
  return (binding) => {
    const inForce = affinitiesOf(binding, scheduling);
    const asked = JSON.stringify(inForce ?? null);
    let names = known.get(asked);
    if (!names) {
      names = all
        .filter((one) => !inForce || inForce.some((affinity) => affinities.matches(one, affinity)))
        .map(({ metadata }) => metadata.name);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(asked, names);
    }
    return names;
  };
}

/**
 * The pre-scheduling check of the design optimize-cluster-failover ("Improvement of the scheduling success rate"),
 * taken literally: whether the affinity alone leaves a cluster to move to. A Duplicated binding needs spread
 * constraints that require no more groups than there are clusters matching the affinity besides the faulty one; a
 * Divided one needs a matching cluster that is not in the previous result. With affinity groups, a cluster matches if
 * it is selected by a group that the scheduler can still reach. Taints, health and capacity of these clusters are
 * ignored.
 *
 * @param cluster the name of the faulty cluster
 * @param matchingOf finds the matching clusters among all
 * @param evidence if given, collects the deciding facts
 * @returns why the eviction is abandoned; undefined if it is not
 */
export function abandonedBecause(
  binding: ResourceBinding,
  cluster: string,
  matchingOf: MatchingNames,
  evidence?: Evidence[],
): string | undefined {
  const { placement, clusters: result = [] } = binding.spec;
  const matching = matchingOf(binding);
  const abandoned = (reason: string, field: string, value: unknown) => {
    evidence?.push({ rule: `pre-scheduling check: ${reason}`, field, value });
    return reason;
  };
  if (!isDuplicated(placement)) {
    const previous = result.map(({ name }) => name);
    const isOther = (name: string) => !previous.includes(name);
    if (matching.some(isOther)) {
      const others = evidence ? matching.filter(isOther) : [];
      return passed(`${others.length} matching outside of the previous result`, others, evidence);
    }
    return abandoned(
      `no cluster besides ${previous.join(', ')} matches its affinity`,
      'spec.placement.clusterAffinity',
      { matching, previous },
    );
  }
  const others = matching.filter((name) => name !== cluster);
  const constraints = placement?.spreadConstraints ?? [];
  if (constraints.length === 0)
    return abandoned(
      'it is Duplicated without spread constraints: no other cluster counts as a target',
      'spec.placement.spreadConstraints',
      [],
    );
  const unmet = constraints.find((constraint) => leastGroups(constraint) > others.length);
  if (!unmet) return passed(`${others.length} matching besides ${cluster}`, others, evidence);
  const found = others.length === 1 ? '1 matches' : `${others.length} match`;
  return abandoned(
    `its spread constraint by ${unmet.spreadByLabel || unmet.spreadByField || 'cluster'} requires ${leastGroups(unmet)}, and ${found} its affinity besides ${cluster}`,
    `spec.placement.spreadConstraints[${constraints.indexOf(unmet)}].minGroups`,
    unmet.minGroups,
  );
}

function passed(found: string, clusters: string[], evidence: Evidence[] | undefined): undefined {
  evidence?.push({
    rule: `pre-scheduling check: there are target clusters, ${found}`,
    field: 'spec.placement.clusterAffinity',
    value: clusters,
  });
}

/** The CRD's default is 1. */
function leastGroups({ minGroups }: SpreadConstraint): number {
  return minGroups || 1;
}

/** Undefined: no affinity, so every cluster matches. */
function affinitiesOf({ spec, status }: ResourceBinding, rules: Rules['scheduling']) {
  const { clusterAffinity, clusterAffinities: groups }: Placement = spec.placement ?? {};
  if (clusterAffinity) return [clusterAffinity];
  if (!groups) return undefined;
  const observed = groups.findIndex(
    ({ affinityName }) => affinityName === status?.schedulerObservingAffinityName,
  );
  return groups
    .slice(Math.max(observed, 0))
    .flatMap((group) => (isWorkload(spec) ? [group, ...overflowAffinitiesOf(group, rules)] : [group]));
}
