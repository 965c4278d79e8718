import { columnsText } from '../../../views/screen/keyHelp.ts';
import { selectLine, movedInList, movedInText, sortedBy } from '../../screen/listed.ts';
import { listedOn, type ShownDashboardList } from '../items.ts';
import { rowsForList } from '../pageLayout.ts';
import { rowsForText } from '../textOnPage.ts';
import { pageShown, type DashboardState, type DashboardView, type Page, withPage } from '../state.ts';

/** Moves the selection in a list, or scrolls a text. */
export function moveSelection(state: DashboardState, by: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  return withPage(
    state,
    listed
      ? movedInList(page, listed, by, rowsForList(state, view))
      : movedInText(page, rowsForText(state, view), by),
  );
}

/** The list with this line selected. */
export function toLine(state: DashboardState, line: number, view: DashboardView): DashboardState {
  const listed = listedOn(state, view);
  return listed
    ? withPage(state, selectLine(pageShown(state), listed, line, rowsForList(state, view)))
    : state;
}

/** Sorts by the column with this number, from 1; 0: in the original order. */
export function sortByColumn(state: DashboardState, number: number, view: DashboardView): DashboardState {
  const listed = listedOn(state, view);
  if (!listed) return state;
  const page = sortedBy(pageShown(state), listed, number);
  if (!page) return { ...state, note: `There is no column ${number}. ${numbered(listed)}` };
  return { ...withPage(state, page), note: `${sortText(page, listed)} ${numbered(listed)}` };
}

/** "Sorted by CLUSTERS.": a narrow screen may not show that column. */
function sortText({ sort }: Page, { list }: ShownDashboardList): string {
  const name = sort && list.columns[sort.column]?.name;
  if (name === undefined) return 'In the default order.';
  return `Sorted by ${name}${sort!.backwards ? ', backwards' : ''}.`;
}

/** "1 WORKLOAD, 2 CLUSTERS": the digit of each column. */
function numbered({ list }: ShownDashboardList): string {
  return columnsText(list.columns.map(({ name }) => name));
}
