import type { Configuration } from '../configuration/configuration.ts';
import { processTaintedPair } from './taintedPair.ts';
import { bindingKey } from '../objects/identities.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { Controller, Failure, ReconcileRequest, PacedQueue, Step } from '../controllers/controller.ts';
import { parseTaintedPairKey, type TaintedPairKey } from './taintedPair.ts';
import type { Write } from '../controllers/write.ts';

/** ConcurrentReconciles of each queue of the taint manager. */
const WORKERS = 3;

/**
 * The taint manager's eviction workers, separate for ResourceBindings and ClusterResourceBindings: only the taint
 * manager fills their queues. If the version has a single queue with one rate, `evictionQueue` replaces them.
 */
export const bindingEviction: Controller = { queue: pacedQueue, wakes: {}, reconcile: evict };

function pacedQueue({ rules, controllerManager }: Configuration): PacedQueue {
  const paced = rules.taints.evictionPace === 'paced';
  return { rate: paced ? controllerManager['resource-eviction-rate'] : undefined, workers: WORKERS };
}

/** Checks a pair again at its turn: if the cluster has lost its taint, nothing happens. */
function evict({ key, view, configuration, now, evidence }: ReconcileRequest<unknown>): Step<unknown> {
  const pair = parseTaintedPairKey(key);
  const binding = view.get('Binding', pair.binding);
  if (!binding) return {};
  const outcome = processTaintedPair(
    {
      clusterName: pair.cluster,
      cluster: view.get('Cluster', pair.cluster),
      binding,
      now,
      configuration,
    },
    evidence,
  );
  switch (outcome.kind) {
    case 'none':
    case 'abandoned':
      return {};
    case 'wait':
      return { requeue: { after: outcome.milliseconds } };
    case 'error':
      return { failure: evictionFailure(pair, outcome.message) };
    case 'evict':
      return { writes: [evictionWrite(binding, outcome.spec)] };
  }
}

/** A pair that cannot be processed: only a change of the binding or the cluster helps. */
export function evictionFailure({ binding, cluster }: TaintedPairKey, message: string): Failure {
  return {
    reason: 'EvictWorkloadFromClusterFailed',
    message,
    unless: [
      { kind: 'Binding', key: binding },
      { kind: 'Cluster', key: cluster },
    ],
  };
}

/** A single update, refused if another client has changed the binding. */
export function evictionWrite(binding: ResourceBinding, spec: ResourceBindingSpec): Write {
  return {
    verb: 'update',
    kind: 'Binding',
    key: bindingKey(binding),
    part: 'object',
    lock: true,
    base: binding,
    object: { ...binding, spec },
  };
}
