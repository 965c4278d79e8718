import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_TERMINATING,
  TAINT_CLUSTER_UNREACHABLE,
} from '../../../karmada/api/names.ts';
import { instant } from '../../../kubernetes/time.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { sameTaint } from '../../../karmada/objects/sameTaint.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import { conditionsMatch } from '../../../karmada/taints/matchConditions.ts';
import { listedTaints } from '../../../karmada/taints/policyFields.ts';
import { isKarmadas } from '../../../karmada/taints/taintSources.ts';
import type { World } from '../../../karmada/world.ts';
import type { SeenChange } from '../history.ts';
import { CONTROLLER_MANAGER, taintsWriter } from '../taintWriters.ts';
import type { UntoldChange } from './outsideBindings.ts';

/** Who changed a taint: Karmada's controllers, somebody else, or nobody can say, for this reason. */
type Changed = 'karmada' | 'outside' | { unknown: string };

/** Milliseconds after a condition has turned in which Karmada's controllers have written the taints that follow from it. */
const FOLLOWED = 30_000;

/**
 * Taints that neither Karmada's cluster controller nor a ClusterTaintPolicy changed. If managedFields name the writer, that decides;
 * else whether the taint follows from the conditions. `untold`: whose it is nobody can say; it is taken for Karmada's.
 */
export function outsideTaints(
  first: World,
  changes: readonly SeenChange[],
  rules: Rules,
): { events: ScenarioEvent[]; untold: UntoldChange[] } {
  const policies = new Map(
    first.taintPolicies.map((policy) => [policy.metadata.name, { policy, since: -Infinity }]),
  );
  const known = new Set(first.clusters.map(({ metadata }) => metadata.name));
  const events: ScenarioEvent[] = [];
  const untold: UntoldChange[] = [];
  for (const { at, before, after } of changes) {
    const { kind, metadata } = (after ?? before)!;
    if (kind === 'ClusterTaintPolicy') {
      if (after) policies.set(metadata.name, { policy: after as unknown as ClusterTaintPolicy, since: at });
      else policies.delete(metadata.name);
    }
    if (kind !== 'Cluster' || !before || !after) continue;
    if (metadata.deletionTimestamp !== undefined && !known.has(metadata.name)) continue;
    const [old, now] = [before, after] as unknown as [Cluster, Cluster];
    const [had, has] = [old.spec?.taints ?? [], now.spec?.taints ?? []];
    const gone = had.filter((taint) => !has.some((one) => sameTaint(one, taint)));
    const come = has.filter(
      (taint) => !had.some((one) => sameTaint(one, taint) && one.value === taint.value),
    );
    const cluster = metadata.name;
    for (const taint of [...gone, ...come]) {
      const isNew = come.includes(taint);
      const by = changedBy(taint, isNew, now, { at, policies: [...policies.values()], rules });
      const { key, value, effect } = taint;
      if (by === 'outside')
        events.push({
          at,
          action: isNew
            ? { type: 'taint', cluster, taint: { key, ...(value ? { value } : {}), effect } }
            : { type: 'untaint', cluster, key, effect },
        });
      else if (by !== 'karmada')
        untold.push({
          at,
          what: `who ${isNew ? 'gave' : 'took'} taint ${formatTaint(taint)} ${isNew ? 'to' : 'from'} ${cluster} (taken for Karmada's): ${by.unknown}`,
        });
    }
  }
  return { events, untold };
}

interface Known {
  /** epoch milliseconds */
  at: number;
  /** the policies, and since when each of them says what it says */
  policies: readonly { policy: ClusterTaintPolicy; since: number }[];
  rules: Rules;
}

/** Who changed a taint of a cluster, as this is after the change. */
function changedBy(taint: Taint, isNew: boolean, cluster: Cluster, { at, policies, rules }: Known): Changed {
  const manager = taintsWriter(cluster)?.manager;
  if (manager !== undefined && manager !== CONTROLLER_MANAGER) return 'outside';
  // managedFields say so, and its controllers alone write by that name
  const isKarmadasWrite = manager === CONTROLLER_MANAGER;
  const listing = policies.filter(({ policy }) =>
    listedTaints(policy).some((one) => one.key === taint.key && one.effect === taint.effect),
  );
  const acting = listing.filter(({ policy: { spec } }) => {
    const isShipped = spec.addOnConditions !== undefined || spec.removeOnConditions !== undefined;
    const conditions = isNew ? spec.addOnConditions : spec.removeOnConditions;
    return !isShipped || conditionsMatch(cluster.status?.conditions ?? [], conditions);
  });
  const isOwn = isKarmadas(taint, rules) && follows(taint, cluster) === isNew;
  if (isKarmadasWrite) return isOwn || listing.length > 0 ? 'karmada' : 'outside';
  // every controller gives its taints a time
  if (isNew && !taint.timeAdded) return 'outside';
  if (isOwn) return 'karmada';
  if (acting.length === 0) return 'outside';
  const turned = latestTurn(cluster);
  const since = Math.max(turned ?? -Infinity, ...acting.map((one) => one.since));
  if (at - since <= FOLLOWED || turned === undefined) return 'karmada';
  return {
    unknown: `a ClusterTaintPolicy lists it, but what it goes by had been so for ${Math.round((at - since) / 1000)}s, and no managedFields tell`,
  };
}

/** Whether a taint of Karmada's own is one that the cluster has by its condition, or by being deleted. */
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

/** When a condition of a cluster turned last (epoch milliseconds); undefined if none says. */
function latestTurn({ status }: Cluster): number | undefined {
  const times = (status?.conditions ?? [])
    .map(({ lastTransitionTime }) => (lastTransitionTime ? instant(lastTransitionTime) : NaN))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}
