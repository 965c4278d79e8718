import type { Words } from '../../presentation/model.ts';
import { lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { faint, strong } from '../../presentation/words.ts';
import type { Characters } from './characters.ts';
import { filterOf } from './filter.ts';
import type { Key } from './keys.ts';
import { spread } from './screenLine.ts';

/** The longest text that can be typed. */
const LONGEST_INPUT = 200;

/** A text that is typed, after a key; undefined if it is given up: a backspace where nothing is left. */
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

/** The line into which somebody types, with a hint if there is room for it. */
export function inputLine(
  prompt: string,
  text: string,
  hint: string,
  { cursor }: Pick<Characters, 'cursor'>,
  columns: number,
): Line {
  const typed: Words = [strong(prompt), text, cursor];
  const room = columns - lineWidth(wordsLine(typed)) - 4;
  return spread(typed, room < Math.min(hint.length, LEAST_HINT) ? '' : faint(hint), columns, room);
}

/** Less of a hint than this says nothing. */
const LEAST_HINT = 20;

const FILTER_HINT = 'regular expression; ! leaves out, ~ letters in order; Enter keeps, Esc gives up';

/** The line into which somebody types a filter; `problem`: why it filters nothing. */
export function filterInput(
  text: string,
  characters: Pick<Characters, 'cursor'>,
  columns: number,
  problem?: string,
): Line {
  return inputLine('/', text, problem ?? filterOf(text).problem ?? FILTER_HINT, characters, columns);
}
