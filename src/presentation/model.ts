/** What a piece of text means. Renderers choose what that looks like; views never name a colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong';

/** Text with a tone; of nested ones the inner counts. */
export interface Toned {
  tone: Tone;
  words: Words;
}

/** How sure something is, and what it depends on: "estimate [1]", and what [1] is is said once where the table ends. */
export interface Doubt {
  certainty: string;
  dependsOn: readonly string[];
}

/**
 * Text as it is meant. Strings are raw: they may come from files and servers, so a renderer passes each of them through `presentable`
 * and adds tones after that. No line breaks.
 */
export type Words = string | Toned | Doubt | readonly Words[];

/** A line of which the first part leads: "frankfurt fails   simulated from …". Parts stand in one line if they fit. */
export interface Heading {
  type: 'heading';
  parts: readonly Words[];
}

/** Sentences, wrapped by words. */
export interface Paragraph {
  type: 'paragraph';
  words: Words;
}

/** One line: the first of the wordings that fits; the last is cut if none does. */
export interface OneLine {
  type: 'oneLine';
  wordings: readonly Words[];
}

/** What somebody may copy and run; it is never broken, so that the terminal gives it back whole. */
export interface Command {
  type: 'command';
  text: string;
}

/** Blocks that belong together: beneath one another, set in if there is a title. */
export interface Section {
  type: 'section';
  title?: Words | Heading | undefined;
  /** set in without a title, too */
  inset?: boolean;
  blocks: readonly Block[];
}

/** Names and what there is to say of each; an empty name goes on with the one before. */
export interface KeyValues {
  type: 'keyValues';
  entries: readonly (readonly [name: Words, value: Words])[];
}

/** Lines of cells that need no names: the last cell of each wraps. An empty first cell goes on with the line before. */
export interface Rows {
  type: 'rows';
  rows: readonly (readonly Words[])[];
}

export interface TreeNode {
  /** "✓", "-" */
  mark?: Words;
  words: Words | Command;
  children?: readonly TreeNode[];
}

export interface Tree {
  type: 'tree';
  nodes: readonly TreeNode[];
}

export interface TimelineStep {
  /** "T+35s" */
  when: string;
  /** who does it */
  actor: string;
  words: Words;
  details?: readonly Words[];
}

/** What happens, in its order. */
export interface Timeline {
  type: 'timeline';
  steps: readonly TimelineStep[];
}

export interface Column {
  name: string;
  /** its texts wrap by words if room is short, down to so many columns */
  wraps?: number;
}

/** A way in which a table becomes narrower. Columns are told by their names. */
export type Narrowing =
  /** their cells go beneath the row, after a label unless it is '' */
  | { fold: Readonly<Record<string, string>> }
  /** they are left out, and named beneath the table */
  | { drop: readonly string[] }
  /** its texts wrap further, down to so many columns */
  | { wrap: string; to: number }
  /** its cells are cut in the middle, down to so many columns */
  | { cut: string; to: number };

export interface Table {
  type: 'table';
  columns: readonly Column[];
  rows: readonly (readonly Words[])[];
  /** what gives way if the table is wider than the screen, first things first; what is left then is printed name by name */
  narrowing?: readonly Narrowing[];
  /** rows of before that these go on with: they count for the widths, and the columns were named then */
  goesOn?: readonly (readonly Words[])[];
}

export type Block =
  Heading | Paragraph | OneLine | Command | Section | KeyValues | Rows | Tree | Timeline | Table;

/** What an answer shows, whatever shows it: blocks with an empty line between them. */
export interface Presentation {
  blocks: readonly Block[];
}
