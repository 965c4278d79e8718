import { rfc3339 } from '../../kubernetes/time.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { Condition } from '../api/meta.ts';
import type {
  AggregatedStatusItem,
  ObjectReference,
  ResourceBindingSpec,
  ResourceHealth,
  Work,
} from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { entitledClusters } from '../eviction/works.ts';
import { type NewCondition, conditionOf, setCondition } from '../objects/conditions.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';

/** A Work's report about its object in the member cluster. */
interface WorkReport {
  cluster: string;
  applied: boolean;
  /** why it is not applied */
  appliedMessage?: string;
  /** raw status of the object; absent until one has been collected */
  status?: unknown;
  health?: ResourceHealth;
}

/**
 * The aggregated status of a binding, rebuilt from the reports of its Works that are not being deleted: sorted by
 * cluster. Without an applied object there is neither status nor health (Karmada v1.18, assembleWorkStatus).
 *
 * Karmada rebuilds it, FullyApplied included, when the status of one of the Works changes or when a Work is gone, but
 * not when one is created or starts to be deleted. So the item of a Work that hangs in deletion does not change until
 * another Work reports something.
 */
export function aggregateStatus(reports: Iterable<WorkReport>): AggregatedStatusItem[] {
  const items = Array.from(reports, aggregatedItem);
  return items.sort((a, b) => compareUtf8(a.clusterName, b.clusterName));
}

/**
 * The aggregated status with each item's history (Application failover mechanism): since when the cluster has reported,
 * and whether the object was ever Healthy there. Both restart if the cluster was gone meanwhile.
 *
 * @param before the aggregated status that it replaces
 * @param now epoch milliseconds
 */
export function withItemHistory(
  items: readonly AggregatedStatusItem[],
  before: readonly AggregatedStatusItem[] = [],
  now: number,
): AggregatedStatusItem[] {
  const known = new Map(before.map((item) => [item.clusterName, item]));
  return items.map((item) => {
    const old = known.get(item.clusterName);
    const settled = old?.settled === true || old?.health === 'Healthy' || item.health === 'Healthy';
    const collected = old?.creationTimestamp ?? (isCollected(item) ? rfc3339(now) : undefined);
    return {
      ...item,
      ...(settled && { settled }),
      ...(collected !== undefined && { creationTimestamp: collected }),
    };
  });
}

/** Whether an item shows more than the existence of its Work. */
function isCollected({ status, health }: AggregatedStatusItem): boolean {
  return status != null || health !== 'Unknown';
}

function aggregatedItem({
  cluster,
  applied,
  appliedMessage,
  status,
  health,
}: WorkReport): AggregatedStatusItem {
  if (!applied) return { clusterName: cluster, ...(appliedMessage && { appliedMessage }), health: 'Unknown' };
  return {
    clusterName: cluster,
    ...(status != null && { status }),
    applied,
    health: health ?? 'Unknown',
  };
}

/**
 * The reports of Works as the API serves them; Works that are being deleted have none. A Work outside an execution
 * namespace, or without the binding's object in it, fails the whole aggregation, with Karmada's text.
 */
export function workReports(
  works: Iterable<Work>,
  resource: ObjectReference,
): { reports: WorkReport[] } | { error: string } {
  const reports: WorkReport[] = [];
  const { group, version } = groupAndVersion(resource.apiVersion);
  for (const work of works) {
    if (work.metadata.deletionTimestamp) continue;
    const ordinal = (work.spec?.workload?.manifests ?? []).findIndex(
      ({ apiVersion, kind, metadata }) =>
        apiVersion === resource.apiVersion &&
        kind === resource.kind &&
        (metadata.namespace ?? '') === (resource.namespace ?? '') &&
        metadata.name === resource.name,
    );
    if (ordinal < 0) return { error: 'no such manifest exist' };
    const cluster = clusterOfWork(work);
    if (cluster === undefined) return { error: 'the execution space name is in wrong format' };
    const manifest = work.status?.manifestStatuses?.find(
      ({ identifier }) =>
        (identifier?.ordinal ?? 0) === ordinal &&
        (identifier?.group ?? '') === group &&
        identifier?.version === version &&
        identifier.kind === resource.kind &&
        (identifier.namespace ?? '') === (resource.namespace ?? '') &&
        identifier.name === resource.name,
    );
    const applied = conditionOf(work.status?.conditions, 'Applied');
    reports.push({
      cluster,
      applied: applied?.status === 'True',
      appliedMessage: applied?.status === 'True' ? undefined : applied?.message,
      status: manifest?.status,
      health: manifest?.health,
    });
  }
  return { reports };
}

function groupAndVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}

/**
 * Whether all Works of the binding are applied: each of its clusters has an item, each item is applied, and there is no
 * other. Clusters with a gracefulEvictionTask count too; false without any cluster.
 */
function isFullyApplied(spec: ResourceBindingSpec, items: AggregatedStatusItem[], rules: Rules): boolean {
  const entitled = entitledClusters(spec, rules);
  if (entitled.size === 0 || entitled.size !== items.length) return false;
  return items.every(({ applied, clusterName }) => applied === true && entitled.has(clusterName));
}

/** The binding's conditions with FullyApplied as of `now` (epoch milliseconds). */
export function withFullyApplied(
  conditions: Condition[] | undefined,
  spec: ResourceBindingSpec,
  items: AggregatedStatusItem[],
  rules: Rules,
  now: number,
): Condition[] {
  const fullyApplied = isFullyApplied(spec, items, rules);
  const stated: NewCondition = {
    type: 'FullyApplied',
    status: fullyApplied ? 'True' : 'False',
    reason: fullyApplied ? 'FullyAppliedSuccess' : 'FullyAppliedFailed',
    message: fullyApplied
      ? 'All works have been successfully applied'
      : 'Failed to apply all works, see status.aggregatedStatus for details',
  };
  return setCondition(conditions, stated, now);
}
