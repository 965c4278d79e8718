import type { ControllerNews, Reconciled } from '../../karmada/running/controllerNews.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import { reconcileNews } from '../../karmada/running/controllerNews.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { rfc3339 } from '../../kubernetes/time.ts';

/** What happened to one binding in the eviction queue of the design optimize-cluster-failover. */
export interface QueueNews {
  binding: string;
  cluster: string;
  state: 'Waiting' | 'Tolerating' | 'Evicted' | 'Abandoned' | 'Dropped' | 'Left';
  /** a sentence about the binding, for users */
  message: string;
}

/** Whether it is in the queue. */
export function isQueued({ state }: Pick<QueueNews, 'state'>): boolean {
  return state === 'Waiting' || state === 'Tolerating';
}

/** The bindings that enter or leave the eviction queue in a reconcile, in a version that has one. */
export function queueNewsOf(result: Reconciled<ControllerName>): QueueNews[] {
  const found = reconcileNews(result).flatMap(ofNews);
  if (found.length > 0 || !foundNothing(result)) return found;
  const { binding, cluster } = parseTaintedPairKey(result.key);
  return [
    {
      binding,
      cluster,
      state: 'Left',
      message: `Has left cluster ${cluster} before its turn to be evicted.`,
    },
  ];
}

function ofNews(news: ControllerNews): QueueNews[] {
  switch (news.type) {
    case 'queued':
      return news.bindings.map((binding) => ({
        binding,
        cluster: news.cluster,
        state: 'Waiting',
        message: `Waits in the eviction queue for its turn to leave cluster ${news.cluster}.`,
      }));
    case 'tolerated': {
      const { key: binding, cluster, until } = news;
      if (until === undefined) return [];
      const message = `Tolerates the taints of cluster ${cluster} until ${rfc3339(until)}, and waits then for its turn in the eviction queue.`;
      return [{ binding, cluster, state: 'Tolerating', message }];
    }
    case 'evicted': {
      if (news.controller !== 'eviction-queue') return [];
      const how = news.task?.purgeMode ? `, ${news.task.purgeMode}` : '';
      const message = `Left the eviction queue: evicted from cluster ${news.cluster}${how}.`;
      return [{ binding: bindingKey(news.binding), cluster: news.cluster, state: 'Evicted', message }];
    }
    case 'abandoned': {
      const { key: binding, cluster, reason } = news;
      const message = `Left the eviction queue, and its eviction from cluster ${cluster} is abandoned: ${reason}.`;
      return [{ binding, cluster, state: 'Abandoned', message }];
    }
    case 'dropped':
      return news.bindings.map((binding) => ({
        binding,
        cluster: news.cluster,
        state: 'Dropped',
        message: `Leaves the eviction queue without a turn: ${news.reason}.`,
      }));
    default:
      return [];
  }
}

/** Whether a worker processed a pair and found nothing left to evict, so that it is not retried. */
function foundNothing({ controller, step, failure }: Reconciled<ControllerName>): boolean {
  const abandoned = (step.memory as { abandoned?: unknown } | undefined)?.abandoned !== undefined;
  return controller === 'eviction-queue' && step.turn === 'unused' && !step.requeue && !failure && !abandoned;
}
