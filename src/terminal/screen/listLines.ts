import { concatenated } from '../../presentation/text/spans.ts';
import { faint } from '../../presentation/words.ts';
import type { Words } from '../../presentation/model.ts';
import { gridOf } from './grid.ts';
import { chosenAt, type Listed, type ListPage } from './listed.ts';
import type { ListRequest } from './listRequest.ts';
import { windowOf } from './listMoves.ts';
import { wrappedList } from './wrappedList.ts';
import { faintly, padded, type ScreenLine } from './screenLine.ts';

/** The names of the columns, and the visible items below them; the chosen one is marked. */
export function listLines(request: ListRequest): ScreenLine[] {
  if (request.listed.list.wraps) return wrappedList(request);
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
    { line: concatenated(blank, faintly(grid.names)) },
    ...grid.rows.map((line, index) => {
      const chosen = !request.idle && from + index === at;
      const whole = concatenated(chosen ? [characters.chosen] : blank, line);
      return { line: chosen ? padded(whole, columns) : whole, chosen };
    }),
  ];
}

/** "3/12", "3/5 of 12": the chosen item and how many there are, and without the filter. */
export function listCount(listed: Listed, page: ListPage): Words {
  const count = listed.items.length;
  const at = count === 0 ? 0 : chosenAt(listed, page) + 1;
  const all = listed.all.length;
  return faint(count === all ? `${at}/${count}` : `${at}/${count} of ${all}`);
}
