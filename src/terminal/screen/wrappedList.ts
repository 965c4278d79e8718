import { concatenated, wordsLine } from '../../presentation/text/spans.ts';
import { wrapped } from '../../presentation/text/wrapped.ts';
import { chosenAt } from './listed.ts';
import { windowOf } from './listMoves.ts';
import type { ListRequest } from './listRequest.ts';
import { padded, type ScreenLine } from './screenLine.ts';

/**
 * The items of a list of sentences, each in as many rows as it takes; all of the chosen one is visible, if it fits at all. Such a list has
 * no names of columns: their row is one for items.
 */
export function wrappedList({ listed, page, context, columns, room, characters }: ListRequest): ScreenLine[] {
  const { list, items } = listed;
  const rows = room + 1;
  const at = chosenAt(listed, page);
  const margin = characters.chosen.length;
  const rowsOf = (index: number) =>
    wrapped(wordsLine(list.columns[0]!.words(items[index], context)), columns - margin).map(
      (line, row): ScreenLine => {
        const chosen = index === at;
        const whole = concatenated([chosen && row === 0 ? characters.chosen : ' '.repeat(margin)], line);
        return { line: chosen ? padded(whole, columns) : whole, chosen };
      },
    );
  const top = windowOf(page.top, at, items.length, rows);
  let from = at;
  let used = rowsOf(at).length;
  while (from > top && (used += rowsOf(from - 1).length) <= rows) from--;
  const lines: ScreenLine[] = [];
  for (let index = from; index < items.length && lines.length < rows; index++) lines.push(...rowsOf(index));
  return lines.slice(0, rows);
}
