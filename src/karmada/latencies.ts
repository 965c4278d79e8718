/**
 * How long Karmada's components and the members take to react, in milliseconds: typical figures of an idle control
 * plane. They only decide the order of steps within a second; times of a simulation are exact to about two seconds. How
 * long each controller takes from an event to its look is in the registry of controllers.
 */
export const latencies = {
  /** a conflict with somebody else's write → the write at the next try */
  conflict: 250,
  /**
   * how long the only worker of a controller, such as the scheduler's, is busy with a key for which it writes
   * something
   */
  singleWorker: 40,
  /** replicas ready in the member → counted as ready there by its workload controller */
  readinessReport: 2000,
} as const;
