import { displayWidth } from '../../presentation/text/displayWidth.ts';
import { concatenated, cutAtStart, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { asFaint, asStrong, asWarning, joined } from '../../presentation/words.ts';
import type { Characters } from './characters.ts';
import { filterOf } from './listed.ts';
import type { Key } from './keys.ts';
import type { RowParts } from './screenLine.ts';
import type { Words } from '../../presentation/model.ts';

/** The longest input: no sensible name, taint, path or expression is longer. */
const LONGEST_INPUT = 1000;

/** The input after a key; undefined if it is cancelled: by a backspace when empty. */
export function editedText(text: string, key: Key): string | undefined {
  if ('text' in key) return (text + key.text).slice(0, LONGEST_INPUT);
  switch (key.name) {
    case 'backspace':
      return text === '' ? undefined : [...text].slice(0, -1).join('');
    case 'clearLine':
      return '';
    default:
      return text;
  }
}

/** The text beside the input: a hint if it fits, or the problem of the input. */
interface SaidOfText {
  hint: string;
  problem?: string | undefined;
}

/** The input line. A long input shows its end, where the user types; space is reserved for its problem. */
export function inputLine(
  prompt: string,
  text: string,
  { hint, problem = text.length >= LONGEST_INPUT ? TOO_LONG : undefined }: SaidOfText,
  { cursor }: Pick<Characters, 'cursor'>,
  columns: number,
): RowParts {
  const begin = wordsLine(asStrong(prompt));
  const kept = problem === undefined ? 0 : Math.min(displayWidth(problem) + GAP, Math.floor(columns / 2));
  const typed = cutAtStart(wordsLine([text, cursor]), Math.max(1, columns - lineWidth(begin) - kept));
  const line = concatenated(begin, typed);
  const room = columns - lineWidth(line) - GAP;
  const isShown = room > 0 && (problem !== undefined || room - GAP >= Math.min(hint.length, LEAST_HINT));
  if (!isShown) return { line };
  return { line, end: wordsLine(problem === undefined ? asFaint(hint) : asWarning(problem)), mostEnd: room };
}

const GAP = 2;
const TOO_LONG = `at most ${LONGEST_INPUT} characters: the rest is ignored`;

/** A shorter part of a hint is useless. */
const LEAST_HINT = 20;

const FILTER_HINT = 'regular expression; ! leaves out, ~ letters in order; Enter keeps, Esc cancels';

/** The input line of a filter; `problem`: why it does not filter. */
export function filterInput(
  text: string,
  characters: Pick<Characters, 'cursor'>,
  columns: number,
  problem = filterOf(text).problem,
): RowParts {
  return inputLine('/', text, { hint: FILTER_HINT, problem }, characters, columns);
}

/** The last line of a screen: as many keys ("/ filter") as fit; the last two are dropped last. */
export function keyHints(keys: readonly string[], columns: number): Line {
  let shown = [...keys];
  const text = () =>
    shown.map((key): Words => [
      asStrong(key.split(' ')[0]!),
      asFaint(` ${key.split(' ').slice(1).join(' ')}`),
    ]);
  while (shown.length > 1 && lineWidth(wordsLine(joined(text(), '   '))) > columns)
    shown = shown.toSpliced(Math.max(0, shown.length - 3), 1);
  return wordsLine(joined(text(), '   '));
}
