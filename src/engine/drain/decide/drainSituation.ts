import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS } from '../../../karmada/names.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { createPlacementReader, type appliedPlacement } from '../../objects/appliedPlacement.ts';
import { isStale } from '../../objects/clusterReadiness.ts';
import { createClusterSnapshot, schedulerOptions, type ClusterSnapshot } from '../../scheduling/scheduler.ts';
import { drainMarkOf, isCordoned } from '../cordon.ts';
import { paceOf } from './currentPace.ts';
import { DRAIN_ANNOTATION, type DrainMark, type DrainOptions } from '../drainOptions.ts';
import type { CurrentPace } from './drainStep.ts';
import type { DrainView } from './drainView.ts';
import { drainOrder, type DrainOrder } from './drainOrder.ts';
import { compileSelection, type CompiledSelection } from './selects.ts';

/** What all bindings are judged by; computed once until a cluster changes. */
export interface DrainSituation {
  /** the clusters of this drain */
  readonly own: ReadonlySet<string>;
  /** clusters that other drains drain meanwhile */
  readonly others: ReadonlyMap<string, OtherDrain>;
  /** those of them whose drains hold what they evict */
  readonly heldByOthers: ReadonlySet<string>;
  /** the workloads of this drain */
  readonly selection: CompiledSelection;
  readonly order: DrainOrder;
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** the same object until something decisive changes */
  readonly snapshot: ClusterSnapshot;
  readonly pace: CurrentPace;
  readonly applied: typeof appliedPlacement;
}

interface OtherDrain {
  mark: DrainMark;
  selection: CompiledSelection;
}

/** A situation with its inputs: the next one reuses what has not changed. */
export interface KnownSituation extends DrainSituation {
  list: readonly Cluster[];
  workloads: DrainView['workloads'];
  configuration: Configuration;
  options: DrainOptions;
}

/** @param known the last situation of the same drain */
export function drainSituation(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  known?: KnownSituation,
): KnownSituation {
  const before = known?.options === options ? known : undefined;
  const sameWorkloads = before?.workloads === view.workloads || !configuration.featureGates.WorkloadAffinity;
  if (before?.list === view.clusters && before.configuration === configuration && sameWorkloads)
    return before;
  const own = before?.own ?? new Set(options.clusters);
  const others = otherDrains(view, own);
  const situation: KnownSituation = {
    own,
    others,
    heldByOthers: new Set([...others].flatMap(([cluster, { mark }]) => (mark.hold ? [cluster] : []))),
    selection: before?.selection ?? compileSelection(options.selection),
    order: before?.order ?? drainOrder(own),
    clusters: new Map(view.clusters.map((cluster) => [cluster.metadata.name, cluster])),
    snapshot: snapshotOf(view, configuration, before),
    pace: paceOf(view.clusters, options, configuration),
    applied: before?.applied ?? createPlacementReader(),
    list: view.clusters,
    workloads: view.workloads,
    configuration,
    options,
  };
  return situation;
}

/** The clusters that other drains drain, with these. */
function otherDrains({ clusters }: DrainView, own: ReadonlySet<string>): Map<string, OtherDrain> {
  const others = new Map<string, OtherDrain>();
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const mark = own.has(name) || !isCordoned(cluster) ? undefined : drainMarkOf(cluster);
    if (mark) others.set(name, { mark, selection: compileSelection(mark.selection) });
  }
  return others;
}

/** The clusters that the binding is to leave: this drain's, and those of other drains that select it, too. */
export function clustersToLeave(
  { own, others }: DrainSituation,
  binding: ResourceBinding,
  view: Pick<DrainView, 'templateOf'>,
): string[] {
  const targets = (binding.spec.clusters ?? []).map(({ name }) => name);
  return targets.filter(
    (name) =>
      own.has(name) || (others.get(name)?.selection.selects(binding, view.templateOf(binding)) ?? false),
  );
}

function snapshotOf(
  { clusters, workloads }: DrainView,
  configuration: Configuration,
  before: KnownSituation | undefined,
): ClusterSnapshot {
  const grouped = configuration.featureGates.WorkloadAffinity;
  if (before && before.configuration === configuration) {
    const same = clusters.length === before.clusters.size;
    if (same && clusters.every(({ metadata }) => before.clusters.has(metadata.name))) {
      const changed = clusters.filter((cluster) => {
        const known = before.clusters.get(cluster.metadata.name)!;
        return known !== cluster && !deepEqual(decisiveParts(known), decisiveParts(cluster));
      });
      const snapshot = changed.length === 0 ? before.snapshot : before.snapshot.with(...changed);
      return grouped ? snapshot.fork(workloads) : snapshot;
    }
  }
  return createClusterSnapshot(clusters, schedulerOptions(configuration), grouped ? workloads : undefined);
}

/** The parts of a Cluster that decide; a heartbeat changes none of them. */
function decisiveParts(cluster: Cluster): unknown[] {
  const { metadata, spec, status } = cluster;
  return [
    spec,
    metadata.labels,
    metadata.annotations?.[DRAIN_ANNOTATION],
    metadata.deletionTimestamp,
    isStale(cluster),
    status?.apiEnablements,
    status?.conditions?.find(({ type }) => type === CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS)?.status,
    status?.resourceSummary,
  ];
}
