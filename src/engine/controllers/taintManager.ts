import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import type { Evidence } from '../evidence.ts';
import { startsTaintManager } from '../taints/taintEviction.ts';
import {
  enqueueDecision,
  evictionDue,
  TAINTED_CLUSTER_RESYNC,
  taintsInForce,
  type EnqueueDecision,
} from '../taints/taintManager.ts';
import { createPlacementReader } from '../objects/appliedPlacement.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Controller, ControllerName, Note, Step } from './controller.ts';
import { taintedPairKey } from './taintedPair.ts';

/** What the last look at a cluster has told of, so that it is told once. */
interface TaintManagerMemory {
  /** until when a binding tolerates (epoch milliseconds), null for ever; by the binding's key */
  tolerated: Record<string, number | null>;
  /** how many of its bindings were due at once */
  due: number;
}

/**
 * The taint manager's look at a cluster: while the cluster has NoExecute taints, every 10 s and upon every event of it, the
 * cluster's bindings are put into the eviction queues. Bindings and policies do not wake it. What becomes of a pair of
 * cluster and binding is decided when the pair has its turn there (`bindingEviction`).
 */
export const taintManager: Controller<TaintManagerMemory> = {
  name: 'taint-manager',
  runs: startsTaintManager,
  wakes: {
    Cluster: ({ key, before, after }, _view, { configuration }) =>
      isTainted(before, configuration) || isTainted(after, configuration) ? [{ key }] : [],
  },
  *resumes(view, { configuration }) {
    for (const cluster of view.all('Cluster'))
      if (isTainted(cluster, configuration)) yield { key: cluster.metadata.name };
  },
  look({ key: cluster, view, memory, configuration, now, evidence }) {
    const taints = taintsInForce(view.get('Cluster', cluster), configuration);
    if (taints.length === 0) return {};
    const tolerated: TaintManagerMemory['tolerated'] = {};
    const enqueues: NonNullable<Step<never>['enqueues']>[number][] = [];
    const notes: Note[] = [];
    let due = 0;
    let waiting = 0;
    const applied = createPlacementReader();
    for (const binding of view.bindingsOn(cluster)) {
      const why: Evidence[] | undefined = evidence && [];
      const decision = evictionDue(taints, binding, applied(binding.metadata), now, why);
      const queued = enqueueDecision(taints, decision, configuration.rules);
      const own = bindingKey(binding);
      if (queued.kind !== 'skip')
        enqueues.push({
          queue: queueOf(binding),
          key: taintedPairKey({ cluster, binding: own }),
          ...delayOf(queued),
        });
      if (decision.kind === 'immediate') {
        due++;
        continue;
      }
      const until = decision.kind === 'after' ? now + decision.milliseconds : null;
      if (until !== null) waiting++;
      tolerated[own] = until;
      if (memory?.tolerated[own] !== until) notes.push(toleratedNote(own, cluster, taints, until, why));
    }
    // They come out of a hash table: whose turn is first is chance.
    if (due > 1 && due > (memory?.due ?? 0))
      notes.push({ type: 'FreeChoice', cluster, choice: 'turn in a paced queue' });
    return {
      enqueues,
      notes,
      memory: { tolerated, due },
      again: {
        after: TAINTED_CLUSTER_RESYNC,
        ...(findsNothingNew(due + waiting, configuration.rules) && {
          unless: [{ kind: 'Binding', on: cluster }],
        }),
      },
    };
  },
};

/**
 * Whether the next look could only find other bindings: events of the cluster wake it anyway, and what is in the queue stays
 * there. Versions that pace every binding let the tolerant ones delay, each time anew, those that are due or will be.
 *
 * @param evicted bindings that are due now or when their toleration ends
 */
function findsNothingNew(evicted: number, { taints }: Rules): boolean {
  return evicted === 0 || taints.evictionQueue === 'intolerantBindings' || taints.evictionPace === 'unpaced';
}

function isTainted(cluster: Cluster | undefined, configuration: Configuration): boolean {
  return taintsInForce(cluster, configuration).length > 0;
}

function queueOf(binding: ResourceBinding): ControllerName {
  return binding.metadata.namespace ? 'binding-eviction' : 'cluster-binding-eviction';
}

function delayOf(decision: EnqueueDecision): { after?: number } {
  return decision.kind === 'after' ? { after: decision.milliseconds } : {};
}

function toleratedNote(
  binding: string,
  cluster: string,
  taints: readonly Taint[],
  until: number | null,
  evidence: Evidence[] | undefined,
): Note {
  return {
    type: 'Tolerated',
    binding,
    cluster,
    taints: taints.map(({ key }) => key),
    ...(until !== null && { until }),
    ...(evidence && { evidence }),
  };
}
