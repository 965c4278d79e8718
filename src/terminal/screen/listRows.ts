import { concatenated, wordsLine } from '../../presentation/text/spans.ts';
import { wrapLine } from '../../presentation/text/wrapped.ts';
import { asFaint } from '../../presentation/words.ts';
import type { Words } from '../../presentation/model.ts';
import type { Characters } from './characters.ts';
import { gridOf } from './grid.ts';
import { chosenAt, type ShownList, type ListPage, windowOf } from './listed.ts';
import { secondaryLine, type ScreenRow } from './screenLine.ts';

/** A list to draw, and the space for it. */
interface ListRequest {
  listed: ShownList;
  page: ListPage;
  context: unknown;
  /** column widths are kept while this is the same */
  basis: object;
  columns: number;
  /** rows for items */
  room: number;
  /** display only: none of its items is selected */
  idle?: boolean;
  characters: Characters;
}

/** The column names, and the visible items below them, one row each: column positions depend on all items. */
export function listRows(request: ListRequest): ScreenRow[] {
  if (request.listed.list.wraps) return wrappedRows(request);
  const { listed, page, context, basis, columns, room, characters } = request;
  const { list, items } = listed;
  const at = chosenAt(listed, page);
  const from = windowOf(page.top, at, items.length, room);
  const margin = characters.chosen.length;
  const grid = gridOf({
    columns: list.columns,
    items,
    from,
    to: from + room,
    context,
    basis,
    width: columns - margin,
    sort: page.sort,
    marks: characters,
  });
  const blank = [' '.repeat(margin)];
  return [
    concatenated(blank, secondaryLine(grid.names)),
    ...grid.rows.map((line, index) => {
      const chosen = !request.idle && from + index === at;
      return { line: concatenated(chosen ? [characters.chosen] : blank, line), chosen };
    }),
  ];
}

/**
 * The items of a list of sentences, each in as many rows as it needs; all of the selected one is visible, if it fits. Such a list has no
 * column names: their row is used for items.
 */
function wrappedRows({ listed, page, context, columns, room, characters }: ListRequest): ScreenRow[] {
  const { list, items } = listed;
  const rows = room + 1;
  const at = chosenAt(listed, page);
  const margin = characters.chosen.length;
  const rowsOf = (index: number) =>
    wrapLine(wordsLine(list.columns[0]!.words(items[index], context)), columns - margin).map(
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

/** "3/12", "3/5 of 12": the selected item and the number of items, and the number without the filter. */
export function listCount(listed: ShownList, page: ListPage): Words {
  const count = listed.items.length;
  const at = count === 0 ? 0 : chosenAt(listed, page) + 1;
  const all = listed.all.length;
  return asFaint(count === all ? `${at}/${count}` : `${at}/${count} of ${all}`);
}
