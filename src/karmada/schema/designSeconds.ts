// The defaults, in seconds, that the CRDs of designs give to absent fields. Objects from files may lack them, so rules
// use them too.

// optimize-cluster-failover

/** taintsToAdd[].addOnMatchSeconds of a ClusterTaintPolicy */
export const ADD_ON_MATCH_SECONDS = 300;

/** taintsToAdd[].removeOnMismatchSeconds of a ClusterTaintPolicy */
export const REMOVE_ON_MISMATCH_SECONDS = 180;

/** failover.cluster.tolerationSeconds of policies and bindings, if they have failover.cluster at all */
export const CLUSTER_TOLERATION_SECONDS = 300;

// application-failover

/** failover.application.blockPredecessorSeconds */
export const BLOCK_PREDECESSOR_SECONDS = 600;
