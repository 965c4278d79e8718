// The seconds that the design optimize-cluster-failover gives fields without a value, by the defaults of its CRDs.
// Objects from files may lack them, so rules use them too.

/** taintsToAdd[].addOnMatchSeconds of a ClusterTaintPolicy */
export const ADD_ON_MATCH_SECONDS = 300;

/** taintsToAdd[].removeOnMismatchSeconds of a ClusterTaintPolicy */
export const REMOVE_ON_MISMATCH_SECONDS = 180;

/** failover.cluster.tolerationSeconds of policies and bindings, if they have failover.cluster at all */
export const CLUSTER_TOLERATION_SECONDS = 300;
