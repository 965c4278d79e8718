/** The log of what a program does, by klog's verbosity (-v=N). There is none unless it is asked for. */
export interface Logger {
  /** Whether entries of this verbosity are logged. */
  enabled(verbosity: number): boolean;
  /** Logs one entry, if its verbosity is enabled. Fields and message may hold secrets: they are redacted. */
  info(verbosity: number, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs one entry, whatever the verbosity. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
