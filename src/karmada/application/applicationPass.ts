import type { ObjectReference, ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { formatDuration, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { recordEviction } from './evictionHistory.ts';
import { failsPreConditions } from './preConditions.ts';
import { evictApplication, type ApplicationFailoverGates } from './applicationEviction.ts';

/**
 * By cluster: when the application was first seen unhealthy there, in epoch milliseconds. Karmada keeps this in memory.
 */
export type UnhealthySince = ReadonlyMap<string, number>;

export interface ApplicationFailoverContext {
  /** epoch milliseconds */
  now: number;
  gates: ApplicationFailoverGates;
  rules: Rules;
  /** whether Karmada can interpret the health of the kind */
  hasHealthInterpreter(resource: ObjectReference): boolean;
}

interface ApplicationFailoverResult {
  /** clusters that report it Unhealthy and have no task yet */
  unhealthyClusters: string[];
  /** clusters that report it Healthy or Unknown */
  otherClusters: string[];
  /** the timers after the pass; empty if the controller drops the binding */
  unhealthySince: UnhealthySince;
  /** clusters evicted in this pass, all in one update */
  evictedClusters: string[];
  /** the spec after the pass; the binding's own spec if nothing is evicted */
  spec: ResourceBindingSpec;
  /**
   * Milliseconds (whole seconds) until the next reconcile, 0 for none. At exactly that instant a toleration has not
   * expired yet: with an exact clock, reconcile a moment later.
   */
  requeueAfter: number;
  /** why nothing was written; the controller retries with back-off */
  error?: string;
}

/** Seconds until the second pass for a toleration of 0: the pass that starts a timer never evicts. */
const A_MOMENT = 0.001;

/** The largest int32 means "no need to reconcile again", even if a policy sets it as tolerationSeconds. */
const NO_REQUEUE = 2 ** 31 - 1;

/**
 * One pass of the application failover controllers over a binding: starts and clears the timers of unhealthy clusters,
 * and evicts from those past the toleration. The pass that starts a timer never evicts, and a timer must have run
 * longer than the toleration.
 *
 * @param evidence if given, collects the deciding facts for each unhealthy cluster
 */
export function applicationPass(
  binding: ResourceBinding,
  unhealthySince: UnhealthySince,
  context: ApplicationFailoverContext,
  evidence?: Evidence[],
): ApplicationFailoverResult {
  const { spec } = binding;
  const nothing = { unhealthyClusters: [], otherClusters: [], evictedClusters: [], spec, requeueAfter: 0 };
  if (!hasApplicationFailover(binding, context)) return { ...nothing, unhealthySince: new Map() };

  const { unhealthyClusters, otherClusters } = clustersByHealth(binding);
  const timers = new Map(unhealthySince);
  const started = startedFor(binding, unhealthyClusters, timers, context, evidence);
  const { due, requeueSeconds } = detectFailure(binding, started.clusters, timers, context, evidence);
  const evicted = evict(binding, due, context);
  const seen = { unhealthyClusters, otherClusters, unhealthySince: timers };
  if ('error' in evicted) return { ...nothing, ...seen, error: evicted.error };

  const targets = new Set((spec.clusters ?? []).map(({ name }) => name));
  for (const cluster of timers.keys()) if (!targets.has(cluster)) timers.delete(cluster);
  for (const cluster of [...due, ...otherClusters]) timers.delete(cluster);
  return {
    ...seen,
    evictedClusters: due.filter(
      (cluster) => targets.has(cluster) && !evicted.spec.clusters?.some(({ name }) => name === cluster),
    ),
    spec: evicted.spec,
    requeueAfter: soonest(requeueSeconds * 1000, started.after),
  };
}

/** The shorter of two delays; 0 means none. */
function soonest(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

/** The conditions for application failover of a binding. */
export interface Participation {
  /** spec.failover enables it */
  wanted: boolean;
  /** Karmada can interpret the health of its kind */
  healthKnown: boolean;
  /** propagateDeps is set; only ResourceBindings need it */
  propagates: boolean;
  /** at least one cluster has reported its status */
  reported: boolean;
}

/** Which of the conditions for application failover a binding meets. */
export function participation(
  { kind, spec, status }: ResourceBinding,
  { hasHealthInterpreter }: Pick<ApplicationFailoverContext, 'hasHealthInterpreter'>,
): Participation {
  return {
    wanted: spec.failover?.application !== undefined,
    healthKnown: hasHealthInterpreter(spec.resource),
    propagates: kind === 'ClusterResourceBinding' || spec.propagateDeps === true,
    reported: Boolean(status?.aggregatedStatus?.length),
  };
}

/** Whether application failover applies to a binding. */
export function hasApplicationFailover(
  binding: ResourceBinding,
  context: Pick<ApplicationFailoverContext, 'hasHealthInterpreter'>,
): boolean {
  if (!binding.spec.failover?.application) return false;
  return Object.values(participation(binding, context)).every(Boolean);
}

/**
 * The clusters that report the application Unhealthy and have no eviction task, and those that report another health.
 */
export function clustersByHealth({ spec, status }: ResourceBinding) {
  const evicting = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  const unhealthyClusters: string[] = [];
  const otherClusters: string[] = [];
  for (const { clusterName, health } of status?.aggregatedStatus ?? [])
    if (health === 'Healthy' || health === 'Unknown') otherClusters.push(clusterName);
    else if (health === 'Unhealthy' && !evicting.has(clusterName)) unhealthyClusters.push(clusterName);
  return { unhealthyClusters, otherClusters };
}

/**
 * The unhealthy clusters whose preconditions hold, and the milliseconds until those of another one do (0: not by time
 * alone). Other clusters get no timer.
 */
function startedFor(
  { spec, status }: ResourceBinding,
  unhealthyClusters: string[],
  timers: Map<string, number>,
  { now, rules }: ApplicationFailoverContext,
  evidence: Evidence[] | undefined,
): { clusters: string[]; after: number } {
  if (!rules.application.preConditions) return { clusters: unhealthyClusters, after: 0 };
  let after = 0;
  const clusters = unhealthyClusters.filter((cluster) => {
    const item = status!.aggregatedStatus!.find(({ clusterName }) => clusterName === cluster)!;
    const held = failsPreConditions(spec, item, rules, now);
    if (!held) return true;
    timers.delete(cluster);
    evidence?.push(...held.evidence);
    if (held.until !== undefined) after = soonest(after, held.until - now);
    return false;
  });
  return { clusters, after };
}

/** Starts missing timers; returns the clusters that are due, and the seconds until the next one is due. */
function detectFailure(
  { spec }: ResourceBinding,
  unhealthyClusters: string[],
  timers: Map<string, number>,
  { now, rules }: ApplicationFailoverContext,
  evidence: Evidence[] | undefined,
): { due: string[]; requeueSeconds: number } {
  const tolerationSeconds = tolerationSecondsOf(spec, rules);
  const due: string[] = [];
  let requeueSeconds = NO_REQUEUE;
  for (const cluster of unhealthyClusters) {
    const since = timers.get(cluster) ?? now;
    timers.set(cluster, since);
    evidence?.push(unhealthyEvidence(cluster, since, tolerationSeconds));
    if (now > since + tolerationSeconds * 1000) {
      due.push(cluster);
      continue;
    }
    const rest = tolerationSeconds - Math.trunc((now - since) / 1000);
    const least = rules.application.zeroToleration === 'atOnce' ? A_MOMENT : 0;
    requeueSeconds = Math.min(requeueSeconds, Math.max(rest, least));
  }
  return { due, requeueSeconds: requeueSeconds === NO_REQUEUE ? 0 : requeueSeconds };
}

function unhealthyEvidence(cluster: string, since: number, tolerationSeconds: number): Evidence {
  return {
    rule: `Unhealthy in ${cluster} since ${rfc3339(since)}, tolerated for ${formatDuration(tolerationSeconds * 1000)}`,
    field: 'spec.failover.application.decisionConditions.tolerationSeconds',
    value: tolerationSeconds,
  };
}

/** Seconds that an application may be unhealthy before it is evicted. */
export function tolerationSecondsOf({ failover }: ResourceBindingSpec, { api }: Rules): number {
  return failover?.application?.decisionConditions?.tolerationSeconds ?? api.applicationTolerationSeconds;
}

function evict(
  binding: ResourceBinding,
  clusters: string[],
  { gates, rules, now }: ApplicationFailoverContext,
): { spec: ResourceBindingSpec } | { error: string } {
  let { spec } = binding;
  for (const cluster of clusters) {
    const evicted = evictApplication(binding, spec, cluster, gates, rules);
    if ('error' in evicted) return evicted;
    const isEvicted = rules.application.evictionHistory && evicted.spec !== spec;
    spec = isEvicted ? recordEviction(evicted.spec, cluster, now) : evicted.spec;
  }
  return { spec };
}
