import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterAffinity, FieldSelector } from '../../karmada/api/policy.ts';
import { compileLabelSelector, labelRequirement } from '../../kubernetes/labelSelector.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../kubernetes/labelSelector.ts';
import type { Evidence } from '../evidence.ts';

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
  const parts = affinityParts(affinity).map(({ matches }) => matches);
  return (cluster) => {
    for (const matches of parts) if (!matches(cluster)) return false;
    return true;
  };
}

/**
 * Everything in an affinity that speaks against a cluster; none exactly where it selects the cluster.
 *
 * @param field path of the affinity, to which the evidence adds
 */
export function affinityMismatches(cluster: Cluster, affinity: ClusterAffinity, field: string): Evidence[] {
  return affinityParts(affinity)
    .filter(({ matches }) => !matches(cluster))
    .map(({ name, value, mismatch }) => ({ rule: mismatch(cluster), field: `${field}.${name}`, value }));
}

/** One of the parts of an affinity that must all hold. */
interface AffinityPart {
  /** the field, below the affinity */
  name: string;
  value: unknown;
  matches: ClusterMatcher;
  /** why a cluster does not match, in words */
  mismatch(cluster: Cluster): string;
}

function affinityParts({
  exclude,
  clusterNames,
  labelSelector,
  fieldSelector,
}: ClusterAffinity): AffinityPart[] {
  const parts: AffinityPart[] = [];
  if (exclude?.length) {
    const excluded = new Set(exclude);
    parts.push({
      name: 'exclude',
      value: exclude,
      matches: (cluster) => !excluded.has(cluster.metadata.name),
      mismatch: () => 'named in exclude',
    });
  }
  if (clusterNames?.length) {
    const names = new Set(clusterNames);
    parts.push({
      name: 'clusterNames',
      value: clusterNames,
      matches: (cluster) => names.has(cluster.metadata.name),
      mismatch: () => 'not named in clusterNames',
    });
  }
  if (labelSelector) parts.push(labelPart(labelSelector));
  parts.push(...fieldParts(fieldSelector));
  return parts;
}

function labelPart(labelSelector: LabelSelector): AffinityPart {
  const matches = compileLabelSelector(labelSelector);
  const keys = [
    ...Object.keys(labelSelector.matchLabels ?? {}),
    ...(labelSelector.matchExpressions ?? []).map(({ key }) => key),
  ];
  return {
    name: 'labelSelector',
    value: labelSelector,
    matches: matches ? (cluster) => matches(cluster.metadata.labels) : nothing,
    mismatch({ metadata: { labels } }) {
      if (!matches) return 'labelSelector is malformed and selects nothing';
      const seen = keys.map((key) => (labels?.[key] === undefined ? `no ${key}` : `${key}=${labels[key]}`));
      return `labels do not match: ${seen.join(', ')}`;
    },
  };
}

/** A malformed requirement selects nothing, whatever the others say. */
function fieldParts(selector: FieldSelector | undefined): AffinityPart[] {
  return (selector?.matchExpressions ?? []).map((requirement, index): AffinityPart => {
    const { key, operator } = requirement;
    const matches = key === 'zone' ? zoneMatcher(requirement) : fieldMatcher(requirement);
    return {
      name: `fieldSelector.matchExpressions[${index}]`,
      value: requirement,
      matches: matches ?? nothing,
      mismatch(cluster) {
        if (!matches) return 'fieldSelector is malformed and selects nothing';
        const seen = key === 'zone' ? (cluster.spec?.zones ?? []).join(',') : fieldsOf(cluster)[key];
        return `${key} is ${seen || 'not set'}, wanted ${operator} [${(requirement.values ?? []).join(' ')}]`;
      },
    };
  });
}

function fieldMatcher(requirement: LabelSelectorRequirement): ClusterMatcher | undefined {
  const matches = labelRequirement(requirement);
  return matches && ((cluster) => matches(fieldsOf(cluster)));
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
