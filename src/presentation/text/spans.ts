import type { Tone, Words } from '../model.ts';
import { presentable } from '../presentable.ts';
import { isList } from '../words.ts';
import { characterWidth, displayWidth } from './displayWidth.ts';
import { noFootnotes, type Footnotes } from '../footnotes.ts';

export type Span = string | { tone: Tone; text: string };

/** A line, or a text that will be wrapped into lines. */
export type Line = readonly Span[];

export const textOf = (span: Span): string => (typeof span === 'string' ? span : span.text);

/** The same tone for another text. */
export const withText = (span: Span, text: string): Span =>
  typeof span === 'string' ? text : { tone: span.tone, text };

/** Words as spans; invisible foreign characters are made visible. */
export function spansOf(words: Words, footnotes: Footnotes): Line {
  if (typeof words === 'string') return words === '' ? [] : [presentable(words)];
  const spans: Span[] = [];
  collect(words, undefined, footnotes, spans);
  return spans;
}

/** Words as one line; a doubt shows only its certainty. */
export function wordsLine(words: Words): Line {
  return spansOf(words, noFootnotes);
}

function collect(words: Words, tone: Tone | undefined, footnotes: Footnotes, into: Span[]): void {
  if (typeof words === 'string') {
    if (words !== '') add(into, presentable(words), tone);
  } else if (isList(words)) {
    for (const one of words) collect(one, tone, footnotes, into);
  } else if ('tone' in words) {
    collect(words.words, words.tone, footnotes, into);
  } else {
    add(into, presentable(footnotes.mark(words)), 'warn');
  }
}

/** Appends a text; adjacent spans with the same tone are merged. */
function add(into: Span[], text: string, tone: Tone | undefined): void {
  const last = into.at(-1);
  if (tone === undefined && typeof last === 'string') into[into.length - 1] = last + text;
  else into.push(tone === undefined ? text : { tone, text });
}

/** Columns that a line takes on a terminal. */
export function lineWidth(line: Line): number {
  let columns = 0;
  for (const span of line) columns += displayWidth(textOf(span));
  return columns;
}

/** Joins lines into one; adjacent plain texts become one span. */
export function concatenated(...lines: Line[]): Line {
  const spans: Span[] = [];
  for (const line of lines)
    for (const span of line)
      if (typeof span === 'string') add(spans, span, undefined);
      else spans.push(span);
  return spans;
}

/** The line without trailing spaces, unless they have a tone. */
export function trimmedEnd(line: Line): Line {
  const last = line.at(-1);
  if (typeof last !== 'string') return line;
  const text = last.trimEnd();
  return text === '' ? trimmedEnd(line.slice(0, -1)) : [...line.slice(0, -1), text];
}

/** The first or last characters that fit into `columns`. */
function taken(line: Line, columns: number, end: 'first' | 'last'): Line {
  const spans: Span[] = [];
  let room = columns;
  for (const span of end === 'first' ? line : line.toReversed()) {
    const characters = charactersOf(textOf(span));
    if (end === 'last') characters.reverse();
    const kept: string[] = [];
    for (const character of characters) {
      const width = displayWidth(character);
      if (width > room) {
        room = 0;
        break;
      }
      room -= width;
      kept.push(character);
    }
    if (end === 'last') kept.reverse();
    if (kept.length > 0) spans.push(withText(span, kept.join('')));
    if (room === 0) break;
  }
  return end === 'first' ? spans : spans.reverse();
}

/** The characters of a text, each with its combining marks. */
export function charactersOf(text: string): string[] {
  const characters: string[] = [];
  for (const character of text)
    if (characters.length > 0 && characterWidth(character) === 0)
      characters[characters.length - 1] += character;
    else characters.push(character);
  return characters;
}

/** A line of at most `columns`; a longer one ends in "…". */
export function cutAtEnd(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  return columns < 1 ? [] : concatenated(taken(line, columns - 1, 'first'), ['…']);
}

/** The end of a line in at most `columns`; a longer one begins with "…". */
export function cutAtStart(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  return columns < 1 ? [] : concatenated(['…'], taken(line, columns - 1, 'last'));
}

/** Like `cutAtEnd`, but with the "…" in the middle, because names may differ at either end. */
export function cutInMiddle(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  if (columns < 1) return [];
  const last = Math.floor((columns - 1) / 2);
  return concatenated(taken(line, columns - 1 - last, 'first'), ['…'], taken(line, last, 'last'));
}
