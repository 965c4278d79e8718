import type { Condition } from '../api/meta.ts';
import { CLUSTER_CONDITION_READY } from '../api/names.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { silentReadiness } from './readiness.ts';
import type { ConditionOf } from '../objects/conditions.ts';

/** The health monitor's memory of a cluster, lost when the process ends. Instants are epoch milliseconds. */
export interface ClusterHealth {
  /** when a renewed Lease or a changed Ready condition was last seen */
  heardAt: number;
  /** when a reconcile saw Ready change; the condition's own time does not count */
  readyChangedAt: number;
  /** the Ready condition at the last reconcile */
  ready?: ConditionOf<'Ready'>;
  /**
   * The last seen Lease; absent if none since Ready changed. Without a renewal time: Unknown was written because there
   * was no Lease, so a new Lease is not noticed until Ready changes.
   */
  lease?: { renewedAt?: number };
}

/** A cluster as observed by the health monitor at a reconcile. */
export interface ObservedCluster {
  syncMode: 'Push' | 'Pull';
  /** the published condition; absent before the first one */
  ready?: ConditionOf<'Ready'> | undefined;
  /** epoch milliseconds */
  createdAt: number;
  /** the Lease karmada-cluster/NAME; absent if there is none */
  lease?: { renewedAt?: number } | undefined;
  /** epoch milliseconds */
  now: number;
}

/** --cluster-monitor-grace-period and --cluster-startup-grace-period, milliseconds. */
interface GracePeriods {
  monitor: number;
  startup: number;
}

/**
 * One reconcile of a cluster by the health monitor, every --cluster-monitor-period (cluster controller, all versions
 * alike): its new memory, and the condition that it publishes if a Pull cluster has been silent for longer than the
 * grace period. Silence does not matter for Push clusters. The first reconcile of a process counts as a sign of life;
 * for a cluster without a Ready condition, its creation does.
 */
export function monitorHealth(
  observed: ObservedCluster,
  before: ClusterHealth | undefined,
  grace: GracePeriods,
): { health: ClusterHealth; published?: Condition } {
  const { ready, lease, now } = observed;
  let health = seen(observed, before);
  if (observed.syncMode === 'Push') return { health };
  const known = before?.lease;
  const renewed = known === undefined || isLater(lease?.renewedAt, known.renewedAt);
  if (lease && renewed) health = { ...health, heardAt: now, lease };
  if (now <= health.heardAt + (ready ? grace.monitor : grace.startup)) return { health };
  if (ready?.status === 'Unknown') return { health };
  const { heardAt } = health;
  const published: ConditionOf<'Ready'> = {
    ...ready,
    type: CLUSTER_CONDITION_READY,
    ...silentReadiness[ready ? 'known' : 'never known'],
    lastTransitionTime: rfc3339(now),
  };
  return { health: { heardAt, readyChangedAt: now, ready: published, lease: lease ?? {} }, published };
}

/** Any difference from the remembered condition is a sign of life, and clears the remembered Lease. */
function seen({ ready, createdAt, now }: ObservedCluster, before: ClusterHealth | undefined): ClusterHealth {
  if (!ready) {
    const { heardAt = createdAt, readyChangedAt = createdAt, lease } = before ?? {};
    return { heardAt, readyChangedAt, ...(lease && { lease }) };
  }
  if (!before) return { heardAt: now, readyChangedAt: now, ready };
  if (before.ready && sameCondition(before.ready, ready)) return { ...before, ready };
  const sameTransition = before.ready && before.ready.lastTransitionTime === ready.lastTransitionTime;
  return { heardAt: now, readyChangedAt: sameTransition ? before.readyChangedAt : now, ready };
}

function isLater(renewedAt: number | undefined, known: number | undefined): boolean {
  return renewedAt !== undefined && known !== undefined && renewedAt > known;
}

function sameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    (a.reason ?? '') === (b.reason ?? '') &&
    (a.message ?? '') === (b.message ?? '') &&
    a.lastTransitionTime === b.lastTransitionTime &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}
