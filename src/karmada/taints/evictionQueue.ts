import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { appliedPlacement } from '../objects/appliedPlacement.ts';
import { paceEvidence, paceIn, setsPace } from './evictionPace.ts';
import { termsOf, type EvictionTerms } from './evictionTerms.ts';
import { matchingNames, type MatchingNames } from './preScheduling.ts';
import { processTaintedPair } from './taintedPair.ts';
import { evictionFailure, evictionWrite } from './bindingEviction.ts';
import type { Controller, ReconcileRequest, RatedKeys, Step } from '../controllers/controller.ts';
import { parseTaintedPairKey } from './taintedPair.ts';
import type { View } from '../controllers/view.ts';

/** The queue's memory of a pair as long as the cluster is faulty. */
export interface QueuedEviction {
  /** the binding's terms when the cluster failed; absent after its eviction: if it returns, its current terms apply */
  terms?: EvictionTerms;
  /** its turn came without a target cluster: it is not retried */
  abandoned?: string;
}

/**
 * The eviction queue of the design optimize-cluster-failover: one for all faulty clusters and for both kinds of
 * binding, with one rate, set by the fraction of faulty clusters. The taint manager fills it, and removes a cluster's
 * keys when the cluster has recovered.
 */
export const evictionQueue: Controller<QueuedEviction> = {
  queue: ratedKeys,
  wakes: {},
  reconcile: evict,
};

function ratedKeys(configuration: Configuration): RatedKeys {
  return {
    rateIn: (view) => paceIn(view, configuration).rate,
    setBy: setsPace,
    mayHaveTurned: (view) => paceIn(view, configuration).faulty.length > 0,
  };
}

/** The clusters matching each affinity, cached by the list of clusters: every turn needs them. */
const matching = new WeakMap<object, { rules: Configuration['rules']; names: MatchingNames }>();

function matchingIn(view: View, { rules }: Configuration): MatchingNames {
  const clusters = view.all('Cluster');
  const known = matching.get(clusters);
  if (known?.rules === rules) return known.names;
  const names = matchingNames(clusters, rules);
  matching.set(clusters, { rules, names });
  return names;
}

/** Checks a pair again at its turn, by its terms at the failure of the cluster. */
function evict({
  key,
  view,
  memory,
  configuration,
  now,
  evidence,
}: ReconcileRequest<QueuedEviction>): Step<QueuedEviction> {
  const pair = parseTaintedPairKey(key);
  const binding = view.get('Binding', pair.binding);
  if (!binding) return { turn: 'unused' };
  if (memory?.abandoned !== undefined) return { memory, turn: 'unused' };
  const terms = memory && !memory.terms ? presentTerms(binding) : memory?.terms;
  const kept: Pick<Step<QueuedEviction>, 'memory'> = terms ? { memory: { terms } } : {};
  const outcome = processTaintedPair(
    {
      clusterName: pair.cluster,
      cluster: view.get('Cluster', pair.cluster),
      binding,
      now,
      configuration,
      terms,
      matching: () => matchingIn(view, configuration),
    },
    evidence,
  );
  switch (outcome.kind) {
    case 'none':
      return { ...kept, turn: 'unused' };
    case 'wait':
      return { ...kept, turn: 'unused', requeue: { after: outcome.milliseconds } };
    case 'error':
      return { ...kept, turn: 'unused', failure: evictionFailure(pair, outcome.message) };
    case 'abandoned':
      return {
        memory: { ...kept.memory, abandoned: outcome.reason },
        notes: [{ type: 'EvictionAbandoned', ...pair, reason: outcome.reason }],
      };
    case 'evict':
      evidence?.push(paceEvidence(paceIn(view, configuration)));
      return { memory: {}, writes: [evictionWrite(binding, outcome.spec)] };
  }
}

/** The terms of an evicted binding that a scheduler has placed on the cluster again. */
function presentTerms(binding: ResourceBinding): EvictionTerms | undefined {
  const terms = termsOf(binding, appliedPlacement(binding.metadata));
  return terms.tolerations ? terms : undefined;
}
