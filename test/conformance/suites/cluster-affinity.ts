import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../src/karmada/api/work.ts';
import { bindingAffinityMatches } from '../../../src/engine/scheduling/filters/clusterAffinity.ts';
import { clusterMatches } from '../../../src/engine/selection/clusterAffinity.ts';
import type { Suite } from '../suite.ts';

interface Input {
  clusters: Cluster[];
  affinity?: ClusterAffinity;
  spec?: ResourceBindingSpec;
  status?: ResourceBindingStatus;
}

const byCluster = (clusters: Cluster[], decide: (cluster: Cluster) => boolean) =>
  Object.fromEntries(clusters.map((cluster) => [cluster.metadata.name, decide(cluster)]));

export default {
  answer({ clusters, affinity, spec, status }: Input) {
    if (spec)
      return { filter: byCluster(clusters, (cluster) => bindingAffinityMatches(spec, status, cluster)) };
    return { matches: byCluster(clusters, (cluster) => clusterMatches(cluster, affinity ?? {})) };
  },
} satisfies Suite;
