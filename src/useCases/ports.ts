import type { InputNames } from '../karmada/configuration/inputNames.ts';

export type { InputNames };

/** What a use case needs from outside, apart from states and API servers. */
export interface Ports {
  /** a warning in one line; the work continues */
  warn(message: string): void;
  /** a hint in one line that is no warning */
  note(message: string): void;
  /** starts the progress report of work that may take long */
  startProgress(): Progress;
  names: InputNames;
}

/** Says what is being done, and how much of it is done already; `done` ends the report. */
interface Progress {
  report(doing: string, finished?: number, total?: number): void;
  done(): void;
}
