import {
  type LabelRequirement,
  labelValue,
  parseLabelRequirement,
  parseLabelSelector,
} from '../../kubernetes/labelSelector.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { LabelSelectorRequirement } from '../../kubernetes/schema/meta.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ClusterAffinity } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import type { ClusterFacts } from '../objects/placement.ts';
import {
  type ClusterColumns,
  type ClusterSet,
  type Column,
  addCluster,
  keepAccepted,
  keepCommon,
  noClusters,
  removeCluster,
} from './clusterSet.ts';

/** A requirement for clusters, for one or all at once. */
export interface Demand<Columns = ClusterColumns> {
  matches(cluster: Cluster): boolean;
  /** Keeps in `set` the clusters that match. */
  keep(set: ClusterSet, columns: Columns): void;
}

const everything: Demand = { matches: () => true, keep: () => undefined };
const nothing: Demand = { matches: () => false, keep: (set) => void set.fill(0) };

/** The differences between versions for affinities. */
export type AffinityRules = Pick<Rules['scheduling'], 'zoneIn'>;

/** Affinities, each compiled once for many clusters. */
export interface Affinities {
  /** `clusterMatches` */
  matches(cluster: Cluster, affinity: ClusterAffinity): boolean;
  /** The same for all clusters at once: keeps those in `set` that the affinity selects. */
  keep(set: ClusterSet, columns: ClusterColumns, affinity: ClusterAffinity): void;
}

/**
 * Caches compiled affinities, as long as both this cache and the affinity live. An affinity is never changed in place.
 */
export function createAffinities(rules: AffinityRules): Affinities {
  const compiled = new WeakMap<ClusterAffinity, readonly Demand[]>();
  const demandsOf = (affinity: ClusterAffinity) => {
    let demands = compiled.get(affinity);
    if (!demands) compiled.set(affinity, (demands = compile(affinity, rules)));
    return demands;
  };
  return {
    matches(cluster, affinity) {
      for (const demand of demandsOf(affinity)) if (!demand.matches(cluster)) return false;
      return true;
    },
    keep(set, columns, affinity) {
      for (const demand of demandsOf(affinity)) demand.keep(set, columns);
    },
  };
}

/**
 * Whether an affinity selects a cluster; all its parts must hold, an empty one selects all clusters. Excluded names
 * override everything else; a selector that Kubernetes refuses (malformed key or value, unknown operator) selects
 * nothing. Mirrors ClusterMatches in pkg/util of Karmada.
 */
export function clusterMatches(cluster: Cluster, affinity: ClusterAffinity, rules: AffinityRules): boolean {
  return compile(affinity, rules).every((demand) => demand.matches(cluster));
}

function compile(
  { clusterNames, exclude, labelSelector, fieldSelector }: ClusterAffinity,
  rules: AffinityRules,
): Demand[] {
  const demands: Demand[] = [];
  if (clusterNames?.length) demands.push(clusterNamesDemand(clusterNames));
  if (exclude?.length) demands.push(notNamed(exclude));
  if (labelSelector) {
    const requirements = parseLabelSelector(labelSelector);
    if (!requirements) return [nothing];
    for (const requirement of requirements) demands.push(onLabel(requirement));
  }
  for (const requirement of fieldSelector?.matchExpressions ?? []) {
    const demand = onField(requirement, rules);
    if (!demand) return [nothing];
    demands.push(demand);
  }
  return demands;
}

/** The clusters with one of these names. */
export function clusterNamesDemand(names: readonly string[]): Demand {
  let known: Set<string> | undefined;
  return {
    matches: ({ metadata }) => (known ??= new Set(names)).has(metadata.name),
    keep(set, { index }) {
      const listed = noClusters(index.size);
      for (const name of names) {
        const at = index.get(name);
        if (at !== undefined) addCluster(listed, at);
      }
      keepCommon(set, listed);
    },
  };
}

/** The clusters without any of these names. */
export function notNamed(names: readonly string[]): Demand {
  let known: Set<string> | undefined;
  return {
    matches: ({ metadata }) => !(known ??= new Set(names)).has(metadata.name),
    keep(set, { index }) {
      for (const name of names) {
        const at = index.get(name);
        if (at !== undefined) removeCluster(set, at);
      }
    },
  };
}

/** A requirement for one property: for a cluster's own value, or for each existing value. */
export function propertyDemand<V, Columns = ClusterColumns>(
  valueOf: (cluster: Cluster) => V,
  columnOf: (columns: Columns) => Column<V>,
  accepts: (value: V) => boolean,
): Demand<Columns> {
  return {
    matches: (cluster) => accepts(valueOf(cluster)),
    keep: (set, columns) => keepAccepted(set, columnOf(columns), accepts),
  };
}

function onLabel({ key, accepts }: LabelRequirement): Demand {
  return propertyDemand(
    ({ metadata }) => labelValue(metadata.labels, key),
    (columns) => columns.label(key),
    accepts,
  );
}

/** The fields that a selector can require; undefined for a malformed requirement. */
function onField(requirement: LabelSelectorRequirement, rules: AffinityRules): Demand | undefined {
  if (requirement.key === 'zone') return onZones(requirement, rules);
  const parsed = parseLabelRequirement(requirement);
  if (!parsed) return undefined;
  switch (parsed.key) {
    case 'provider':
      return propertyDemand(providerOf, (columns) => columns.provider(), parsed.accepts);
    case 'region':
      return propertyDemand(regionOf, (columns) => columns.region(), parsed.accepts);
    default:
      return parsed.accepts(undefined) ? everything : nothing;
  }
}

/**
 * A cluster may span several zones: the version decides whether In requires one or all of them to be listed; NotIn
 * requires that none is. Values are not validated, and an unknown operator matches no cluster. The deprecated
 * `spec.zone` is ignored.
 */
function onZones({ operator, values }: LabelSelectorRequirement, { zoneIn }: AffinityRules): Demand {
  const wanted = values ?? [];
  const demand = (accepts: (zones: readonly string[]) => boolean) =>
    propertyDemand(zonesOf, (columns) => columns.zones(), accepts);
  switch (operator) {
    case 'In':
      return zoneIn === 'anyZone'
        ? demand((zones) => zones.some((zone) => wanted.includes(zone)))
        : demand((zones) => zones.length > 0 && zones.every((zone) => wanted.includes(zone)));
    case 'NotIn':
      return demand((zones) => !zones.some((zone) => wanted.includes(zone)));
    case 'Exists':
      return demand((zones) => zones.length > 0);
    case 'DoesNotExist':
      return demand((zones) => zones.length === 0);
    default:
      return nothing;
  }
}

/** An empty provider counts as absent, like an empty region. */
export function providerOf({ spec }: Cluster): string | undefined {
  return spec?.provider || undefined;
}

/** The region of a cluster, if it has one. */
export function regionOf({ spec }: Cluster): string | undefined {
  return spec?.region || undefined;
}

/** The zones of a cluster. */
export function zonesOf({ spec }: Cluster): readonly string[] {
  return spec?.zones ?? [];
}

/**
 * Answers queries about the clusters of a world by name.
 *
 * @param clusters those of them that may have failed
 */
export function factsOfClusters(
  clusterNamed: (name: string) => Cluster | undefined,
  rules: AffinityRules,
  clusters: Iterable<Cluster>,
): ClusterFacts {
  const affinities = createAffinities(rules);
  return {
    isSelected(affinity, name) {
      const cluster = clusterNamed(name);
      return cluster === undefined || affinities.matches(cluster, affinity);
    },
    regionOf: (name) => clusterNamed(name)?.spec?.region,
    notReady: lazily(() =>
      [...clusters].flatMap((cluster) => (isReady(cluster) ? [] : cluster.metadata.name)),
    ),
  };
}
