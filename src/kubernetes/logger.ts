/** Where a program says what it does; how much of it, klog's verbosity decides (-v=N). None is there unless it is asked for. */
export interface Logger {
  /** Whether what is of this verbosity is logged. */
  enabled(verbosity: number): boolean;
  /** One entry, if its verbosity is logged. Fields and message may hold anything; secrets are taken out. */
  info(verbosity: number, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** One entry, whatever the verbosity. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
