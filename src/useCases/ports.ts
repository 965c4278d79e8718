/** What a use case is given of the world outside, apart from states and API servers. */
export interface Ports {
  /** something worth knowing that keeps nothing from going on, in one line */
  warn(message: string): void;
  /** what is worth knowing and no warning, in one line */
  note(message: string): void;
  /** begins to tell of work that may take long */
  startProgress(): Progress;
  names: InputNames;
}

/** Says what is being done, and how much of it is behind; `done` ends it. */
export interface Progress {
  report(doing: string, finished?: number, total?: number): void;
  done(): void;
}

/** What whoever asks calls the inputs that answers speak of: for where a value is known from, and for what would settle a doubt. */
export interface InputNames {
  /** the instant to take for now */
  at: string;
  /** a gate or flag of Karmada's components, in the form NAME=VALUE */
  assume: string;
  /** the version of Karmada */
  version: string;
  /** the cluster that Karmada's components run in */
  host: string;
  /** how long new replicas take until they are ready */
  readyAfter: string;
}
