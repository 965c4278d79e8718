import { conditionOf, setCondition, type NewCondition } from '../../karmada/objects/conditions.ts';
import type { Reconciled } from '../../karmada/running/controllerNews.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { TAINTED_CLUSTER_RESYNC } from '../../karmada/taints/taintedPair.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { EVICTION_QUEUED_CONDITION } from '../../karmada/api/names.ts';
import { missingChange } from '../../kubernetes/missingChange.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath } from '../../state/live/resources.ts';
import { LeadershipLost, type Leadership } from '../leadership.ts';
import type { Pause } from '../pause.ts';
import { bindingResource } from '../writeBinding.ts';
import { rewriteObject } from '../rewriteObject.ts';
import { FIELD_MANAGER } from './liveWrites.ts';
import { isQueued, queueNewsOf, type QueueNews } from './queueNews.ts';

/** Milliseconds to settle a write whose answer is lost. */
const PATIENCE = 5_000;

interface QueueConditionsOptions {
  view: View;
  leadership: Leadership;
  pause: Pause;
  /** sanitizes a text for display: no secrets, no terminal control characters */
  presentable: (text: string) => string;
  /** called for each condition that could not be written; the work continues */
  onFailure?: ((binding: string, error: string) => void) | undefined;
}

/** Writes conditions of bindings that enter or leave the eviction queue. */
interface QueueConditions {
  reconciled(result: Reconciled<ControllerName>): void;
  /** resolves when all conditions so far are written or given up; at once if leadership has ended */
  written(): Promise<void>;
}

/**
 * Writes the condition EvictionQueued of bindings, one after the other in the background: True while the binding
 * waits to leave a cluster, False once it has left the queue, with its outcome. If several states of a binding are
 * pending, only the last is written. If an earlier process left a condition True, it becomes False unless the binding
 * is queued once every cluster has been checked. No decision waits for or reads conditions.
 */
export function createQueueConditions(
  server: ApiServer,
  { view, leadership, pause, presentable, onFailure }: QueueConditionsOptions,
): QueueConditions {
  /** by binding in the queue, then by cluster */
  const queued = new Map<string, Map<string, QueueNews>>();
  const due = new Map<string, Wanted>();
  let working: Promise<void> = Promise.resolve();
  let isWorking = false;

  function want(binding: string, wanted: Wanted): void {
    due.set(binding, wanted);
    if (isWorking) return;
    isWorking = true;
    working = work();
  }

  async function work(): Promise<void> {
    try {
      for (let next = first(due); next && !leadership.signal.aborted; next = first(due)) {
        const [binding, wanted] = next;
        due.delete(binding);
        await write(binding, wanted).catch((error: unknown) => {
          if (error instanceof LeadershipLost || !(error instanceof ApiError)) throw error;
          onFailure?.(binding, error.message);
        });
      }
    } catch (error) {
      if (!(error instanceof LeadershipLost)) throw error;
    } finally {
      // reset at once: a write requested a moment later would otherwise wait for the next one
      isWorking = false;
    }
  }

  async function write(key: string, wanted: Wanted): Promise<void> {
    const known = view.get('Binding', key);
    if (!known) return;
    const { namespace, name } = known.metadata;
    const resource = bindingResource(known);
    const { lost } = leadership;
    const found = await server.get<ResourceBinding>(apiPath(resource, namespace, name), { signal: lost });
    const shown = { ...wanted, message: presentable(wanted.message) };
    const change = (binding: ResourceBinding) => withQueued(binding, shown, server.now());
    const outcome = await rewriteObject(server, resource, found, change, {
      subresource: 'status',
      signal: leadership.signal,
      patience: PATIENCE,
      pause,
      holds: (binding) => missingChange(undefined, shown, queuedCondition(binding)) === undefined,
      request: { signal: lost, beforeSent: () => leadership.assert(), fieldManager: FIELD_MANAGER },
    });
    if (outcome.result === 'refused' || outcome.result === 'contended') onFailure?.(key, outcome.message);
  }

  void settleLeftovers();

  /** Corrects conditions left by another process, once the taint manager has checked every cluster. */
  async function settleLeftovers(): Promise<void> {
    const left = [...view.all('Binding')].filter(isQueuedByCondition).map(bindingKey);
    if (left.length === 0) return;
    await pause(TAINTED_CLUSTER_RESYNC, leadership.signal);
    if (leadership.signal.aborted) return;
    for (const binding of left)
      if (!queued.has(binding) && !due.has(binding))
        want(binding, {
          status: 'False',
          reason: 'Left',
          message: 'No longer waits in the eviction queue.',
        });
  }

  return {
    reconciled(result) {
      for (const news of queueNewsOf(result)) {
        const { binding, cluster } = news;
        const own = queued.get(binding) ?? new Map<string, QueueNews>();
        if (isQueued(news)) {
          own.set(cluster, news);
          queued.set(binding, own);
        } else if (!own.delete(cluster) && news.state === 'Left') continue;
        if (own.size === 0) queued.delete(binding);
        want(binding, wantedOf(own.size > 0 ? [...own.values()] : [news]));
      }
    },
    written: () => working,
  };
}

type Wanted = Omit<NewCondition, 'type'>;

function wantedOf(news: readonly QueueNews[]): Wanted {
  const waiting = news.find(({ state }) => state === 'Waiting') ?? news[0]!;
  return {
    status: isQueued(waiting) ? 'True' : 'False',
    reason: waiting.state,
    message: news.map(({ message }) => message).join(' '),
  };
}

function withQueued(binding: ResourceBinding, wanted: Wanted, now: number): ResourceBinding {
  const stated = { type: EVICTION_QUEUED_CONDITION, ...wanted };
  return {
    ...binding,
    status: { ...binding.status, conditions: setCondition(binding.status?.conditions, stated, now) },
  };
}

function queuedCondition({ status }: ResourceBinding): Condition | undefined {
  return conditionOf(status?.conditions, EVICTION_QUEUED_CONDITION);
}

function isQueuedByCondition(binding: ResourceBinding): boolean {
  return queuedCondition(binding)?.status === 'True';
}

function first<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  for (const entry of map) return entry;
  return undefined;
}
