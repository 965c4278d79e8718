import type { ApplicationFailoverBehavior } from '../../../src/karmada/api/policy.ts';
import type {
  AggregatedStatusItem,
  ResourceBinding,
  ResourceBindingSpec,
} from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { applicationFailoverTask } from '../../../src/engine/application/applicationFailoverTask.ts';
import { evictCluster } from '../../../src/engine/eviction/evictCluster.ts';
import type { Suite } from '../suite.ts';

interface Input {
  application: ApplicationFailoverBehavior;
  aggregatedStatus?: AggregatedStatusItem[];
  spec: ResourceBindingSpec;
  cluster: string;
  featureGates?: Partial<typeof v1_18.defaults.featureGates>;
}

export default {
  answer({ application, aggregatedStatus, spec, cluster, featureGates }: Input) {
    const binding: ResourceBinding = {
      kind: 'ResourceBinding',
      metadata: { name: 'binding' },
      spec: { ...spec, failover: { application } },
      status: { aggregatedStatus },
    };
    const task = applicationFailoverTask(binding, cluster, {
      ...v1_18.defaults.featureGates,
      ...featureGates,
    });
    if ('error' in task) return task;
    const { clusters, gracefulEvictionTasks } = evictCluster(spec, cluster, task.options);
    return { clusters, gracefulEvictionTasks };
  },
} satisfies Suite;
