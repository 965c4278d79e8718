import { displayWidth } from './displayWidth.ts';
import { charactersOf, concatenated, textOf, withText, type Line, type Span } from './spans.ts';

/** A word: spans without spaces between them, and the spaces before it. */
interface Word {
  spans: Span[];
  columns: number;
  blanks: number;
}

/** Width of the widest character: an indentation leaves space for one. */
const WIDEST = 2;

/**
 * Wraps a text at spaces into lines of at most `columns`. A word longer than a line is broken after a character such as "/", or anywhere.
 * Leading spaces of the text indent each line; other spaces are kept, except at the ends of lines.
 */
export function wrapLine(text: Line, columns: number): Line[] {
  const words = wordsOf(text);
  const indent = Math.min(words[0]?.blanks ?? 0, Math.max(0, columns - WIDEST));
  const lines = brokenAt(words, Math.max(1, columns - indent));
  return indent === 0 ? lines : lines.map((line) => concatenated([' '.repeat(indent)], line));
}

function brokenAt(words: Word[], room: number): Line[] {
  const lines: Line[] = [];
  let spans: Span[] = [];
  let used = 0;
  const end = () => {
    lines.push(concatenated(spans));
    spans = [];
    used = 0;
  };
  for (const word of words) {
    const left = room - used - word.blanks;
    // a word longer than any line may begin here if enough space is left
    if (used > 0 && word.columns > left && (word.columns <= room || left < LEAST_OF_WORD)) end();
    if (used > 0 && word.blanks > 0) {
      spans.push(' '.repeat(word.blanks));
      used += word.blanks;
    }
    let rest: Word | undefined = word;
    while (rest) {
      const [head, tail]: [Word, Word | undefined] =
        rest.columns <= room - used ? [rest, undefined] : split(rest, room - used);
      spans.push(...head.spans);
      used += head.columns;
      rest = tail;
      if (rest) end();
    }
  }
  if (spans.length > 0 || lines.length === 0) end();
  return lines;
}

function wordsOf(text: Line): Word[] {
  const words: Word[] = [];
  let blanks = 0;
  let open: Word | undefined;
  for (const span of text)
    for (const part of textOf(span).split(/( +)/)) {
      if (part === '') continue;
      if (part.startsWith(' ')) {
        blanks += part.length;
        open = undefined;
        continue;
      }
      if (!open) words.push((open = { spans: [], columns: 0, blanks }));
      blanks = 0;
      open.spans.push(withText(span, part));
      open.columns += displayWidth(part);
    }
  return words;
}

/** The least space in which a long word may begin. */
const LEAST_OF_WORD = 10;

const SIGNS = /[/,:;=.@_-]/;

/** Splits a word: the longest beginning that fits, preferably ending in a break character, and the rest. */
function split(word: Word, room: number): [Word, Word] {
  const characters = word.spans.flatMap((span) =>
    charactersOf(textOf(span)).map((character) => ({ span, character })),
  );
  let fitting = 0;
  let atSign = 0;
  let used = 0;
  for (const [index, { character }] of characters.entries()) {
    used += displayWidth(character);
    // at least one character, however narrow the line
    if (used > room && index > 0) break;
    fitting = index + 1;
    if (SIGNS.test(character)) atSign = fitting;
  }
  const at = atSign * 2 > fitting ? atSign : fitting;
  return [wordOf(characters.slice(0, at)), wordOf(characters.slice(at))];
}

function wordOf(characters: { span: Span; character: string }[]): Word {
  const spans: Span[] = [];
  let last: Span | undefined;
  for (const { span, character } of characters) {
    if (span === last) spans.push(withText(span, textOf(spans.pop()!) + character));
    else spans.push(withText(span, character));
    last = span;
  }
  const columns = characters.reduce((sum, { character }) => sum + displayWidth(character), 0);
  return { spans, columns, blanks: 0 };
}
