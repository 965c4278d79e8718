/** Names of labels and their values. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Numbers about a running program, for Prometheus. None is there unless it is asked for. A name always comes with the same help and
 * the same labels.
 */
export interface Metrics {
  /** Adds to what only grows: "rest_client_requests_total". */
  count(name: string, help: string, labels?: Labels, by?: number): void;
  /** Sets what goes up and down. */
  set(name: string, help: string, value: number, labels?: Labels): void;
  /** Takes in one value of a distribution: "rest_client_request_duration_seconds". */
  observe(name: string, help: string, value: number, labels?: Labels): void;
}
