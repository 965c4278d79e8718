/** The meaning of a piece of text. Renderers choose its look; views never name a colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong';

/** Text with a tone; of nested tones, the inner one applies. */
export interface TonedWords {
  tone: Tone;
  words: Words;
}

/** The certainty of a value, and the doubts behind it: "estimate [1]", with a footnote [1] below the table. */
export interface CertaintyMark {
  certainty: string;
  dependsOn: readonly string[];
}

/**
 * Text with its meaning. Strings are raw and may come from files and servers, so renderers pass each one through `presentable` before
 * adding tones. No line breaks.
 */
export type Words = string | TonedWords | CertaintyMark | readonly Words[];

/** A line that begins with the title: "frankfurt fails simulated from …". Its parts share one line if they fit. */
export interface Heading {
  type: 'heading';
  parts: readonly Words[];
}

/** Sentences, wrapped between words. */
export interface Paragraph {
  type: 'paragraph';
  words: Words;
}

/** One line: the first wording that fits; if none does, the last one, cut. */
interface OneLine {
  type: 'oneLine';
  wordings: readonly Words[];
}

/** A command to copy and run; it is never wrapped, so that it can be copied whole. */
export interface Command {
  type: 'command';
  text: string;
}

/** Blocks that belong together, one below another; indented if there is a title. */
export interface Section {
  type: 'section';
  title?: Words | Heading | undefined;
  /** indented even without a title */
  inset?: boolean;
  /** its content in a word or two: a small screen omits it and names it in its last line */
  detail?: string;
  /** shown instead of an omitted detail */
  brief?: readonly Block[];
  blocks: readonly Block[];
}

/** Names with their values; an empty name continues the one before. */
interface KeyValues {
  type: 'keyValues';
  entries: readonly (readonly [name: Words, value: Words])[];
}

/** Rows of cells without column names; the last cell of each wraps. An empty first cell continues the row before. */
interface Rows {
  type: 'rows';
  rows: readonly (readonly Words[])[];
}

export interface TreeNode {
  /** "✓", "-" */
  mark?: Words;
  words: Words | Command;
  children?: readonly TreeNode[];
  /** an estimate of `children` that are costly to compute: they are read only if these lines fit the screen */
  outline?: readonly TreeNode[];
}

interface Tree {
  type: 'tree';
  nodes: readonly TreeNode[];
}

export interface TimelineStep {
  /** "T+35s" */
  when: string;
  /** a shorter text if space is short; absent: none */
  clock?: string | undefined;
  actor: string;
  words: Words;
  details?: readonly Words[];
}

/** Events in chronological order. */
interface Timeline {
  type: 'timeline';
  steps: readonly TimelineStep[];
}

export interface Column {
  name: string;
  /** its texts wrap between words if space is short, down to this width */
  wraps?: number;
}

/** A way to make a table narrower. Columns are identified by name. */
export type Narrowing =
  /** their cells move below the row, after a label unless it is '' */
  | { fold: Readonly<Record<string, string>> }
  /** they are left out, and named below the table */
  | { drop: readonly string[] }
  /** its texts wrap further, down to this width */
  | { wrap: string; to: number }
  /** its cells are cut in the middle, down to this width */
  | { cut: string; to: number };

export interface Table {
  type: 'table';
  columns: readonly Column[];
  rows: readonly (readonly Words[])[];
  /**
   * the steps to take, in this order, if the table is wider than the screen; if none suffices, each row becomes a list of names and values
   */
  narrowing?: readonly Narrowing[];
  /** preceding rows that these continue: they determine the widths, and column names are not repeated */
  continues?: readonly (readonly Words[])[];
}

/** A segment of a bar, in units of the scale. */
export interface BarSegment {
  from: number;
  to: number;
  /** one character that distinguishes segments without colours; the legend explains it */
  mark: string;
  tone?: Tone;
  /** its name, for pointers and screen readers */
  words: string;
}

/** A line along the scale: a bar of segments, where later ones cover earlier ones, or a step curve. */
export type BarLine = { label: Words; note?: Words } & (
  | { stretches: readonly BarSegment[] }
  /** the value from each position on, in order; drawn relative to `highest` */
  | { levels: readonly { from: number; value: number }[]; highest: number }
);

/** Lines along one scale, one below another. */
export interface Bars {
  type: 'bars';
  /** the ends of the scale */
  from: number;
  to: number;
  /** the labels of the scale, in order; left out if there is no space */
  ticks: readonly { at: number; text: string }[];
  lines: readonly BarLine[];
  legend: readonly { mark: string; tone?: Tone; text: string }[];
}

export type Block =
  Heading | Paragraph | OneLine | Command | Section | KeyValues | Rows | Tree | Timeline | Table | Bars;

/** The content of an answer on any medium: blocks separated by empty lines. */
export interface Presentation {
  blocks: readonly Block[];
}
