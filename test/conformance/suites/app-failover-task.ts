import type { ApplicationFailoverBehavior } from '../../../src/karmada/api/policy.ts';
import type {
  AggregatedStatusItem,
  ResourceBinding,
  ResourceBindingSpec,
} from '../../../src/karmada/api/work.ts';
import type { FeatureGates } from '../../../src/karmada/configuration/configuration.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { evictApplication } from '../../../src/karmada/application/applicationEviction.ts';
import type { Suite } from '../suite.ts';

interface Input {
  application: ApplicationFailoverBehavior;
  aggregatedStatus?: AggregatedStatusItem[];
  spec: ResourceBindingSpec;
  cluster: string;
  featureGates?: Partial<FeatureGates>;
}

export default {
  answer(
    { application, aggregatedStatus, spec, cluster, featureGates }: Input,
    { rules, defaults }: Dialect,
  ) {
    const binding: ResourceBinding = {
      kind: 'ResourceBinding',
      metadata: { name: 'binding' },
      spec: { ...spec, failover: { application } },
      status: { aggregatedStatus },
    };
    const gates = { ...defaults.featureGates, ...featureGates };
    const evicted = evictApplication(binding, binding.spec, cluster, gates, rules);
    if ('error' in evicted) return evicted;
    const { clusters, gracefulEvictionTasks } = evicted.spec;
    return { clusters, gracefulEvictionTasks };
  },
} satisfies Suite;
