/** The program's log, by klog's verbosity (-v=N). Off by default. */
export interface Logger {
  /** Whether entries of this verbosity are logged. */
  enabled(verbosity: number): boolean;
  /** Logs one entry, if its verbosity is enabled. Fields and message may contain secrets: they are redacted. */
  info(verbosity: number, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs one entry, whatever the verbosity. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Label names with their values. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Metrics of a running program, for Prometheus. Off by default. Each name always has the same help text and the same
 * labels.
 */
export interface Metrics {
  /** Adds to a counter: "rest_client_requests_total". */
  count(name: string, help: string, labels?: Labels): void;
  set(name: string, help: string, value: number, labels?: Labels): void;
  /** Adds to a gauge; a negative number subtracts. */
  add(name: string, help: string, by: number, labels?: Labels): void;
  /**
   * Adds one value to a histogram: "rest_client_request_duration_seconds".
   *
   * @param buckets upper limits; default: those of client-go's requests, in seconds
   */
  observe(name: string, help: string, value: number, labels?: Labels, buckets?: readonly number[]): void;
}
