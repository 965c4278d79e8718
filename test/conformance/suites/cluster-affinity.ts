import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../src/karmada/api/work.ts';
import { bindingAffinityMatches } from '../../../src/karmada/scheduling/filters/clusterAffinity.ts';
import { clusterMatches, createAffinities } from '../../../src/karmada/selection/clusterAffinity.ts';
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
  answer({ clusters, affinity, spec, status }: Input, { rules: { scheduling: rules } }) {
    const context = { affinities: createAffinities(rules), rules };
    if (spec)
      return {
        filter: byCluster(clusters, (cluster) => bindingAffinityMatches(spec, status, cluster, context)),
      };
    return { matches: byCluster(clusters, (cluster) => clusterMatches(cluster, affinity ?? {}, rules)) };
  },
} satisfies Suite;
