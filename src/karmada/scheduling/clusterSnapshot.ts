import { labelValue } from '../../kubernetes/labelSelector.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { getOrAdd } from '../objects/getOrAdd.ts';
import { createAffinities, providerOf, regionOf, zonesOf } from '../selection/clusterAffinity.ts';
import { type ClusterSet, type Column, addCluster, columnOf, noClusters } from '../selection/clusterSet.ts';
import {
  type FleetCapacity,
  changeFleetCapacity,
  compileFleetCapacity,
  forkFleetCapacity,
} from './capacity/fleetCapacity.ts';
import { listsAllApis, listsApi } from './filters/apiEnablement.ts';
import type { FilterColumns } from './filters/filter.ts';
import { filtersOf } from './filters/filters.ts';
import { type AppliedPlacements, createAppliedPlacements } from './placementChanged.ts';
import { type SchedulerOptions, schedulerOptions } from './schedulerOptions.ts';
import { type WorkloadGroups, noWorkloadGroups, workloadGroups } from './workloadGroups.ts';

/**
 * All clusters at one instant, in name order, compiled for scheduling many bindings: clusters are grouped once by each
 * property that filters use, so a binding is checked against a few values instead of hundreds of clusters. Clusters are
 * given by index here.
 */
export interface ClusterSnapshot extends FilterColumns {
  readonly clusters: readonly Cluster[];
  readonly names: readonly string[];
  readonly options: SchedulerOptions;
  readonly placements: AppliedPlacements;
  readonly fleet: FleetCapacity;
  /** the index of the cluster that `without` left out */
  readonly absent: number | undefined;
  /** clusters to filter: all, or all that are not being deleted if the version skips those */
  candidates(): ClusterSet;
  /** clusters whose API list may be incomplete */
  incompleteLists(): ClusterSet;
  /** The snapshot after clusters have changed; it shares everything that does not depend on the change. */
  with(...changed: Cluster[]): ClusterSnapshot;
  /** The snapshot as if this cluster did not exist; it shares all computed data. */
  without(name: string): ClusterSnapshot;
  /** The snapshot for another simulation, with its own groups; forks share computed data. */
  fork(workloads?: WorkloadGroups): ClusterSnapshot;
}

declare module '../controllers/view.ts' {
  interface View {
    /** the clusters as the scheduler sees them, with the current workload affinity groups */
    readonly fleet: ClusterSnapshot;
  }
}

/** Compiles a snapshot. Throws InvalidQuantity for malformed quantities. */
export function createClusterSnapshot(
  clusters: readonly Cluster[],
  options: SchedulerOptions,
  workloads: WorkloadGroups = noWorkloadGroups,
): ClusterSnapshot {
  const sorted = clusters.toSorted((a, b) => compareUtf8(a.metadata.name, b.metadata.name));
  const names = sorted.map(({ metadata }) => metadata.name);
  return compile({
    clusters: sorted,
    options,
    filters: filtersOf(options),
    affinities: createAffinities(options.rules),
    placements: createAppliedPlacements(),
    workloads,
    names,
    index: new Map(names.map((name, at) => [name, at])),
    fleet: compileFleetCapacity(sorted, options),
    columns: sources.map(() => new Map()),
    absent: undefined,
  });
}

interface Parts extends Pick<
  ClusterSnapshot,
  | 'clusters'
  | 'options'
  | 'filters'
  | 'affinities'
  | 'placements'
  | 'workloads'
  | 'names'
  | 'index'
  | 'fleet'
  | 'absent'
> {
  /** for each of the `sources`: the columns computed so far, by name */
  columns: Map<string, unknown>[];
}

/** The parts of a Cluster that columns depend on: a column is valid until its part changes in some cluster. */
const sources: readonly ((cluster: Cluster) => unknown)[] = [
  ({ metadata }) => metadata.labels,
  ({ spec }) => spec?.provider,
  ({ spec }) => spec?.region,
  ({ spec }) => spec?.zones,
  ({ spec }) => spec?.taints,
  ({ status }) => status?.apiEnablements,
  ({ metadata }) => metadata.deletionTimestamp,
  ({ status }) => status?.conditions,
];

function compile(parts: Parts): ClusterSnapshot {
  const { clusters, options, workloads, names, index, fleet, columns, absent } = parts;
  const skipsDeleting = options.rules.deletingClusters === 'skipped';
  const [labels, providers, regions, zones, taints, apis, deletions, conditions] = columns as [
    Map<string, Column<string | undefined>>,
    Map<string, Column<string | undefined>>,
    Map<string, Column<string | undefined>>,
    Map<string, Column<readonly string[]>>,
    Map<string, Column<readonly Taint[]>>,
    Map<string, ClusterSet>,
    Map<string, ClusterSet>,
    Map<string, ClusterSet>,
  ];
  return {
    clusters,
    names,
    index,
    options,
    rules: options.rules,
    filters: parts.filters,
    affinities: parts.affinities,
    placements: parts.placements,
    workloads,
    fleet,
    absent,
    candidates: () =>
      getOrAdd(deletions, `${absent}`, () =>
        where(
          clusters,
          ({ metadata }, at) => at !== absent && !(skipsDeleting && metadata.deletionTimestamp),
        ),
      ),
    label: (key) =>
      getOrAdd(labels, key, () => columnOf(clusters, ({ metadata }) => labelValue(metadata.labels, key))),
    provider: () => getOrAdd(providers, '', () => columnOf(clusters, providerOf)),
    region: () => getOrAdd(regions, '', () => columnOf(clusters, regionOf)),
    zones: () => getOrAdd(zones, '', () => columnOf(clusters, zonesOf, textOf)),
    taints: () => getOrAdd(taints, '', () => columnOf(clusters, taintsOf, textOfTaints)),
    listing: (apiVersion, kind) =>
      getOrAdd(apis, `${apiVersion} ${kind}`, () =>
        where(clusters, (cluster) => listsApi(cluster, apiVersion, kind)),
      ),
    incompleteLists: () =>
      getOrAdd(conditions, '', () => where(clusters, (cluster) => !listsAllApis(cluster))),
    with(...changed) {
      if (changed.some(({ metadata }) => !index.has(metadata.name))) {
        const others = clusters.filter(
          ({ metadata }, at) => at !== absent && !changed.some((one) => one.metadata.name === metadata.name),
        );
        return createClusterSnapshot([...others, ...changed], options, workloads);
      }
      const changes = changed.map((cluster) => [index.get(cluster.metadata.name)!, cluster] as const);
      const next = [...clusters];
      for (const [at, cluster] of changes) next[at] = cluster;
      const stays = (source: (cluster: Cluster) => unknown) =>
        changes.every(([at, cluster]) => source(cluster) === source(clusters[at]!));
      return compile({
        ...parts,
        clusters: next,
        fleet: changeFleetCapacity(fleet, changes, options),
        columns: sources.map((source, at) => (stays(source) ? columns[at]! : new Map())),
      });
    },
    without: (name) => compile({ ...parts, absent: index.get(name) }),
    fork: (workloads = parts.workloads) => compile({ ...parts, workloads, fleet: forkFleetCapacity(fleet) }),
  };
}

function where(clusters: readonly Cluster[], holds: (cluster: Cluster, at: number) => boolean): ClusterSet {
  const set = noClusters(clusters.length);
  clusters.forEach((cluster, at) => {
    if (holds(cluster, at)) addCluster(set, at);
  });
  return set;
}

function taintsOf({ spec }: Cluster): readonly Taint[] {
  return spec?.taints ?? [];
}

function textOf(values: readonly string[]): string {
  return values.length === 0 ? '' : JSON.stringify(values);
}

/** The parts of taints that decide whether a toleration matches. */
function textOfTaints(taints: readonly Taint[]): string {
  return taints.length === 0
    ? ''
    : JSON.stringify(taints.map(({ key, value = '', effect }) => [key, value, effect]));
}

/**
 * The clusters as karmada-scheduler sees them in this configuration. Throws InvalidQuantity for malformed quantities in
 * clusters.
 *
 * @param bindings all bindings: with workload affinity, the clusters of other bindings matter too
 */
export function schedulerSnapshot(
  clusters: readonly Cluster[],
  bindings: ResourceBinding[],
  configuration: Configuration,
): ClusterSnapshot {
  const groups = configuration.featureGates.WorkloadAffinity ? workloadGroups(bindings) : undefined;
  return createClusterSnapshot([...clusters], schedulerOptions(configuration), groups);
}
