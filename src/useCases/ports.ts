import type { InputNames } from '../karmada/configuration/inputNames.ts';

export type { InputNames };

/** The environment of a use case, apart from states and API servers. */
export interface Ports {
  /** a warning in one line; the work continues */
  warn(message: string): void;
  /** a one-line hint that is not a warning */
  note(message: string): void;
  /** starts the progress report of work that may take a while */
  startProgress(): Progress;
  names: InputNames;
}

/** Reports the current work and its progress; `done` ends the report. */
interface Progress {
  report(doing: string, finished?: number, total?: number): void;
  done(): void;
}
