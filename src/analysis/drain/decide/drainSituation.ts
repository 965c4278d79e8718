import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { WorkloadGroups } from '../../../karmada/scheduling/workloadGroups.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS } from '../../../karmada/api/names.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { createClusterSnapshot, type ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../karmada/scheduling/schedulerOptions.ts';
import { drainMarkOf, isCordoned } from '../cordon.ts';
import { paceOf } from './currentPace.ts';
import { DRAIN_ANNOTATION, type DrainMark, type DrainOptions } from '../drainOptions.ts';
import type { CurrentPace } from './drainStep.ts';
import { drainOrder, type DrainOrder } from './drainOrder.ts';
import { compileSelection, type CompiledSelection } from './selects.ts';
import { zip } from '../../../kubernetes/nonEmpty.ts';

/** The facts for judging all bindings; recomputed when a cluster changes. */
export interface DrainSituation {
  /** the clusters of this drain */
  readonly own: ReadonlySet<string>;
  /** clusters of other drains in progress */
  readonly others: ReadonlyMap<string, OtherDrain>;
  /** the workloads of this drain */
  readonly selection: CompiledSelection;
  readonly order: DrainOrder;
  readonly clusters: ClustersByName;
  /** the same object until a deciding field changes */
  readonly snapshot: ClusterSnapshot;
  readonly pace: CurrentPace;
}

/** All clusters of a view, found by name. */
export type ClustersByName = Pick<ReadonlyMap<string, Cluster>, 'get' | 'values'>;

interface OtherDrain {
  mark: DrainMark;
  selection: CompiledSelection;
}

/** A situation with its inputs: the next one reuses unchanged parts. */
export interface KnownSituation extends DrainSituation {
  list: readonly Cluster[];
  /** the index of each cluster in the list, by name */
  places: ReadonlyMap<string, number>;
  workloads: WorkloadGroups;
  configuration: Configuration;
  options: DrainOptions;
}

/**
 * The present situation. An irrelevant change of a cluster, such as a heartbeat, costs one pass over the clusters; only
 * the parts that a change affects are recomputed.
 *
 * @param known the last situation of the same drain
 */
export function drainSituation(
  { fleet: { clusters, workloads } }: Pick<View, 'fleet'>,
  options: DrainOptions,
  configuration: Configuration,
  known?: KnownSituation,
): KnownSituation {
  const before = known?.options === options ? known : undefined;
  const sameWorkloads = before?.workloads === workloads || !configuration.featureGates.WorkloadAffinity;
  if (before?.list === clusters && before.configuration === configuration && sameWorkloads) return before;
  const own = before?.own ?? new Set(options.clusters);
  const changes = before?.configuration === configuration ? changesSince(before, clusters) : undefined;
  const marksStay = before !== undefined && changes?.marks === false;
  const others = marksStay ? before.others : otherDrains(clusters, own);
  const places = (changes && before?.places) ?? placesIn(clusters);
  return {
    own,
    others,
    selection: before?.selection ?? compileSelection(options.selection),
    order: before?.order ?? drainOrder(own),
    clusters: byName(clusters, places),
    snapshot: snapshotOf(
      clusters,
      workloads,
      configuration,
      changes && before && { ...changes, snapshot: before.snapshot },
    ),
    pace: marksStay ? before.pace : paceOf(clusters, options, configuration),
    list: clusters,
    places,
    workloads,
    configuration,
    options,
  };
}

/** What has changed, if the clusters are the same. */
interface ClusterChanges {
  /** those with a changed deciding field */
  decisive: Cluster[];
  /** drain marks, taints or health changed: they set the pace and show other drains */
  marks: boolean;
}

/** The changes since a situation; undefined if the clusters or their order changed. */
function changesSince({ list }: KnownSituation, clusters: readonly Cluster[]): ClusterChanges | undefined {
  if (list.length !== clusters.length) return undefined;
  const changes: ClusterChanges = { decisive: [], marks: false };
  for (const [known, cluster] of zip(list, clusters)) {
    if (known === cluster) continue;
    if (known.metadata.name !== cluster.metadata.name) return undefined;
    if (deepEqual(decisiveParts(known), decisiveParts(cluster))) continue;
    changes.decisive.push(cluster);
    changes.marks ||= !deepEqual(marksOf(known), marksOf(cluster));
  }
  return changes;
}

function placesIn(clusters: readonly Cluster[]): ReadonlyMap<string, number> {
  return new Map(clusters.map(({ metadata }, at) => [metadata.name, at]));
}

function byName(clusters: readonly Cluster[], places: ReadonlyMap<string, number>): ClustersByName {
  return {
    get: (name) => {
      const at = places.get(name);
      return at === undefined ? undefined : clusters[at];
    },
    values: () => clusters.values(),
  };
}

/** The clusters that other drains than this one drain. */
function otherDrains(clusters: readonly Cluster[], own: ReadonlySet<string>): Map<string, OtherDrain> {
  const others = new Map<string, OtherDrain>();
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const mark = own.has(name) || !isCordoned(cluster) ? undefined : drainMarkOf(cluster);
    if (mark) others.set(name, { mark, selection: compileSelection(mark.selection) });
  }
  return others;
}

/** The clusters that the binding should leave: this drain's, and those of other drains that select it. */
export function clustersToLeave(
  { own, others }: DrainSituation,
  binding: ResourceBinding,
  template: Pick<KubernetesObject, 'metadata'> | undefined,
): string[] {
  const targets = (binding.spec.clusters ?? []).map(({ name }) => name);
  return targets.filter(
    (name) => own.has(name) || (others.get(name)?.selection.selects(binding, template) ?? false),
  );
}

function snapshotOf(
  clusters: readonly Cluster[],
  workloads: WorkloadGroups,
  configuration: Configuration,
  before: (ClusterChanges & Pick<KnownSituation, 'snapshot'>) | undefined,
): ClusterSnapshot {
  const grouped = configuration.featureGates.WorkloadAffinity;
  if (before) {
    const { decisive } = before;
    const snapshot = decisive.length === 0 ? before.snapshot : before.snapshot.with(...decisive);
    return grouped ? snapshot.fork(workloads) : snapshot;
  }
  return createClusterSnapshot(clusters, schedulerOptions(configuration), grouped ? workloads : undefined);
}

/** The fields of a Cluster that show a drain or a failure. */
function marksOf(cluster: Cluster): unknown[] {
  return [cluster.spec, cluster.metadata.annotations?.[DRAIN_ANNOTATION], isStale(cluster)];
}

/** The fields of a Cluster that decide; a heartbeat changes none of them. */
function decisiveParts(cluster: Cluster): unknown[] {
  const { metadata, spec, status } = cluster;
  return [
    spec,
    metadata.labels,
    metadata.annotations?.[DRAIN_ANNOTATION],
    metadata.deletionTimestamp,
    isStale(cluster),
    status?.apiEnablements,
    conditionOf(status?.conditions, CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS)?.status,
    status?.resourceSummary,
  ];
}
