import type { InputNames } from '../karmada/inputNames.ts';

export type { InputNames };

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
