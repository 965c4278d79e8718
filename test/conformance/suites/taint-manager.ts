import type { FeatureGates } from '../../../src/karmada/configuration/configuration.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { instant } from '../../../src/kubernetes/time.ts';
import { processTaintedPair } from '../../../src/karmada/taints/taintedPair.ts';
import type { Suite } from '../suite.ts';

interface Input {
  now: string;
  cluster: Cluster;
  binding: ResourceBinding;
  noExecuteTaintEvictionPurgeMode?: 'Gracefully' | 'Directly';
  enableNoExecuteTaintEviction?: boolean;
  featureGates?: Partial<FeatureGates>;
}

export default {
  answer(input: Input, { defaults }: Dialect) {
    const { cluster, binding } = input;
    const outcome = processTaintedPair({
      clusterName: cluster.metadata.name,
      cluster,
      binding,
      now: instant(input.now),
      configuration: {
        rules: defaults.rules,
        controllerManager: {
          'enable-no-execute-taint-eviction': input.enableNoExecuteTaintEviction ?? false,
          'no-execute-taint-eviction-purge-mode': input.noExecuteTaintEvictionPurgeMode ?? 'Gracefully',
        },
        featureGates: { ...defaults.featureGates, ...input.featureGates },
      },
    });
    const { clusters, gracefulEvictionTasks } = outcome.kind === 'evict' ? outcome.spec : binding.spec;
    return {
      clusters,
      gracefulEvictionTasks,
      ...(outcome.kind === 'wait' && { retryAfterNs: outcome.milliseconds * 1e6 }),
      ...(outcome.kind === 'error' && { error: outcome.message }),
    };
  },
} satisfies Suite;
