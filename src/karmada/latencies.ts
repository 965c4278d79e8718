/**
 * How long Karmada's components and the members take to react, in milliseconds: typical figures of an idle control
 * plane. They only decide the order of steps within a second; times of a simulation are exact to about two seconds.
 */
export const latencies = {
  /** an event → a controller's look, by its name; others look at once */
  reactions: {
    'cluster-controller': 60,
    'cluster-taint-policy-controller': 90,
    'taint-manager': 30,
    scheduler: 65,
    'graceful-eviction': 70,
    'application-failover': 40,
    'binding-controller': 10,
    'execution-controller': 130,
    'work-status': 40,
    'binding-status': 110,
    'dependencies-distributor': 100,
    'workload-rebalancer': 100,
    detector: 100,
    'garbage-collector': 100,
    kubelet: 150,
  },
  /** a conflict with somebody else's write → the write at the next try */
  conflict: 250,
  /**
   * how long the only worker of a controller, such as the scheduler's, is busy with a key for which it writes
   * something
   */
  singleWorker: 40,
  /** replicas ready in the member → counted as ready there by its workload controller */
  readinessReport: 2000,
  /** event → a drain's next look */
  drain: 100,
} as const;
