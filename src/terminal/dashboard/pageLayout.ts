import { firstListedOn, listedOn, sectionChosen, sectionsOn, type Section } from './items.ts';
import type { DashboardState, DashboardView } from './state.ts';

/** Rows above a page (the source, what matters now, and the path) and below it (the command and the keys). */
const ABOVE = 3;
const BELOW = 2;
const NAMES_OF_COLUMNS = 1;
/** Rows of a list below the first one besides its items: an empty row, the title, and the column names. */
const OVERHEAD = NAMES_OF_COLUMNS + 2;
/** Items that each section shows, if it has that many, before another one shows more. */
const FAIR = 3;
/** The items of the first list that come before any other list. */
const LEAST_FIRST = 8;

/** The pane takes a quarter of the rows, within these limits; lower screens have none. */
const PANE = { least: 4, most: 12, rowsOfPage: 17 };

/** The rows of the lists on the current page, and of the pane below them. */
interface PageLayout {
  /** for the items of the first list */
  first: number;
  sections: readonly { section: Section; room: number }[];
  /** 0: there is none */
  pane: number;
}

/** Divides the rows of the current page among its lists and the pane about the selected item. */
export function layoutOf(state: DashboardState, view: DashboardView): PageLayout {
  const sections = sectionsOn(state, view);
  const chosen = sectionChosen(state, view)?.name;
  const pane = paneRows(state, view);
  const rows = textRows(view) - pane;
  const room = Math.max(0, rows - NAMES_OF_COLUMNS);
  const first = Math.max(0, room - rowsOfOthers(sections, chosen, room));
  const used = NAMES_OF_COLUMNS + Math.min(firstListedOn(state, view)?.items.length ?? 0, first);
  return { first, sections: inRows(sections, chosen, rows - used), pane };
}

/** Rows for the items of the list that keys act on. */
export function rowsForList(state: DashboardState, view: DashboardView): number {
  const { first, sections } = layoutOf(state, view);
  const chosen = sectionChosen(state, view)?.name;
  return sections.find(({ section }) => section.name === chosen)?.room ?? first;
}

/** Rows for a text. */
export function textRows({ rows }: Pick<DashboardView, 'rows'>): number {
  return Math.max(0, rows - ABOVE - BELOW);
}

/** The height does not depend on the selection: nothing jumps while the user moves. */
function paneRows(state: DashboardState, view: DashboardView): number {
  const rows = textRows(view);
  const listed = listedOn(state, view);
  if (rows < PANE.rowsOfPage || !listed?.list.about || listed.all.length === 0) return 0;
  return Math.max(PANE.least, Math.min(PANE.most, Math.floor(rows / 4)));
}

/** The rows of the lists below the first one, however long that is. */
function rowsOfOthers(sections: readonly Section[], chosen: string | undefined, rows: number): number {
  const wanted = sections
    .filter(({ name, urgent }) => urgent || name === chosen)
    .reduce((sum, { listed }) => sum + OVERHEAD + listed.items.length, 0);
  const given = Math.min(Math.floor(rows / 2), rows - LEAST_FIRST, wanted);
  const least = chosen === undefined ? 0 : OVERHEAD + 1;
  return given > OVERHEAD ? given : least;
}

/** The sections that get rows, with their numbers of items; the last ones are dropped first, the selected one never. */
function inRows(
  all: readonly Section[],
  chosen: string | undefined,
  rows: number,
): { section: Section; room: number }[] {
  let sections = all;
  while (sections.length > 0 && leastRows(sections, chosen) > rows) {
    const leaving = sections.findLastIndex(({ name }) => name !== chosen || sections.length === 1);
    sections = sections.toSpliced(leaving, 1);
  }
  let rest = rows - sections.length * OVERHEAD;
  const rooms = sections.map(() => 0);
  for (const most of [1, FAIR, Infinity])
    for (const [at, { listed }] of sections.entries()) {
      const more = Math.min(Math.min(listed.items.length, most) - rooms[at]!, rest);
      rooms[at] = rooms[at]! + more;
      rest -= more;
    }
  return sections.map((section, at) => ({ section, room: rooms[at]! }));
}

/** Other lists are shown only if everything visible gets its fair share. */
function leastRows(sections: readonly Section[], chosen: string | undefined): number {
  const least = sections.some(({ name, urgent }) => !urgent && name !== chosen) ? FAIR : 1;
  return sections.reduce(
    (sum, { urgent, listed }) => sum + OVERHEAD + Math.min(listed.items.length, urgent ? least : 1),
    0,
  );
}
