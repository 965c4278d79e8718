import type { Configuration } from '../../karmada/configuration.ts';
import { startsTaintManager } from '../taints/taintEviction.ts';
import { processTaintedPair } from '../taints/taintManager.ts';
import type { Controller, ControllerName, Look, PacedQueue, Step } from './controller.ts';
import { parseTaintedPairKey } from './taintedPair.ts';

/** ConcurrentReconciles of the taint manager, for each of its queues. */
const WORKERS = 3;

/** The taint manager's eviction workers for ResourceBindings: only the taint manager fills their queue. */
export const bindingEviction: Controller = evictionWorkers('binding-eviction');

/** The same for ClusterResourceBindings, with their own queue and workers. */
export const clusterBindingEviction: Controller = evictionWorkers('cluster-binding-eviction');

function evictionWorkers(name: ControllerName): Controller {
  return { name, runs: startsTaintManager, queue: pacedQueue, wakes: {}, look: evict };
}

function pacedQueue({ rules, controllerManager }: Configuration): PacedQueue {
  const paced = rules.taints.evictionPace === 'paced';
  return { rate: paced ? controllerManager['resource-eviction-rate'] : undefined, workers: WORKERS };
}

/** Judges a pair anew when it has its turn: if the cluster has lost its taint meanwhile, nothing happens. */
function evict({ key, view, configuration, now, evidence }: Look<unknown>): Step<unknown> {
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
      return {};
    case 'wait':
      return { again: { after: outcome.milliseconds } };
    case 'error':
      return {
        failure: {
          reason: 'EvictWorkloadFromClusterFailed',
          message: outcome.message,
          unless: [
            { kind: 'Binding', key: pair.binding },
            { kind: 'Cluster', key: pair.cluster },
          ],
        },
      };
    case 'evict':
      return {
        writes: [
          {
            verb: 'update',
            kind: 'Binding',
            key: pair.binding,
            part: 'object',
            lock: true,
            base: binding,
            object: { ...binding, spec: outcome.spec },
          },
        ],
      };
  }
}
