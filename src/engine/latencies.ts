/**
 * How long Karmada's components take to react, in milliseconds: typical figures of an idle control plane.
 * They decide the order of steps that follow one another within a second, and nothing else; times of a
 * simulation are to be read as good to about two seconds.
 */
export const latencies = {
  /** Cluster event → NoSchedule taints written by the cluster controller */
  clusterController: 60,
  /** condition change → taints written by the ClusterTaintPolicy controller */
  clusterTaintPolicyController: 110,
  /** Cluster event → first evictions */
  taintManager: 30,
  /** binding or Cluster event → scheduling attempt */
  scheduler: 400,
  /** the scheduler's own patch → its second look, which makes the generations equal */
  schedulerSecondLook: 500,
  /** binding event → assessment of its tasks */
  gracefulEviction: 40,
  applicationFailover: 40,
  /** binding event → Works written */
  bindingController: 60,
  /** Work written → applied in the member */
  execution: 80,
  /** applied in the member → health reported on the Work */
  workStatus: 80,
  /** Work status → aggregatedStatus of the binding */
  statusAggregation: 40,
  /** replicas ready in the member → counted as ready there by its workload controller */
  readinessReport: 2000,
  /** Work deleted → gone */
  workDeletion: 100,
  /** parent's clusters → requiredBy of the dependents */
  dependenciesDistributor: 100,
  /** event → a drain's next look */
  drain: 100,
  /** policy or template event → binding written */
  detector: 100,
} as const;
