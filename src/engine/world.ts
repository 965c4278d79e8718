import type { Cluster } from '../karmada/api/cluster.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../karmada/api/work.ts';

/**
 * A Karmada control plane at one instant: the objects that its controllers act on. Objects are as the API
 * serves them, unknown fields included, and are never changed in place.
 */
export interface World {
  clusters: Cluster[];
  /** ResourceBindings and ClusterResourceBindings; `kind` tells which */
  bindings: ResourceBinding[];
  works: Work[];
  /** PropagationPolicies and ClusterPropagationPolicies */
  policies: PropagationPolicy[];
  taintPolicies: ClusterTaintPolicy[];
  /** all other kinds: resource templates, Leases, Deployments of the components, … */
  others: KubernetesObject[];
}
