import type { Style } from './style.ts';

/** What a text is printed for. */
export interface TextOptions {
  style: Style;
  /** more columns */
  wide: boolean;
  /** tables without the line of column names */
  noHeaders: boolean;
}

/** An answer in each form that a command prints. */
export interface Answer {
  /** for json and yaml; docs/output.md and docs/schema/ describe each kind */
  document: { kind: string; schemaVersion: string; [field: string]: unknown };
  /** for people, without a trailing newline */
  text(options: TextOptions): string;
  /** what -o name prints: KIND/NAME of each item */
  names(): string[];
}
