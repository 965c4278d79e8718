import type { ObjectReference, ResourceBinding, ResourceBindingSpec } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { evictApplication, type ApplicationFailoverGates } from './applicationEviction.ts';

/** Cluster → when the application was first seen unhealthy there, in epoch milliseconds. Karmada keeps it in memory. */
export type UnhealthySince = ReadonlyMap<string, number>;

export interface ApplicationFailoverContext {
  /** epoch milliseconds */
  now: number;
  gates: ApplicationFailoverGates;
  rules: Rules;
  /** whether Karmada can tell the health of the kind */
  hasHealthInterpreter(resource: ObjectReference): boolean;
}

export interface ApplicationFailoverResult {
  /** clusters that report it Unhealthy and have no task yet */
  unhealthyClusters: string[];
  /** clusters that report it Healthy or Unknown */
  otherClusters: string[];
  /** the timers after the pass; empty if the binding is forgotten */
  unhealthySince: UnhealthySince;
  /** clusters evicted in this pass, all with one update */
  evictedClusters: string[];
  /** the spec after the pass; the binding's own where nothing is evicted */
  spec: ResourceBindingSpec;
  /**
   * Milliseconds (whole seconds) until the next look, 0 for none. At the instant itself a toleration is not over
   * yet: who keeps exact time looks a moment later.
   */
  requeueAfter: number;
  /** why nothing was written; the pass is retried with back-off */
  error?: string;
}

/** What the CRD gives decisionConditions.tolerationSeconds. */
const DEFAULT_TOLERATION_SECONDS = 300;

/** The largest int32 stands for "nothing to come back for", even if it is a toleration. */
const NO_REQUEUE = 2 ** 31 - 1;

/**
 * One pass of the application failover controllers over a binding: starts and clears the timers
 * of unhealthy clusters and evicts those past their toleration. The pass that starts a timer never evicts, and a
 * timer that has run for exactly the toleration does not count yet.
 *
 * @param evidence what decided about each unhealthy cluster is pushed onto it, if given
 */
export function applicationFailover(
  binding: ResourceBinding,
  unhealthySince: UnhealthySince,
  context: ApplicationFailoverContext,
  evidence?: Evidence[],
): ApplicationFailoverResult {
  const { spec } = binding;
  const nothing = { unhealthyClusters: [], otherClusters: [], evictedClusters: [], spec, requeueAfter: 0 };
  if (!takesPart(binding, context)) return { ...nothing, unhealthySince: new Map() };

  const { unhealthyClusters, otherClusters } = clustersByHealth(binding);
  const timers = new Map(unhealthySince);
  const { due, requeueSeconds } = detectFailure(binding, unhealthyClusters, timers, context.now, evidence);
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
    requeueAfter: requeueSeconds * 1000,
  };
}

/** Whether the controller manager starts application failover at all. */
export function startsApplicationFailover({ rules, featureGates }: Configuration): boolean {
  return rules.application.start === 'always' || featureGates.Failover;
}

/** What application failover asks of a binding before it looks after it. */
export interface Participation {
  /** the policy asks for it */
  wanted: boolean;
  /** Karmada can tell the health of its kind */
  healthKnown: boolean;
  /** it propagates its dependencies, which only ResourceBindings have to */
  propagates: boolean;
  /** some cluster has reported its status */
  reported: boolean;
}

/** What decides whether application failover looks after a binding. */
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

/** Whether application failover looks after a binding at all. */
function takesPart(
  binding: ResourceBinding,
  context: Pick<ApplicationFailoverContext, 'hasHealthInterpreter'>,
): boolean {
  if (!binding.spec.failover?.application) return false;
  return Object.values(participation(binding, context)).every(Boolean);
}

/** The clusters that report the application Unhealthy and are not being evicted, and those that report it otherwise. */
export function clustersByHealth({ spec, status }: ResourceBinding) {
  const evicting = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  const unhealthyClusters: string[] = [];
  const otherClusters: string[] = [];
  for (const { clusterName, health } of status?.aggregatedStatus ?? [])
    if (health === 'Healthy' || health === 'Unknown') otherClusters.push(clusterName);
    else if (health === 'Unhealthy' && !evicting.has(clusterName)) unhealthyClusters.push(clusterName);
  return { unhealthyClusters, otherClusters };
}

/** Starts the timers that are missing; tells which clusters are due and the seconds until the next one is. */
function detectFailure(
  { spec }: ResourceBinding,
  unhealthyClusters: string[],
  timers: Map<string, number>,
  now: number,
  evidence: Evidence[] | undefined,
): { due: string[]; requeueSeconds: number } {
  const tolerationSeconds = tolerationSecondsOf(spec);
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
    requeueSeconds = Math.min(requeueSeconds, rest);
  }
  return { due, requeueSeconds: requeueSeconds === NO_REQUEUE ? 0 : requeueSeconds };
}

function unhealthyEvidence(cluster: string, since: number, tolerationSeconds: number): Evidence {
  return {
    rule: `Unhealthy in ${cluster} since ${rfc3339(since)}, tolerated for ${tolerationSeconds}s`,
    field: 'spec.failover.application.decisionConditions.tolerationSeconds',
    value: tolerationSeconds,
  };
}

/** How long an application may be unhealthy before it is evicted, in seconds. */
export function tolerationSecondsOf({ failover }: ResourceBindingSpec): number {
  return failover?.application?.decisionConditions?.tolerationSeconds ?? DEFAULT_TOLERATION_SECONDS;
}

function evict(
  binding: ResourceBinding,
  clusters: string[],
  { gates, rules }: ApplicationFailoverContext,
): { spec: ResourceBindingSpec } | { error: string } {
  let { spec } = binding;
  for (const cluster of clusters) {
    const evicted = evictApplication(binding, spec, cluster, gates, rules);
    if ('error' in evicted) return evicted;
    ({ spec } = evicted);
  }
  return { spec };
}
