import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import { CORDON_TAINT, DRAIN_TAINT } from '../../karmada/taints/manualTaints.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { DRAIN_ANNOTATION, type DrainMark, type DrainOptions } from './drainOptions.ts';

/** Whether a cluster is cordoned, by this or another tool. */
export function isCordoned(cluster: Cluster): boolean {
  return hasTaint(cluster, CORDON_TAINT);
}

/** Whether a cluster has the NoExecute taint of a drain by taint. */
export function hasDrainTaint(cluster: Cluster): boolean {
  return hasTaint(cluster, DRAIN_TAINT);
}

/**
 * The cluster as `karmadactl cordon` leaves it, with the mark of a drain if one is given. The same object if nothing
 * changes.
 */
export function cordoned(cluster: Cluster, mark?: DrainMark): Cluster {
  const tainted = isCordoned(cluster) ? cluster : withTaint(cluster, CORDON_TAINT);
  if (!mark) return tainted;
  const text = JSON.stringify(mark);
  if (tainted.metadata.annotations?.[DRAIN_ANNOTATION] === text) return tainted;
  const annotations = { ...tainted.metadata.annotations, [DRAIN_ANNOTATION]: text };
  return { ...tainted, metadata: { ...tainted.metadata, annotations } };
}

/** The cluster with the NoExecute taint of a drain. The API server stamps timeAdded. */
export function drainTainted(cluster: Cluster): Cluster {
  return hasDrainTaint(cluster) ? cluster : withTaint(cluster, DRAIN_TAINT);
}

/**
 * The cluster as `karmadactl uncordon` leaves it, also without the mark and the NoExecute taint of a drain. The same
 * object if there is nothing to remove.
 */
export function uncordoned(cluster: Cluster): Cluster {
  const mark = cluster.metadata.annotations?.[DRAIN_ANNOTATION];
  const before = cluster.spec?.taints ?? [];
  const taints = before.filter((taint) => !sameTaint(taint, CORDON_TAINT) && !sameTaint(taint, DRAIN_TAINT));
  const spec = taints.length === before.length ? cluster.spec : { ...cluster.spec, taints };
  if (mark === undefined) return spec === cluster.spec ? cluster : { ...cluster, ...(spec && { spec }) };
  const { [DRAIN_ANNOTATION]: _mark, ...annotations } = cluster.metadata.annotations!;
  return { ...cluster, metadata: { ...cluster.metadata, annotations }, ...(spec && { spec }) };
}

/** The mark of a drain with these options; `started` is RFC 3339. */
export function markOfDrain(
  { clusters, selection, hold, method }: DrainOptions,
  started: string,
  by?: string,
): DrainMark {
  return {
    started,
    clusters,
    selection,
    hold,
    ...(method === 'taint' ? { method } : {}),
    ...(by === undefined ? {} : { by }),
  };
}

/** Whether a mark belongs to a drain with these options, by any operator. */
export function isMarkOf(mark: DrainMark | undefined, options: DrainOptions): boolean {
  const { clusters, selection, hold, method } = options;
  return (
    mark?.hold === hold &&
    (mark.method ?? 'evict') === method &&
    deepEqual(mark.clusters, clusters) &&
    deepEqual(mark.selection, selection)
  );
}

/** The cluster with another mark. */
export function withMark(cluster: Cluster, mark: DrainMark): Cluster {
  const annotations = { ...cluster.metadata.annotations, [DRAIN_ANNOTATION]: JSON.stringify(mark) };
  return { ...cluster, metadata: { ...cluster.metadata, annotations } };
}

/**
 * The cluster uncordoned and without a drain's taint, but with its mark: only the mark identifies a cancelled drain by
 * taint, since its tasks are Karmada's own. The same object if there is nothing to remove.
 */
export function withoutCordonTaints(cluster: Cluster): Cluster {
  const after = uncordoned(cluster);
  const mark = cluster.metadata.annotations?.[DRAIN_ANNOTATION];
  if (mark === undefined || after === cluster) return after;
  if (after.spec === cluster.spec) return cluster;
  const annotations = { ...after.metadata.annotations, [DRAIN_ANNOTATION]: mark };
  return { ...after, metadata: { ...after.metadata, annotations } };
}

/** The drain's mark on the cluster; undefined if there is none or it is invalid. */
export function drainMarkOf({ metadata }: Cluster): DrainMark | undefined {
  const text = metadata.annotations?.[DRAIN_ANNOTATION];
  return text ? readMark(text) : undefined;
}

function readMark(text: string): DrainMark | undefined {
  try {
    const mark = JSON.parse(text) as Partial<DrainMark> | null;
    if (typeof mark !== 'object' || !mark || !Array.isArray(mark.clusters)) return undefined;
    return {
      started: typeof mark.started === 'string' ? mark.started : '',
      clusters: mark.clusters.filter((name) => typeof name === 'string'),
      selection: typeof mark.selection === 'object' && mark.selection ? mark.selection : {},
      hold: mark.hold !== false,
      ...(mark.method === 'taint' ? { method: mark.method } : {}),
      ...(typeof mark.by === 'string' ? { by: mark.by } : {}),
      ...(Number.isSafeInteger(mark.workloads) && mark.workloads! >= 0 ? { workloads: mark.workloads } : {}),
    };
  } catch {
    return undefined;
  }
}

function hasTaint(cluster: Cluster, taint: Taint): boolean {
  return cluster.spec?.taints?.some((one) => sameTaint(one, taint)) ?? false;
}

function withTaint(cluster: Cluster, taint: Taint): Cluster {
  return { ...cluster, spec: { ...cluster.spec, taints: [...(cluster.spec?.taints ?? []), taint] } };
}
