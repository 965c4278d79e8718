/**
 * How long Karmada's components and the members take to react, in milliseconds: typical figures of an idle control plane.
 * They decide the order of steps that follow one another within a second, and nothing else; times of a
 * simulation are to be read as good to about two seconds.
 */
export const latencies = {
  /** an event → a controller's look, by its name; those that are not named are at once */
  reactions: {
    'cluster-controller': 60,
    'cluster-taint-policy-controller': 110,
    'taint-manager': 30,
    scheduler: 400,
    'graceful-eviction': 40,
    'application-failover': 40,
    'binding-controller': 60,
    'execution-controller': 80,
    'work-status': 80,
    'binding-status': 40,
    'dependencies-distributor': 100,
    'workload-rebalancer': 100,
    detector: 100,
    'garbage-collector': 100,
  },
  /** the scheduler's own patch → its second look, which makes the generations equal */
  schedulerSecondLook: 500,
  /** replicas ready in the member → counted as ready there by its workload controller */
  readinessReport: 2000,
  /** event → a drain's next look */
  drain: 100,
} as const;
