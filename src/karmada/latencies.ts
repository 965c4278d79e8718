/**
 * How long Karmada's components and the members take to react, in milliseconds: typical values of an idle control
 * plane. They only decide the order of steps within a second; a simulation's times are accurate to about two seconds.
 * The delay from an event to a controller's reconcile is in the registry of controllers.
 */
export const latencies = {
  /** from a write conflict with another client to the retried write */
  conflict: 250,
  /** the time that a controller with a single worker, such as the scheduler, takes for a key with writes */
  singleWorker: 40,
  /** from replicas becoming ready in the member to its workload controller counting them as ready */
  readinessReport: 2000,
} as const;
