import { rowsUnderWay } from './glance.ts';
import { textOnPage } from './textOnPage.ts';
import type { DashboardState, DashboardView } from './state.ts';

/** Rows above a page (the source, what matters now, and the path) and below it (the command and the keys). */
const ABOVE = 3;
const BELOW = 2;
const NAMES_OF_COLUMNS = 1;

/** Rows for the items of the list on the shown page. */
export function listRoom(state: DashboardState, view: DashboardView): number {
  const room = Math.max(0, view.rows - ABOVE - BELOW - NAMES_OF_COLUMNS);
  return room - rowsUnderWay(state, view, room);
}

/** Rows for a text. */
export function textRows({ rows }: Pick<DashboardView, 'rows'>): number {
  return Math.max(0, rows - ABOVE - BELOW);
}

/** How far one screen scrolls: one line stays visible. */
export function pageLength(state: DashboardState, view: DashboardView): number {
  return Math.max(1, listRoom(state, view) - 1);
}

/** The last line that may be the first visible one of the text on the shown page. */
export function textRoom(state: DashboardState, view: DashboardView): number {
  return Math.max(0, (textOnPage(state, view)?.length ?? 0) - textRows(view));
}
