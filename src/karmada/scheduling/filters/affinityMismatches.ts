import type { Cluster } from '../../api/cluster.ts';
import type { ClusterAffinity } from '../../api/policy.ts';
import type { Evidence } from '../../evidence.ts';
import { clusterMatches, type AffinityRules } from '../../selection/clusterAffinity.ts';

/** The evidence does not repeat a longer list of names for each cluster. */
const LONG_LIST = 50;

/**
 * All parts of an affinity that do not match a cluster; empty exactly if it selects the cluster.
 *
 * @param path the affinity's path, to which the evidence appends
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
        return `${key} is ${fieldOf(cluster, key) || 'not set'}, wanted ${wanted}`;
      },
    );
  return evidence;
}

function fieldOf({ spec }: Cluster, key: string): string | undefined {
  if (key === 'zone') return spec?.zones?.join(',');
  return key === 'region' ? spec?.region : key === 'provider' ? spec?.provider : undefined;
}
