import type {
  Block,
  Command,
  Heading,
  Presentation,
  Section,
  TimelineStep,
  TreeNode,
  Words,
} from '../model.ts';
import { presentable } from '../presentable.ts';
import { barLines } from './barLines.ts';
import { type Line, concatenated, cutAtEnd, lineWidth, trimmedEnd, wordsLine } from './spans.ts';
import { type Limit, shortened } from './shortened.ts';
import type { Style } from './style.ts';
import { type TableOptions, alignedRows, tableLines } from './tableLines.ts';
import { wrapLine } from './wrapped.ts';

interface TextOptions extends Omit<TableOptions, 'compact' | 'hidden'> {
  style: Style;
  /** the limit for a longer answer */
  limit?: Limit | undefined;
}

/** A presentation as text without a final newline. Foreign text cannot control the terminal: only the style writes escape sequences. */
export function renderText({ blocks }: Presentation, options: TextOptions): string {
  const { limit, style } = options;
  const pieces = limit ? limited(blocks, options, limit) : piecesOf(blocks, options);
  const lines = pieces.flatMap((piece, at) => (at === 0 ? piece : [[], ...piece]));
  return linesText(limit ? cutBelow(lines, options, limit) : lines, style);
}

/** The lines of each non-empty block. */
function piecesOf(blocks: readonly Block[], options: TableOptions): Line[][] {
  return blocks.map((block) => blockLines(block, options)).filter((lines) => lines.length > 0);
}

/** The lines that the limit allows. */
function limited(blocks: readonly Block[], options: TextOptions, limit: Limit): Line[][] {
  const measure = (some: readonly Block[], hidden: Set<string>, compact = false) => {
    const pieces = piecesOf(some, { ...options, hidden, compact });
    const lines = pieces.reduce((sum, piece) => sum + terminalLines(piece, options.width), 0);
    return lines + Math.max(0, pieces.length - 1);
  };
  const { blocks: shown, compact } = shortened(blocks, limit, measure);
  return piecesOf(shown, { ...options, compact, hidden: new Set() });
}

/** If even the shortest form exceeds the screen, its end is cut: the verdict and the worst items come first. */
function cutBelow(
  lines: readonly Line[],
  { width }: TextOptions,
  { height = Infinity, all }: Limit,
): readonly Line[] {
  if (terminalLines(lines, width) <= height) return lines;
  let kept = lines.length;
  while (kept > 1 && terminalLines(lines.slice(0, kept), width) > height - 1) kept--;
  return [...lines.slice(0, kept), [{ tone: 'faint', text: `… ${lines.length - kept} more lines: ${all}` }]];
}

/** How many terminal lines they take: a command may take several. */
function terminalLines(lines: readonly Line[], width = Infinity): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(lineWidth(line) / width)), 0);
}

function linesText(lines: readonly Line[], style: Style): string {
  return lines.map((line) => lineText(line, style)).join('\n');
}

/** A line as text, with the style's escape sequences. */
export function lineText(line: Line, style: Style): string {
  let text = '';
  for (const span of line) text += typeof span === 'string' ? style.plain(span) : style[span.tone](span.text);
  return text;
}

/** Words as one line. */
export function wordsText(words: Words, style: Style): string {
  return lineText(wordsLine(words), style);
}

const INDENT = 2;

/** A block as lines that fit the screen, except for commands. */
export function blockLines(block: Block, options: TableOptions): Line[] {
  const { width } = options;
  switch (block.type) {
    case 'heading':
      return headingLines(block.parts.map(wordsLine), width);
    case 'paragraph':
      return fitted(wordsLine(block.words), width);
    case 'oneLine': {
      const wordings = block.wordings.map(wordsLine);
      const fitting = wordings.find((line) => width === undefined || lineWidth(line) <= width);
      return [fitting ?? cutAtEnd(wordings.at(-1) ?? [], width!)];
    }
    case 'command':
      return [commandLine(block)];
    case 'section':
      return sectionLines(block, options);
    case 'keyValues':
      return alignedRows(
        block.entries.map((entry) => entry.map(wordsLine)),
        width,
      );
    case 'rows':
      return alignedRows(
        block.rows.map((row) => row.map(wordsLine)),
        width,
      );
    case 'tree':
      return block.nodes.flatMap((node) => nodeLines(node, width));
    case 'timeline':
      return timelineLines(block.steps, options);
    case 'table':
      return tableLines(block, options);
    case 'bars':
      return barLines(block, width);
  }
}

function sectionLines(
  { title, inset = title !== undefined, blocks }: Section,
  options: TableOptions,
): Line[] {
  const { width } = options;
  const inner = inset ? narrower(options, INDENT) : options;
  const lines = blocks.flatMap((one) => blockLines(one, inner));
  const beneath = inset ? indented(lines, INDENT, width) : lines;
  if (title === undefined) return beneath;
  return [...(isHeading(title) ? blockLines(title, options) : fitted(wordsLine(title), width)), ...beneath];
}

function isHeading(title: Words | Heading): title is Heading {
  return typeof title === 'object' && 'type' in title;
}

function commandLine({ text }: Command): Line {
  return [{ tone: 'faint', text: presentable(text) }];
}

function fitted(line: Line, width: number | undefined): Line[] {
  return width === undefined ? [line] : wrapLine(line, width);
}

function narrower(options: TableOptions, by: number): TableOptions {
  const { width } = options;
  return width === undefined ? options : { ...options, width: Math.max(1, width - by) };
}

function indented(lines: Line[], by: number, width: number | undefined): Line[] {
  const margin = ' '.repeat(width === undefined ? by : Math.min(by, Math.max(0, width - 1)));
  return lines.map((line) => (line.length === 0 ? line : concatenated([margin], line)));
}

/** In one line if it fits, otherwise each part on its own line. */
function headingLines(parts: Line[], width: number | undefined): Line[] {
  const there = parts.filter((part) => part.length > 0);
  const one = concatenated(...there.map((part, at) => (at === 0 ? part : ['   ', ...part])));
  if (width === undefined || lineWidth(one) <= width) return [one];
  return there.flatMap((part, at) =>
    at === 0 ? wrapLine(part, width) : indented(wrapLine(part, Math.max(1, width - INDENT)), INDENT, width),
  );
}

function nodeLines({ mark, words, children = [] }: TreeNode, width: number | undefined): Line[] {
  const marks: Line = mark === undefined ? [] : concatenated(wordsLine(mark), [' ']);
  const by = lineWidth(marks);
  // without a mark, continued lines are indented deeper than children
  const hang = mark === undefined ? 2 * INDENT : by;
  const inner = (less: number) => (width === undefined ? undefined : Math.max(1, width - less));
  const [first = [], ...rest] =
    typeof words === 'object' && 'type' in words
      ? [commandLine(words)]
      : hanging(wordsLine(words), inner(by), hang - by);
  const margin = by + INDENT;
  return [
    concatenated(marks, first),
    ...indented(rest, by, width),
    ...children.flatMap((child) => indented(nodeLines(child, inner(margin)), margin, width)),
  ];
}

/** Wraps a line; all lines but the first are indented by `hang`. */
function hanging(line: Line, width: number | undefined, hang: number): Line[] {
  const [first = [], ...more] = fitted(line, width);
  if (width === undefined || more.length === 0 || hang === 0 || width <= 2 * hang) return [first, ...more];
  const rest = concatenated(...more.flatMap((one, at) => (at === 0 ? [one] : [[' '], one])));
  return [first, ...indented(wrapLine(rest, width - hang), hang, width)];
}

/** Steps as lines. If space is short, times are shorter; a small screen omits the actor rather than cutting the event. */
function timelineLines(steps: readonly TimelineStep[], { width, compact, hidden }: TableOptions): Line[] {
  const detail = (words: Words): Line => concatenated(['  '], wordsLine(words));
  const rows = (isShort: boolean, hasActors: boolean) =>
    steps.flatMap(({ when, clock, actor, words, details = [] }) => [
      [
        wordsLine(isShort ? (clock ?? when) : when),
        ...(hasActors ? [wordsLine({ tone: 'faint', words: actor })] : []),
        wordsLine(words),
      ],
      ...(compact ? [] : details).map((one): Line[] => [[], [], detail(one)]),
    ]);
  const fits = (some: Line[][]) =>
    width === undefined || alignedRows(some, undefined).every((line) => lineWidth(line) <= width);
  const whole = rows(false, true);
  if (width === undefined || fits(whole)) return alignedRows(whole, width).map(trimmedEnd);
  const short = rows(true, true);
  if (!compact || fits(short)) return alignedRows(short, width).map(trimmedEnd);
  if (steps.some(({ actor }) => actor !== '')) hidden?.add('who did it');
  return alignedRows(rows(true, false), width).map(trimmedEnd);
}
