import { isInTrouble, type WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import { LISTS } from '../../views/dashboard/lists.ts';
import type { ListName } from '../../views/dashboard/place.ts';
import { keeping } from '../screen/listed.ts';
import { itemsOf, type Listed } from './items.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/** A list whose beginning is on the first screen. */
interface Section {
  name: ListName;
  title: string;
  listed: Listed;
}

/** An empty row, the title, and the names of the columns. */
const OVERHEAD = 3;
/** Items that each section shows, if it has so many, before there is another one, and before the first ones show more. */
const FAIR = 3;

/** So many clusters are shown before anything else is. */
const LEAST_CLUSTERS = 8;

/** Whether other lists are shown below the present one: on the first screen, which says what matters now. */
export function hasGlance(state: DashboardState): boolean {
  return pageShown(state).place.view === 'clusters' && state.trail.length === 1;
}

/** How many of the rows of the first screen belong to what is under way, however many clusters there are. */
export function rowsUnderWay(state: DashboardState, view: DashboardView, rows: number): number {
  if (!hasGlance(state)) return 0;
  const wanted = sectionsOf(['drains', 'evictions', 'workloads'], state, view).reduce(
    (sum, { listed }) => sum + OVERHEAD + listed.items.length,
    0,
  );
  const given = Math.min(Math.floor(rows / 2), rows - LEAST_CLUSTERS, wanted);
  return given > OVERHEAD ? given : 0;
}

/** The lists of what else matters now that are not empty, in the order in which the first screen shows them; none on another one. */
export function glanceSections(state: DashboardState, view: DashboardView): Section[] {
  return hasGlance(state) ? sectionsOf(['drains', 'evictions', 'workloads', 'events'], state, view) : [];
}

function sectionsOf(names: readonly ListName[], state: DashboardState, view: DashboardView): Section[] {
  return names.flatMap((name): Section[] => {
    const list = LISTS[name];
    const all = itemsOf(list, state, view);
    if (all.length === 0) return [];
    if (name !== 'workloads') return [{ name, title: name, listed: { list, items: all, all } }];
    const items = keeping(all, 'in trouble', () => all.filter((one) => isInTrouble(one as WorkloadSummary)));
    return items.length === 0
      ? []
      : [{ name, title: 'workloads in trouble', listed: { list, items, all: items } }];
  });
}

/** The sections for which there are rows, and how many items each shows; the last ones give way if there are too few. */
export function glanceInRows(
  state: DashboardState,
  view: DashboardView,
  rows: number,
): { section: Section; room: number }[] {
  let sections = glanceSections(state, view);
  while (leastRows(sections) > rows) sections = sections.slice(0, -1);
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

function leastRows(sections: readonly Section[]): number {
  const last = sections.length - 1;
  return sections.reduce(
    (sum, { listed }, at) => sum + OVERHEAD + (at === last ? 1 : Math.min(FAIR, listed.items.length)),
    0,
  );
}
