import type { Cluster } from '../../api/cluster.ts';
import type { ClusterAffinity } from '../../api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import { clusterMatches, type AffinityRules, type Demand } from '../../selection/clusterAffinity.ts';
import { addClusters } from '../../selection/clusterSet.ts';
import { isWorkload } from '../../objects/placement.ts';
import { observedAffinity, overflowAffinitiesOf } from '../affinityGroups.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { rejectAll, type Filter, type FilterContext } from './filter.ts';

const CLUSTER_AFFINITY_REASON = 'cluster(s) did not match the placement cluster affinity constraint';

/** The affinities in force must select a cluster. */
export const clusterAffinity: Filter = {
  plugin: 'ClusterAffinity',
  spares: 'none',
  demands: (spec, status, context) => [rejectAll(CLUSTER_AFFINITY_REASON, inForce(spec, status, context))],
  evidence: clusterAffinityEvidence,
};

/** Inputs of the filter besides the binding and the cluster. */
type AffinityContext = Pick<FilterContext, 'affinities' | 'rules'>;

/**
 * Whether the ClusterAffinity filter accepts a cluster for a binding: one that placement.clusterAffinity selects, else
 * the observed affinity term (for workloads, with its overflow terms). Without a clusterAffinity and a term with that
 * name, every cluster passes.
 */
export function bindingAffinityMatches(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  context: AffinityContext,
): boolean {
  return inForce(spec, status, context).matches(cluster);
}

function inForce(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  { affinities, rules }: AffinityContext,
): Demand {
  const all = affinitiesInForce(spec, status, rules);
  const [first] = all;
  return {
    matches: (cluster) =>
      first === undefined || all.some((affinity) => affinities.matches(cluster, affinity)),
    keep(set, columns) {
      if (first === undefined) return;
      if (all.length === 1) return affinities.keep(set, columns, first);
      const before = set.slice();
      set.fill(0);
      for (const affinity of all) {
        const matching = before.slice();
        affinities.keep(matching, columns, affinity);
        addClusters(set, matching);
      }
    },
  };
}

function affinitiesInForce(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  rules: SchedulingRules,
): ClusterAffinity[] {
  const placement = spec.placement;
  if (placement?.clusterAffinity) return [placement.clusterAffinity];
  const term = placement?.clusterAffinities?.[observedAffinity(placement, status)];
  if (!term) return [];
  return isWorkload(spec) ? [term, ...overflowAffinitiesOf(term, rules)] : [term];
}

/** The parts of the affinities in force that do not select the cluster. */
function clusterAffinityEvidence(
  { placement = {}, ...spec }: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  { rules }: Pick<FilterContext, 'rules'>,
): Evidence[] {
  if (placement.clusterAffinity)
    return affinityMismatches(cluster, placement.clusterAffinity, 'spec.placement.clusterAffinity', rules);
  const index = observedAffinity(placement, status);
  const term = placement.clusterAffinities?.[index];
  if (!term) return [];
  const field = `spec.placement.clusterAffinities[${index}]`;
  const overflow = isWorkload(spec) ? overflowAffinitiesOf(term, rules) : [];
  return [
    ...affinityMismatches(cluster, term, field, rules),
    ...overflow.flatMap((one, at) =>
      affinityMismatches(cluster, one, `${field}.overflowAffinities[${at}]`, rules),
    ),
  ];
}

/** Longer lists of names are omitted from the evidence of each cluster. */
const LONG_LIST = 50;

/**
 * All parts of an affinity that do not match a cluster; empty exactly if it selects the cluster.
 *
 * @param path the affinity's path, which the evidence extends
 */
export function affinityMismatches(
  cluster: Cluster,
  affinity: ClusterAffinity,
  path: string,
  rules: AffinityRules,
): Evidence[] {
  const { clusterNames, exclude, labelSelector, fieldSelector } = affinity;
  const { labels = {} } = cluster.metadata;
  const evidence: Evidence[] = [];
  const ask = (field: string, value: unknown, part: ClusterAffinity, rule: () => string) => {
    if (clusterMatches(cluster, part, rules)) return;
    const long = Array.isArray(value) && value.length > LONG_LIST;
    evidence.push({ rule: rule(), field: `${path}.${field}`, ...(long ? {} : { value }) });
  };
  if (clusterNames) ask('clusterNames', clusterNames, { clusterNames }, () => 'not named in clusterNames');
  if (exclude) ask('exclude', exclude, { exclude }, () => 'named in exclude');
  if (labelSelector)
    ask('labelSelector', labelSelector, { labelSelector }, () => {
      const keys = [
        ...Object.keys(labelSelector.matchLabels ?? {}),
        ...(labelSelector.matchExpressions ?? []).map(({ key }) => key),
      ];
      const seen = keys.map((key) => (labels[key] === undefined ? `no ${key}` : `${key}=${labels[key]}`));
      return `labels do not match: ${seen.join(', ')}`;
    });
  for (const [index, requirement] of (fieldSelector?.matchExpressions ?? []).entries())
    ask(
      `fieldSelector.matchExpressions[${index}]`,
      requirement,
      { fieldSelector: { matchExpressions: [requirement] } },
      () => {
        const { key, operator, values = [] } = requirement;
        const all = key === 'zone' && operator === 'In' && rules.zoneIn === 'allZones';
        const wanted = `${operator} [${values.join(' ')}]${all ? ' for every zone' : ''}`;
        return `${key} is ${fieldOf(cluster, key) || 'not set'}, required ${wanted}`;
      },
    );
  return evidence;
}

function fieldOf({ spec }: Cluster, key: string): string | undefined {
  if (key === 'zone') return spec?.zones?.join(',');
  return key === 'region' ? spec?.region : key === 'provider' ? spec?.provider : undefined;
}
