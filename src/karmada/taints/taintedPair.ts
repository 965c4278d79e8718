import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { ControllerManagerFlags, FeatureGates } from '../configuration/configuration.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  EVICTION_PRODUCER_TAINT_MANAGER,
  EVICTION_REASON_TAINT_UNTOLERATED,
} from '../api/names.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import type { Evidence } from '../evidence.ts';
import { evictCluster } from '../eviction/evictionTasks.ts';
import { removeCluster } from '../eviction/evictionTasks.ts';
import { preservedLabelStateOnCluster } from '../eviction/statePreservation.ts';
import { appliedPlacement } from '../objects/appliedPlacement.ts';
import { evictingTaints } from './evictingTaints.ts';
import { sameTerms, taintDecision, termsOf, type EvictionTerms } from './evictionTerms.ts';
import { abandonedBecause, matchingNames, type MatchingNames } from './preScheduling.ts';
import { taskByPolicy } from './taskByPolicy.ts';
import { mayEvict } from '../configuration/taintEviction.ts';
import { taintEvictionPurgeMode, omitsPurgeMode } from './evictionPurgeMode.ts';

/** A cluster and one of its bindings, in the taint manager's eviction queues. */
export interface TaintedPairKey {
  cluster: string;
  /** the key of a Binding */
  binding: string;
}

// Cluster names cannot contain this character.
const SEPARATOR = '|';

/** "member1|shop/cart-deployment". */
export function taintedPairKey({ cluster, binding }: TaintedPairKey): string {
  return `${cluster}${SEPARATOR}${binding}`;
}

/** The inverse of `taintedPairKey`. */
export function parseTaintedPairKey(key: string): TaintedPairKey {
  const at = key.indexOf(SEPARATOR);
  return { cluster: key.slice(0, at), binding: key.slice(at + 1) };
}

/** Settings of a started taint manager. */
export interface TaintManagerConfiguration {
  rules: Rules;
  controllerManager: Pick<
    ControllerManagerFlags,
    'enable-no-execute-taint-eviction' | 'no-execute-taint-eviction-purge-mode'
  >;
  featureGates: Pick<FeatureGates, 'StatefulFailoverInjection' | 'GracefulEviction'>;
}

/** How often the taint manager reconciles a cluster with evicting taints, in milliseconds. */
export const TAINTED_CLUSTER_RESYNC = 10_000;

/** The taints for which the taint manager checks a cluster's bindings; without any, it neither checks now nor later. */
export function taintsInForce(
  cluster: Cluster | undefined,
  configuration: TaintManagerConfiguration,
): Taint[] {
  if (!mayEvict(configuration)) return [];
  return evictingTaints(cluster?.spec?.taints, configuration.rules);
}

export type EnqueueDecision =
  | { kind: 'immediate' }
  /** in this many milliseconds */
  | { kind: 'after'; milliseconds: number }
  | { kind: 'skip' };

/**
 * How an event of a tainted cluster queues one of its bindings: for eviction now, at the end of a toleration, or not at
 * all because the toleration has no end. Versions that queue every binding queue all of them now; tolerations are
 * checked at their turn.
 *
 * @param taints `taintsInForce` of the cluster
 * @param due `evictionDue` of the pair
 */
export function enqueueDecision(
  taints: readonly Taint[],
  due: EnqueueDecision,
  rules: Rules,
): EnqueueDecision {
  return taints.length > 0 && rules.taints.evictionQueue === 'everyBinding' ? { kind: 'immediate' } : due;
}

/**
 * When the taints of a cluster evict one of its bindings: now, at the end of a toleration, or never. A binding whose
 * applied placement is missing or malformed is due if tolerations decide: its processing then fails.
 *
 * @param taints `taintsInForce` of the cluster
 * @param terms `termsOf` the binding, now or when the cluster failed
 * @param now epoch milliseconds
 */
export function evictionDue(
  taints: readonly Taint[],
  binding: ResourceBinding,
  terms: EvictionTerms,
  now: number,
  evidence?: Evidence[],
): EnqueueDecision {
  if (taints.length === 0) return { kind: 'skip' };
  const decision = taintDecision(taints, terms, now, evidence);
  switch (decision?.kind) {
    case undefined:
      evidence?.push(missingPlacementEvidence(binding));
      return { kind: 'immediate' };
    case 'evict':
      return { kind: 'immediate' };
    case 'wait':
      return { kind: 'after', milliseconds: decision.milliseconds };
    case 'stay':
      return { kind: 'skip' };
  }
}

/**
 * When a binding that is due now became due (epoch milliseconds): at the first taint that it does not tolerate, or at
 * the end of its first toleration, but not before it was there. Infinity if no deciding taint has a time.
 *
 * @param taints `taintsInForce` of the cluster
 * @param terms `termsOf` the binding, now or when the cluster failed
 */
export function dueSince(taints: readonly Taint[], binding: ResourceBinding, terms: EvictionTerms): number {
  let since = Infinity;
  for (const { timeAdded } of taints) {
    if (!timeAdded) continue;
    const time = instant(timeAdded);
    const there = taints.filter((taint) => !taint.timeAdded || instant(taint.timeAdded) <= time);
    const due = evictionDue(there, binding, terms, time);
    if (due.kind === 'immediate') since = Math.min(since, time);
    else if (due.kind === 'after') since = Math.min(since, time + due.milliseconds);
  }
  const { creationTimestamp } = binding.metadata;
  return Math.max(since, creationTimestamp ? instant(creationTimestamp) : -Infinity);
}

type PairOutcome =
  | { kind: 'none' }
  /** tolerated for this many milliseconds from now, then the pair is checked again */
  | { kind: 'wait'; milliseconds: number }
  /** nothing is written and the pair is retried with back-off */
  | { kind: 'error'; message: string }
  /** nothing is written, and it is not retried as long as the cluster is faulty */
  | { kind: 'abandoned'; reason: string }
  /** the binding's spec without the cluster, with a graceful eviction task */
  | { kind: 'evict'; spec: ResourceBindingSpec };

interface TaintedPair {
  clusterName: string;
  /** undefined if the Cluster object is gone */
  cluster: Cluster | undefined;
  binding: ResourceBinding;
  /** epoch milliseconds */
  now: number;
  configuration: TaintManagerConfiguration;
  /** the terms at the failure of the cluster, if they decide; absent: the binding's current ones */
  terms?: EvictionTerms | undefined;
  /** `matchingNames` of all clusters, for versions that check where the binding could move */
  matching?: () => MatchingNames;
}

/**
 * One run of the taint manager for a cluster and a binding (syncBindingEviction; the same for both kinds of binding,
 * except in v1.14.0). It checks everything again, so changes made while the pair was queued apply, except those of the
 * terms if these are given.
 */
export function processTaintedPair(pair: TaintedPair, evidence?: Evidence[]): PairOutcome {
  const { clusterName, cluster, binding, now, configuration } = pair;
  const { rules } = configuration;
  if (binding.metadata.deletionTimestamp) return { kind: 'none' };
  if (!binding.spec.clusters?.some(({ name }) => name === clusterName)) return { kind: 'none' };

  const applied = appliedPlacement(binding.metadata);
  const terms = decidingTerms(pair, termsOf(binding, applied), evidence);
  const decision = taintDecision(taintsInForce(cluster, configuration), terms, now, evidence);
  // In shipped versions this is an error, regardless of taints.
  const isMissing = !terms.tolerations && rules.taints.evictionTerms === 'atTurn';
  if (!decision || isMissing) {
    evidence?.push(missingPlacementEvidence(binding));
    const message =
      'error' in applied ? applied.error : 'the applied placement for ResourceBining can not be empty';
    return { kind: 'error', message };
  }
  if (decision.kind === 'wait') return decision;
  if (decision.kind === 'stay') return { kind: 'none' };

  if (rules.taints.preScheduling) {
    const reason = abandonedBecause(
      binding,
      clusterName,
      pair.matching?.() ?? matchingNames([], rules),
      evidence,
    );
    if (reason !== undefined) return { kind: 'abandoned', reason };
  }
  const preserved = configuration.featureGates.StatefulFailoverInjection
    ? preservedLabelStateOnCluster(
        terms.failover?.statePreservation,
        binding.status?.aggregatedStatus,
        clusterName,
        rules,
      )
    : undefined;
  if (preserved && 'error' in preserved) {
    evidence?.push({
      rule: 'an eviction waits until the state to preserve can be read',
      field: 'status.aggregatedStatus',
      value: preserved.error,
    });
    return { kind: 'error', message: preserved.error };
  }
  const purgeMode = taintEvictionPurgeMode(
    { kind: binding.kind, spec: { failover: { cluster: terms.failover } } },
    configuration,
    evidence,
  );
  if (purgeMode === 'withoutTask') return { kind: 'evict', spec: removeCluster(binding.spec, clusterName) };
  const omitted = decision.after === 'toleration' && omitsPurgeMode(binding, rules);
  return {
    kind: 'evict',
    spec: evictCluster(binding.spec, clusterName, {
      ...(purgeMode !== undefined && !omitted && { purgeMode }),
      producer: EVICTION_PRODUCER_TAINT_MANAGER,
      reason: EVICTION_REASON_TAINT_UNTOLERATED,
      preservedLabelState: preserved?.labels,
      ...taskByPolicy(terms.failover, rules, evidence),
    }),
  };
}

/** The deciding terms; if they differ from the current ones, the evidence says so. */
function decidingTerms(
  { terms }: TaintedPair,
  present: EvictionTerms,
  evidence: Evidence[] | undefined,
): EvictionTerms {
  if (!terms || sameTerms(terms, present)) return present;
  evidence?.push({
    rule: 'the tolerations and failover.cluster at the time of the failure count, not the current ones',
    field: 'spec.failover.cluster',
    value: { atFailure: terms, now: present },
  });
  return terms;
}

function missingPlacementEvidence({ metadata }: ResourceBinding): Evidence {
  const value = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  return {
    rule: value
      ? 'the annotation with the applied placement cannot be read: its tolerations are unknown'
      : 'no scheduler has written the applied placement: the tolerations are unknown',
    field: `metadata.annotations["${APPLIED_PLACEMENT_ANNOTATION}"]`,
    value,
  };
}
