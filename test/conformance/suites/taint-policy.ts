import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { instant } from '../../../src/kubernetes/time.ts';
import { reconcileClusterTaintPolicies } from '../../../src/karmada/taints/clusterTaintPolicy.ts';
import type { Suite } from '../suite.ts';

interface Input {
  now: string;
  cluster: Cluster;
  policies?: ClusterTaintPolicy[];
}

export default {
  answer({ now, cluster, policies = [] }: Input, { rules }) {
    const { taints, changed } = reconcileClusterTaintPolicies({
      cluster,
      policies,
      now: instant(now),
      rules: rules.scheduling,
    });
    return { taints, changed };
  },
} satisfies Suite;
