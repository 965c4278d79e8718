import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject, Taint } from '../../../karmada/api/meta.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { identityOf } from '../../../karmada/objects/identities.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import type { World } from '../../../karmada/world.ts';
import { isObserved, type ObservedChange } from '../history.ts';
import { isSimulated, outsideBindings, type UnsimulatedChange } from './outsideBindings.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_TERMINATING,
  TAINT_CLUSTER_UNREACHABLE,
} from '../../../karmada/api/names.ts';
import { instant } from '../../../kubernetes/time.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { sameTaint } from '../../../karmada/objects/sameTaint.ts';
import { conditionsMatch } from '../../../karmada/taints/matchConditions.ts';
import { listedTaints } from '../../../karmada/taints/policyFields.ts';
import { isKarmadaTaint } from '../../../karmada/taints/taintSources.ts';
import { CONTROLLER_MANAGER, taintsWriter } from '../taintWriters.ts';

/** User-written kinds that decide placements. */
const WRITTEN = new Set([
  'PropagationPolicy',
  'ClusterPropagationPolicy',
  'ClusterTaintPolicy',
  'WorkloadRebalancer',
]);

/**
 * The external events in a recording: clusters that join, leave or are changed, their conditions (the time of a failure
 * is known only as Karmada noticed it), taints added by neither Karmada nor a ClusterTaintPolicy, policies and
 * rebalancers that were applied or deleted, edits of templates, and health that changed by itself. `unsimulated`:
 * changes that no scenario can express.
 */
export function observedScenario(
  first: World,
  changes: readonly ObservedChange[],
  rules: Rules,
): { events: ScenarioEvent[]; unsimulated: UnsimulatedChange[] } {
  const [clusters, bindings] = [outsideClusters(changes), outsideBindings(first, changes)];
  const taints = outsideTaints(first, changes, rules);
  const events = [...clusters.events, ...writtenEvents(first, changes), ...taints.events, ...bindings.events];
  const unsimulated = [...clusters.unsimulated, ...taints.unsimulated, ...bindings.unsimulated];
  return { events: events.sort(byTime), unsimulated: unsimulated.sort(byTime) };
}

/**
 * The configuration with karmada-webhook's --allow-no-execute-taint-policy, if it accepted such a policy in the
 * recording.
 */
export function withAcceptedPolicies(
  configuration: Configuration,
  changes: readonly ObservedChange[],
): Configuration {
  const accepted = changes.some(
    ({ before, after }) =>
      isObserved(after, 'ClusterTaintPolicy') &&
      isSimulated(before, after) &&
      listedTaints(after).some(({ effect }) => effect === 'NoExecute'),
  );
  if (!accepted) return configuration;
  return { ...configuration, webhook: { ...configuration.webhook, 'allow-no-execute-taint-policy': true } };
}

function byTime(a: { at: number }, b: { at: number }): number {
  return a.at - b.at;
}

function writtenEvents(first: World, changes: readonly ObservedChange[]): ScenarioEvent[] {
  const known = new Set(first.clusters.map(({ metadata }) => metadata.name));
  return changes.flatMap(({ at, before, after }): ScenarioEvent[] => {
    const one = after ?? before;
    if (isObserved(before, 'Cluster') && isObserved(after, 'Cluster') && !isLeaving(one, known))
      return conditionEvents(at, before, after);
    if (!WRITTEN.has(one.kind)) return [];
    if (!after)
      return isDeletedByTtl(one) ? [] : [{ at, action: { type: 'delete', target: identityOf(one) } }];
    return isSimulated(before, after) ? [{ at, action: { type: 'apply', objects: [after] } }] : [];
  });
}

/** Whether Karmada itself deleted a WorkloadRebalancer, because its ttl was over. */
function isDeletedByTtl({ kind, ...object }: KubernetesObject): boolean {
  if (kind !== 'WorkloadRebalancer') return false;
  const { spec, status } = object as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
  return spec?.['ttlSecondsAfterFinished'] !== undefined && status?.['finishTime'] !== undefined;
}

/** Whether a cluster that joined during the recording is being deleted: a simulation may remove it earlier. */
function isLeaving({ metadata }: KubernetesObject, known: ReadonlySet<string>): boolean {
  return metadata.deletionTimestamp !== undefined && !known.has(metadata.name);
}

function conditionEvents(at: number, before: Cluster, after: Cluster): ScenarioEvent[] {
  const cluster = after.metadata.name;
  const known = new Map((before.status?.conditions ?? []).map((one) => [one.type, one]));
  return (after.status?.conditions ?? [])
    .filter(({ type, status, reason }) => {
      const old = known.get(type);
      return old?.status !== status || old.reason !== reason;
    })
    .map(({ type, status, reason, message }): ScenarioEvent => ({
      at,
      action: {
        type: 'condition',
        cluster,
        condition: { type, status, ...(reason ? { reason } : {}), ...(message ? { message } : {}) },
      },
    }));
}

/** Other kinds that decide placements or health. */
const DECIDING = new Set(['ResourceInterpreterCustomization', 'ResourceInterpreterWebhookConfiguration']);
/** User-written Cluster fields that decide placements, except taints. */
const EDITED = ['provider', 'region', 'zone', 'zones'] as const;

/**
 * The external changes of clusters, except conditions and taints: joins, deletions (Karmada then removes them), and
 * other labels, regions or APIs. `unsimulated`: changes that no scenario can express; they affect all workloads.
 */
function outsideClusters(changes: Iterable<ObservedChange>): {
  events: ScenarioEvent[];
  unsimulated: UnsimulatedChange[];
} {
  const events: ScenarioEvent[] = [];
  const unsimulated: UnsimulatedChange[] = [];
  for (const { at, before, after } of changes) {
    const { kind, metadata } = after ?? before;
    if (DECIDING.has(kind)) unsimulated.push({ at, what: `a change of ${kind} ${metadata.name}` });
    if (kind !== 'Cluster') continue;
    const target = { kind, name: metadata.name };
    if (!before) events.push({ at, action: { type: 'apply', objects: [after!] } });
    else if (!after) {
      // Normally the deletion was already seen, by its deletionTimestamp.
      if (!before.metadata.deletionTimestamp)
        unsimulated.push({ at, what: `when Cluster ${metadata.name} leaves` });
    } else if (isDeleted(after)) {
      if (!isDeleted(before)) events.push({ at, action: { type: 'delete', target } });
    } else if (isObserved(before, 'Cluster') && isObserved(after, 'Cluster')) {
      const merge = clusterEdits(before, after);
      if (merge) events.push({ at, action: { type: 'patch', target, merge } });
    }
  }
  return { events, unsimulated };
}

function isDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The change as a merge patch; undefined if it has no effect on the fields. */
function clusterEdits(before: Cluster, after: Cluster): object | undefined {
  if (before === after) return undefined;
  const spec = Object.fromEntries(
    EDITED.filter((field) => !deepEqual(before.spec?.[field], after.spec?.[field])).map((field) => [
      field,
      after.spec?.[field] ?? null,
    ]),
  );
  const status = {
    ...(!deepEqual(before.status?.apiEnablements, after.status?.apiEnablements) && {
      apiEnablements: after.status?.apiEnablements ?? null,
    }),
    // Later allocation follows from the copies.
    ...(!before.status?.resourceSummary &&
      after.status?.resourceSummary && { resourceSummary: after.status.resourceSummary }),
  };
  const labels = changedLabels(before.metadata.labels, after.metadata.labels);
  const merge = {
    ...(Object.keys(labels).length > 0 && { metadata: { labels } }),
    ...(Object.keys(spec).length > 0 && { spec }),
    ...(Object.keys(status).length > 0 && { status }),
  };
  return Object.keys(merge).length > 0 ? merge : undefined;
}

function changedLabels(
  before: Readonly<Record<string, string>> = {},
  after: Readonly<Record<string, string>> = {},
): Record<string, string | null> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
  );
}

/** Who changed a taint: Karmada's controllers, another writer, or unknown, with the reason. */
type Changed = 'karmada' | 'outside' | { unknown: string };

/** Milliseconds within which Karmada's controllers write the taints that follow from a condition. */
const FOLLOWED = 30_000;

/**
 * Taints that neither Karmada's cluster controller nor a ClusterTaintPolicy changed: judged by the writer in
 * managedFields, otherwise by whether they follow from the conditions. `unsimulated`: the unknown writer is assumed to
 * be Karmada.
 */
function outsideTaints(
  first: World,
  changes: readonly ObservedChange[],
  rules: Rules,
): { events: ScenarioEvent[]; unsimulated: UnsimulatedChange[] } {
  const policies = new Map(
    first.taintPolicies.map((policy) => [policy.metadata.name, { policy, since: -Infinity }]),
  );
  const known = new Set(first.clusters.map(({ metadata }) => metadata.name));
  const came = new Map<string, number>();
  const events: ScenarioEvent[] = [];
  const unsimulated: UnsimulatedChange[] = [];
  for (const { at, before, after } of changes) {
    if (isObserved(after, 'ClusterTaintPolicy'))
      policies.set(after.metadata.name, { policy: after, since: at });
    else if (isObserved(before, 'ClusterTaintPolicy')) policies.delete(before.metadata.name);
    if (!isObserved(before, 'Cluster') || !isObserved(after, 'Cluster')) continue;
    const { metadata } = after;
    if (metadata.deletionTimestamp !== undefined && !known.has(metadata.name)) continue;
    const [had, has] = [before.spec?.taints ?? [], after.spec?.taints ?? []];
    const gone = had.filter((taint) => !has.some((one) => sameTaint(one, taint)));
    const come = has.filter(
      (taint) => !had.some((one) => sameTaint(one, taint) && one.value === taint.value),
    );
    const cluster = metadata.name;
    for (const taint of [...gone, ...come]) {
      const isNew = come.includes(taint);
      const id = `${cluster} ${taint.key}:${taint.effect}`;
      const facts = { at, came: came.get(id), policies: [...policies.values()], rules };
      const by = changedBy(taint, isNew, after, facts);
      if (isNew) came.set(id, at);
      const { key, value, effect } = taint;
      if (by === 'outside')
        events.push({
          at,
          action: isNew
            ? { type: 'taint', cluster, taint: { key, ...(value ? { value } : {}), effect } }
            : { type: 'untaint', cluster, key, effect },
        });
      else if (by !== 'karmada')
        unsimulated.push({
          at,
          what: `who ${isNew ? 'added' : 'removed'} taint ${formatTaint(taint)} ${isNew ? 'to' : 'from'} ${cluster} (assumed: Karmada): ${by.unknown}`,
        });
    }
  }
  return { events, unsimulated };
}

interface Known {
  /** epoch milliseconds */
  at: number;
  /** when the taint was added, if recorded */
  came: number | undefined;
  /** the policies, each with the time of its present spec */
  policies: readonly { policy: ClusterTaintPolicy; since: number }[];
  rules: Rules;
}

/** Who changed a taint of a cluster, by the state after the change. */
function changedBy(
  taint: Taint,
  isNew: boolean,
  cluster: Cluster,
  { at, came, policies, rules }: Known,
): Changed {
  const manager = taintsWriter(cluster)?.manager;
  if (manager !== undefined && manager !== CONTROLLER_MANAGER) return 'outside';
  // By managedFields, and only its controllers write with that name.
  const isKarmadasWrite = manager === CONTROLLER_MANAGER;
  const listing = policies.filter(({ policy }) =>
    listedTaints(policy).some((one) => one.key === taint.key && one.effect === taint.effect),
  );
  const acting = listing.filter(({ policy: { spec } }) => {
    const isShipped = spec.addOnConditions !== undefined || spec.removeOnConditions !== undefined;
    const conditions = isNew ? spec.addOnConditions : spec.removeOnConditions;
    return !isShipped || conditionsMatch(cluster.status?.conditions ?? [], conditions);
  });
  const isOwn = isKarmadaTaint(taint, rules) && follows(taint, cluster) === isNew;
  if (isKarmadasWrite) return isOwn || listing.length > 0 ? 'karmada' : 'outside';
  // Every controller sets the time of its taints.
  if (isNew && !taint.timeAdded) return 'outside';
  if (isOwn) return 'karmada';
  if (acting.length === 0) return 'outside';
  const turned = latestTurn(cluster);
  const since = Math.max(turned ?? -Infinity, ...acting.map((one) => one.since));
  // Nothing has triggered the policies since the taint was added.
  if (!isNew && came !== undefined && came > since) return 'outside';
  if (at - since <= FOLLOWED || turned === undefined) return 'karmada';
  return {
    unknown: `a ClusterTaintPolicy lists it, but its conditions had already held for ${Math.round((at - since) / 1000)}s, and no managedFields show the writer`,
  };
}

/** Whether one of Karmada's own taints follows from the cluster's condition, or from its deletion. */
function follows({ key }: Taint, cluster: Cluster): boolean {
  const status = readyCondition(cluster)?.status ?? 'False';
  switch (key) {
    case TAINT_CLUSTER_NOT_READY:
      return status === 'False';
    case TAINT_CLUSTER_UNREACHABLE:
      return status === 'Unknown';
    case TAINT_CLUSTER_TERMINATING:
      return cluster.metadata.deletionTimestamp !== undefined;
    default:
      return false;
  }
}

/** When a condition of a cluster last changed (epoch milliseconds); undefined if none records it. */
function latestTurn({ status }: Cluster): number | undefined {
  const times = (status?.conditions ?? [])
    .map(({ lastTransitionTime }) => (lastTransitionTime ? instant(lastTransitionTime) : NaN))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}
