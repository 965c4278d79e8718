import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import {
  assessEvictionTasks,
  wakesEvictionController,
} from '../../../src/karmada/eviction/evictionAssessment.ts';
import type { Suite } from '../suite.ts';

type Spec = ResourceBinding['spec'];
type Status = NonNullable<ResourceBinding['status']>;

interface Input extends Pick<Spec, 'gracefulEvictionTasks' | 'clusters'> {
  now: string;
  gracefulEvictionTimeoutSeconds: number;
  aggregatedStatus?: Status['aggregatedStatus'];
  generation?: number;
  schedulerObservedGeneration?: number;
}

const NANOSECONDS = 1e6;

export default {
  answer(
    { now, gracefulEvictionTimeoutSeconds, gracefulEvictionTasks, clusters, ...input }: Input,
    { rules }: Dialect,
  ) {
    const binding: ResourceBinding = {
      metadata: { name: 'binding', generation: input.generation },
      spec: { resource: { apiVersion: '', kind: '', name: '' }, clusters, gracefulEvictionTasks },
      status: {
        schedulerObservedGeneration: input.schedulerObservedGeneration,
        aggregatedStatus: input.aggregatedStatus,
      },
    };
    const looked = !gracefulEvictionTasks?.length || wakesEvictionController(binding, rules);
    if (!looked) return { keptTasks: gracefulEvictionTasks, ignored: true };
    const { keptTasks, evictedClusters, nextRetry } = assessEvictionTasks(binding, {
      now: Date.parse(now),
      gracefulEvictionTimeout: gracefulEvictionTimeoutSeconds * 1000,
      plugins: rules.eviction.evictPlugins,
      rules,
    });
    return {
      keptTasks,
      evictedClusters,
      nextRetryNs: nextRetry * NANOSECONDS,
      requeueAfterNs: Math.max(0, nextRetry) * NANOSECONDS,
    };
  },
} satisfies Suite;
