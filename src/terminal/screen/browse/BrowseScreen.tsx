import type { Words } from '../../../presentation/model.ts';
import { wordsLine } from '../../../presentation/text/spans.ts';
import { asFaint, joined, asStrong, asWarning } from '../../../presentation/words.ts';
import { plural } from '../../../views/words/amounts.ts';
import { Frame } from '../Frame.tsx';
import { keyHints, filterInput } from '../lastLine.ts';
import { listCount, listRows } from '../listRows.ts';
import { Row, Rows } from '../Row.tsx';
import { rowWithEnds } from '../screenLine.ts';
import {
  coverOf,
  itemRows,
  listedOn,
  pageOf,
  type Browsed,
  type Browsing,
  type Overlay,
} from './browsing.ts';

interface Shown {
  state: Browsing;
  view: Browsed;
}

/** A screen of lists, or the cover of the current one. */
export function BrowseScreen({ state, view }: Shown) {
  const cover = coverOf(state, view);
  return (
    <Frame
      size={view}
      above={
        <>
          <Rows rows={view.above} />
          {cover ? <PathOver {...{ state, view, cover }} /> : <Lists {...{ state, view }} />}
        </>
      }
      below={<LastLine {...{ state, view, cover }} />}
    >
      {cover ? <Rows rows={cover.shown} /> : <List {...{ state, view }} />}
    </Frame>
  );
}

/** "evictions   changes        2/12  /cart": the lists, and the position in the current one. */
function Lists({ state, view }: Shown) {
  const names = view.sections.map(({ name }, at) => (at === state.section ? asStrong(name) : asFaint(name)));
  const page = pageOf(state);
  const filter = page.filter === '' ? '' : asWarning(`/${page.filter}`);
  const count = listCount(listedOn(state, view), page);
  return <Row {...rowWithEnds(joined(names, '   '), joined([count, filter], '  '))} />;
}

/** The path to the cover of the list. */
function PathOver({ state, view, cover: { name, lines, top, shown } }: Shown & { cover: Overlay }) {
  const all = lines.length;
  const seen = shown.length === all ? '' : asFaint(`lines ${top + 1}–${top + shown.length} of ${all}`);
  const from = `${view.sections[state.section]!.name} ${view.characters.path} `;
  return <Row {...rowWithEnds([asFaint(from), asStrong(name)], seen)} />;
}

function List({ state, view }: Shown) {
  const { columns, characters, context, basis, sections } = view;
  const listed = listedOn(state, view);
  if (listed.items.length > 0) {
    const look = { listed, context, basis, columns, characters };
    return <Rows rows={listRows({ ...look, page: pageOf(state), room: itemRows(view) })} />;
  }
  const none =
    listed.all.length > 0
      ? `None of ${plural(listed.all.length, listed.list.one)} fits; Esc clears the filter.`
      : sections[state.section]!.none;
  return <Rows rows={[[], wordsLine(asFaint(none))]} />;
}

/** The last line: the input, a note, or the keys. */
function LastLine({ state: { input, note }, view, cover }: Shown & { cover: Overlay | undefined }) {
  const { columns, characters, question } = view;
  if (input?.purpose === 'filter') return <Row {...filterInput(input.text, characters, columns)} />;
  if (input) return <Row line={wordsLine([question, input.text, characters.cursor] satisfies Words)} />;
  if (note !== undefined) return <Row line={wordsLine(asWarning(note))} />;
  const own = cover
    ? [...(cover.top + cover.shown.length < cover.lines.length ? ['PgDn more'] : []), 'Esc back']
    : ['Enter more', '/ filter', ...(view.sections.length > 1 ? ['Tab next'] : [])];
  return (
    <Row line={keyHints([...own, ...view.keys.slice(0, -1), '? keys', ...view.keys.slice(-1)], columns)} />
  );
}
