import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterAffinity, FieldSelector } from '../../karmada/api/policy.ts';
import { allOf, compileLabelSelector, labelRequirement } from '../../kubernetes/labelSelector.ts';
import type { LabelMatcher, LabelSelectorRequirement } from '../../kubernetes/labelSelector.ts';

export type ClusterMatcher = (cluster: Cluster) => boolean;

const nothing: ClusterMatcher = () => false;

// An affinity is never changed in place, so the matcher made of it stays right as long as it lives.
const compiled = new WeakMap<ClusterAffinity, ClusterMatcher>();

/** Whether a cluster is selected by an affinity; all its parts must hold, an empty one selects all clusters. */
export function clusterMatches(cluster: Cluster, affinity: ClusterAffinity): boolean {
  return compileClusterAffinity(affinity)(cluster);
}

/**
 * An affinity as a function of clusters, for use over many of them. Excluded names win over everything; a
 * selector that Kubernetes refuses (malformed key or value, unknown operator) selects nothing.
 * Karmada v1.18, ClusterMatches in pkg/util.
 */
export function compileClusterAffinity(affinity: ClusterAffinity): ClusterMatcher {
  let matcher = compiled.get(affinity);
  if (!matcher) compiled.set(affinity, (matcher = compile(affinity)));
  return matcher;
}

function compile(affinity: ClusterAffinity): ClusterMatcher {
  const parts: ClusterMatcher[] = [];
  if (affinity.exclude?.length) {
    const excluded = new Set(affinity.exclude);
    parts.push((cluster) => !excluded.has(cluster.metadata.name));
  }
  if (affinity.clusterNames?.length) {
    const names = new Set(affinity.clusterNames);
    parts.push((cluster) => names.has(cluster.metadata.name));
  }
  if (affinity.labelSelector) {
    const matches = compileLabelSelector(affinity.labelSelector);
    if (!matches) return nothing;
    parts.push((cluster) => matches(cluster.metadata.labels));
  }
  if (affinity.fieldSelector) {
    const fields = compileFieldSelector(affinity.fieldSelector);
    if (!fields) return nothing;
    parts.push(...fields);
  }
  return (cluster) => {
    for (const matches of parts) if (!matches(cluster)) return false;
    return true;
  };
}

/** Undefined when a requirement is malformed: the affinity then selects nothing. */
function compileFieldSelector(selector: FieldSelector): ClusterMatcher[] | undefined {
  const parts: ClusterMatcher[] = [];
  const fields: LabelMatcher[] = [];
  for (const requirement of selector.matchExpressions ?? []) {
    if (requirement.key === 'zone') parts.push(zoneMatcher(requirement));
    else {
      const matches = labelRequirement(requirement);
      if (!matches) return undefined;
      fields.push(matches);
    }
  }
  if (fields.length > 0) {
    const matches = allOf(fields);
    parts.push((cluster) => matches(fieldsOf(cluster)));
  }
  return parts;
}

/** The fields that a selector can ask for, besides zones; an empty field counts as absent. */
function fieldsOf(cluster: Cluster): Record<string, string> {
  const fields: Record<string, string> = {};
  if (cluster.spec?.provider) fields['provider'] = cluster.spec.provider;
  if (cluster.spec?.region) fields['region'] = cluster.spec.region;
  return fields;
}

/**
 * A cluster may span several zones: In asks for one in common, NotIn for none. Values are not validated
 * here, and an unknown operator matches no cluster. The deprecated `spec.zone` is not looked at.
 */
function zoneMatcher(requirement: LabelSelectorRequirement): ClusterMatcher {
  const values = requirement.values ?? [];
  const inCommon = (cluster: Cluster) => cluster.spec?.zones?.some((zone) => values.includes(zone)) ?? false;
  switch (requirement.operator) {
    case 'In':
      return inCommon;
    case 'NotIn':
      return (cluster) => !inCommon(cluster);
    case 'Exists':
      return (cluster) => (cluster.spec?.zones?.length ?? 0) > 0;
    case 'DoesNotExist':
      return (cluster) => (cluster.spec?.zones?.length ?? 0) === 0;
    default:
      return nothing;
  }
}
