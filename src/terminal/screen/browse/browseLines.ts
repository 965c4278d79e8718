import type { Words } from '../../../presentation/model.ts';
import { wordsLine, type Line } from '../../../presentation/text/spans.ts';
import { faint, joined, strong, warn } from '../../../presentation/words.ts';
import { plural } from '../../../views/words/amounts.ts';
import { framed } from '../framed.ts';
import { keyHints } from '../keyHints.ts';
import type { Listed } from '../listed.ts';
import { listCount, listLines } from '../listLines.ts';
import { spread, type ScreenLine } from '../screenLine.ts';
import { filterInput } from '../typedText.ts';
import { coverOf, itemRows, listedOn, pageOf, textRows, type Browsed, type Browsing } from './browsing.ts';

/** A screen of lists: as many lines as it has rows, none of them too wide. */
export function browsedLines(state: Browsing, view: Browsed): ScreenLine[] {
  return framed(view, () => {
    const listed = listedOn(state, view);
    const cover = coverOf(state, view);
    const top = cover ? topOf(state, cover.lines.length, view) : 0;
    return {
      above: [...view.above, pathLine(state, listed, cover, top, view)],
      body: cover
        ? cover.lines.slice(top, top + textRows(view)).map((line) => ({ line }))
        : bodyLines(state, listed, view),
      below: [lastLine(state, cover !== undefined && top + textRows(view) < cover.lines.length, view)],
    };
  });
}

function topOf({ over }: Browsing, count: number, view: Browsed): number {
  return Math.max(0, Math.min(over?.page.line ?? 0, count - textRows(view)));
}

/** "evictions   changes        2/12  /cart": the lists, and where in the shown one; or the path to what covers it. */
function pathLine(
  state: Browsing,
  listed: Listed,
  cover: ReturnType<typeof coverOf>,
  top: number,
  view: Browsed,
): Line {
  const { sections, characters, columns } = view;
  const { name } = sections[state.section]!;
  if (cover) {
    const { length } = cover.lines;
    const rows = textRows(view);
    const seen = length <= rows ? '' : faint(`lines ${top + 1}–${Math.min(length, top + rows)} of ${length}`);
    return spread([faint(`${name} ${characters.path} `), strong(cover.name)], seen, columns);
  }
  const names = sections.map((one) => (one.name === name ? strong(one.name) : faint(one.name)));
  const page = pageOf(state);
  const filter = page.filter === '' ? '' : warn(`/${page.filter}`);
  return spread(joined(names, '   '), joined([listCount(listed, page), filter], '  '), columns);
}

function bodyLines(state: Browsing, listed: Listed, view: Browsed): ScreenLine[] {
  const { columns, characters, context, basis, sections } = view;
  if (listed.items.length > 0)
    return listLines({
      ...{ listed, context, basis, columns, characters },
      page: pageOf(state),
      room: itemRows(view),
    });
  const none =
    listed.all.length > 0
      ? `None of ${plural(listed.all.length, listed.list.one)} fits; Esc gives up the filter.`
      : sections[state.section]!.none;
  return [{ line: [] }, { line: wordsLine(faint(none)) }];
}

/** The last line: what is typed, a note, or the keys. */
function lastLine(state: Browsing, isMore: boolean, view: Browsed): Line {
  const { input, note, over } = state;
  const { columns, characters, question } = view;
  if (input?.purpose === 'filter') return filterInput(input.text, characters, columns);
  if (input) return wordsLine([question, input.text, characters.cursor] satisfies Words);
  if (note !== undefined) return wordsLine(warn(note));
  const own = over
    ? [...(isMore ? ['PgDn more'] : []), 'Esc back']
    : ['Enter more', '/ filter', ...(view.sections.length > 1 ? ['Tab next'] : [])];
  return keyHints([...own, ...view.keys.slice(0, -1), '? keys', ...view.keys.slice(-1)], columns);
}
