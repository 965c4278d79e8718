import { concatenated, wordsLine } from '../../presentation/text/spans.ts';
import { wrapped } from '../../presentation/text/wrapped.ts';
import { faint } from '../../presentation/words.ts';
import type { Words } from '../../presentation/model.ts';
import type { Characters } from './characters.ts';
import { gridOf } from './grid.ts';
import { chosenAt, type Listed, type ListPage, windowOf } from './listed.ts';
import { faintly, type ScreenRow } from './screenLine.ts';

/** A list to draw, and the room for it. */
interface ListRequest {
  listed: Listed;
  page: ListPage;
  context: unknown;
  /** as long as it is the same, widths of columns stay */
  basis: object;
  columns: number;
  /** rows for items */
  room: number;
  /** it is only looked at: none of its items is chosen */
  idle?: boolean;
  characters: Characters;
}

/** The names of the columns, and the visible items below them, each in one row: where columns begin is a matter of all items. */
export function listRows(request: ListRequest): ScreenRow[] {
  if (request.listed.list.wraps) return wrappedRows(request);
  const { listed, page, context, basis, columns, room, characters } = request;
  const { list, items } = listed;
  const at = chosenAt(listed, page);
  const from = windowOf(page.top, at, items.length, room);
  const margin = characters.chosen.length;
  const grid = gridOf({
    columns: list.columns,
    ...{ items, from, to: from + room, context, basis },
    width: columns - margin,
    sort: page.sort,
    marks: characters,
  });
  const blank = [' '.repeat(margin)];
  return [
    concatenated(blank, faintly(grid.names)),
    ...grid.rows.map((line, index) => {
      const chosen = !request.idle && from + index === at;
      return { line: concatenated(chosen ? [characters.chosen] : blank, line), chosen };
    }),
  ];
}

/**
 * The items of a list of sentences, each in as many rows as it takes; all of the chosen one is visible, if it fits at all. Such a list has
 * no names of columns: their row is one for items.
 */
function wrappedRows({ listed, page, context, columns, room, characters }: ListRequest): ScreenRow[] {
  const { list, items } = listed;
  const rows = room + 1;
  const at = chosenAt(listed, page);
  const margin = characters.chosen.length;
  const rowsOf = (index: number) =>
    wrapped(wordsLine(list.columns[0]!.words(items[index], context)), columns - margin).map(
      (line, row): ScreenRow => {
        const chosen = index === at;
        const begin = chosen && row === 0 ? characters.chosen : ' '.repeat(margin);
        return { line: concatenated([begin], line), chosen };
      },
    );
  const top = windowOf(page.top, at, items.length, rows);
  let from = at;
  let used = rowsOf(at).length;
  while (from > top && (used += rowsOf(from - 1).length) <= rows) from--;
  const lines: ScreenRow[] = [];
  for (let index = from; index < items.length && lines.length < rows; index++) lines.push(...rowsOf(index));
  return lines.slice(0, rows);
}

/** "3/12", "3/5 of 12": the chosen item and how many there are, and without the filter. */
export function listCount(listed: Listed, page: ListPage): Words {
  const count = listed.items.length;
  const at = count === 0 ? 0 : chosenAt(listed, page) + 1;
  const all = listed.all.length;
  return faint(count === all ? `${at}/${count}` : `${at}/${count} of ${all}`);
}
