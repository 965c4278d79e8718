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
  /** forms that this answer alone has, by what -o calls them, each as the whole text */
  forms?: Record<string, () => string>;
  /** absent where the document is about one thing as a whole */
  list?: AnsweredList;
}

/** What an answer lists: custom-columns prints a line for each of them, --sort-by puts them in order. */
export interface AnsweredList {
  /** the field of the document that holds them */
  field: string;
  /** The same answer in another order: the positions in the present one, each once. */
  inOrder(positions: number[]): Answer;
}

/** The items at the positions. */
export function inOrder<T>(items: readonly T[], positions: number[]): T[] {
  return positions.map((position) => items[position]!);
}
