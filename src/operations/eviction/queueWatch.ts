import {
  waitingEvictions,
  waitingSummary,
  type QueueStanding,
} from '../../analysis/explanation/waitingEvictions.ts';
import { hasOneQueue, startsTaintManager } from '../../karmada/taints/taintEviction.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { instant } from '../../kubernetes/time.ts';

export interface QueueWatchOptions {
  configuration: Configuration;
  /** bindings of other namespaces are not read */
  partial: boolean;
  /** whether a binding is one of those asked for */
  concerns(binding: ResourceBinding): boolean;
}

/** Looks at the queue again and again. */
export interface QueueWatch {
  /** How it stands, if that is not what the last look found; at first only if something waits. */
  look(
    clusters: readonly Cluster[],
    bindings: readonly ResourceBinding[],
    now: number,
  ): QueueStanding | undefined;
  /** when a toleration ends, so that another look may find more that waits (epoch milliseconds) */
  next(): number | undefined;
}

/** Watches the eviction queue; undefined in versions without one, or if the taint manager does not run. */
export function createQueueWatch({
  configuration,
  partial,
  concerns,
}: QueueWatchOptions): QueueWatch | undefined {
  if (!hasOneQueue(configuration.rules) || !startsTaintManager(configuration)) return undefined;
  let told = '';
  let next: number | undefined;
  return {
    next: () => next,
    look(clusters, bindings, now) {
      const queue = waitingEvictions(
        { clusters: [...clusters], bindings: [...bindings] },
        { now, configuration, partial, asked: concerns },
      )!;
      const ends = queue.items.flatMap(({ state, expected }) =>
        state === 'tolerating' && expected !== null ? [instant(expected) + 1000] : [],
      );
      next = ends.length > 0 ? ends.reduce((a, b) => Math.min(a, b)) : undefined;
      const summary = waitingSummary(queue);
      const { pace } = queue;
      // When the last has its turn changes by itself.
      const standing = JSON.stringify([pace.mode, pace.rate, summary.clusters]);
      const nothing = told === '' && summary.clusters.length === 0;
      if (nothing || standing === told) return undefined;
      told = standing;
      return { ...summary, pace };
    },
  };
}
