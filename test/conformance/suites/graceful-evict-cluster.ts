import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { evictCluster, type EvictionTaskOptions } from '../../../src/karmada/eviction/evictionTasks.ts';
import type { Suite } from '../suite.ts';

interface Input {
  spec: ResourceBindingSpec;
  cluster: string;
  options: EvictionTaskOptions;
}

export default {
  answer({ spec, cluster, options }: Input) {
    const { clusters, gracefulEvictionTasks } = evictCluster(spec, cluster, options);
    return { clusters, gracefulEvictionTasks };
  },
} satisfies Suite;
