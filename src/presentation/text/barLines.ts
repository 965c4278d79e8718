import type { BarLine, Bars, BarSegment, Tone, Words } from '../model.ts';
import { plain } from '../words.ts';
import { displayWidth } from './displayWidth.ts';
import {
  concatenated,
  cutAtEnd,
  cutInMiddle,
  lineWidth,
  trimmedEnd,
  wordsLine,
  type Line,
  type Span,
} from './spans.ts';
import { wrapLine } from './wrapped.ts';

/** Columns of the scale if the screen's width is unknown, and its least width. */
const USUAL = 60;
const LEAST = 8;
/** Spaces between label, bar and note. */
const GAP = 2;
const EIGHTHS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Lines along one scale: label, bar, note; the scale above, the legend below. */
export function barLines(bars: Bars, width: number | undefined): Line[] {
  if (bars.lines.length === 0) return [];
  const { lines } = bars;
  const labels = lines.map(({ label }) => wordsLine(label));
  const notes = lines.map(({ note = '' }) => wordsLine(note));
  const room = width ?? Infinity;
  const labelWidth = Math.min(widest(labels), Math.max(4, Math.floor(room * 0.35)));
  const before = labelWidth + GAP;
  const wanted = widest(notes) === 0 ? 0 : widest(notes) + GAP;
  const noteWidth = room - before - wanted >= LEAST * 2 ? wanted : 0;
  const columns = width === undefined ? USUAL : Math.max(1, width - before - noteWidth);
  const bar = (line: BarLine) => cells(line, bars, columns);
  return [
    ...scaleLines(bars, columns, before),
    ...lines.map((line, i) => {
      const label = cutInMiddle(labels[i]!, labelWidth);
      const note = noteWidth > 0 ? concatenated([' '.repeat(GAP)], notes[i]!) : [];
      const margin = ' '.repeat(labelWidth - lineWidth(label) + GAP);
      return trimmedEnd(concatenated(label, [margin], bar(line), note));
    }),
    ...legendLines(bars, width),
  ].map((line) => (width === undefined ? line : cutAtEnd(line, width)));
}

function widest(lines: readonly Line[]): number {
  return lines.reduce((most, line) => Math.max(most, lineWidth(line)), 0);
}

/** The labels of the scale; one that would touch the previous one is left out. */
function scaleLines({ from, to, ticks }: Bars, columns: number, before: number): Line[] {
  let text = '';
  for (const tick of ticks) {
    const at = Math.min(placeOf(tick.at, from, to, columns), columns - displayWidth(tick.text));
    if (at < 0 || (text !== '' && at <= text.length)) continue;
    text = text.padEnd(at) + tick.text;
  }
  return text === '' ? [] : [[{ tone: 'faint', text: ' '.repeat(before) + text }]];
}

function placeOf(at: number, from: number, to: number, columns: number): number {
  if (to <= from) return 0;
  return Math.floor(((at - from) / (to - from)) * columns);
}

interface Cell {
  character: string;
  tone?: Tone | undefined;
}

function cells(line: BarLine, { from, to }: Bars, columns: number): Line {
  const row: Cell[] = Array.from({ length: columns }, () => ({ character: ' ' }));
  const place = (at: number) => placeOf(at, from, to, columns);
  if ('levels' in line)
    for (const [i, { from: at, value }] of line.levels.entries()) {
      const next = line.levels[i + 1];
      fill(row, place(at), next ? place(next.from) : columns, { character: levelMark(value, line.highest) });
    }
  // Segments shorter than a column are drawn last, since they matter most.
  else
    for (const { stretch, short } of inPaintingOrder(line.stretches, (to - from) / columns)) {
      const first = Math.min(place(stretch.from), columns - 1);
      const end = short ? first + 1 : Math.max(first + 1, place(stretch.to));
      fill(row, first, end, { character: stretch.mark, tone: stretch.tone });
    }
  return joined(row);
}

function inPaintingOrder(stretches: readonly BarSegment[], column: number) {
  const all = stretches.map((stretch) => ({ stretch, short: stretch.to - stretch.from < column }));
  return [...all.filter(({ short }) => !short), ...all.filter(({ short }) => short)];
}

function fill(row: Cell[], from: number, to: number, cell: Cell): void {
  for (let i = Math.max(0, from); i < Math.min(to, row.length); i++) row[i] = cell;
}

function levelMark(value: number, highest: number): string {
  if (value <= 0 || highest <= 0) return ' ';
  return EIGHTHS[Math.min(7, Math.ceil((value / highest) * 8) - 1)]!;
}

function joined(row: readonly Cell[]): Line {
  const spans: Span[] = [];
  let last: Tone | undefined;
  for (const { character, tone } of row) {
    const before = spans.at(-1);
    if (before !== undefined && tone === last)
      spans[spans.length - 1] =
        typeof before === 'string'
          ? before + character
          : { tone: before.tone, text: before.text + character };
    else spans.push(tone === undefined ? character : { tone, text: character });
    last = tone;
  }
  return spans;
}

function legendLines({ legend }: Bars, width: number | undefined): Line[] {
  if (legend.length === 0) return [];
  const parts = legend.map(({ mark, tone, text }): Words => [
    tone ? { tone, words: mark } : mark,
    ` ${text}`,
  ]);
  const line = wordsLine(parts.flatMap((part, i) => (i === 0 ? [part] : ['   ', part])));
  if (width === undefined || lineWidth(line) <= width) return [line];
  return packed(parts, width);
}

/** As many parts in a line as fit. */
function packed(parts: readonly Words[], width: number): Line[] {
  const lines: Words[][] = [];
  let room = 0;
  for (const part of parts) {
    const needs = displayWidth(plain(part)) + 3;
    if (lines.length === 0 || needs > room + 3) {
      lines.push([part]);
      room = width - needs + 3 - 3;
    } else {
      lines.at(-1)!.push('   ', part);
      room -= needs;
    }
  }
  return lines.flatMap((line) => wrapLine(wordsLine(line), width));
}
