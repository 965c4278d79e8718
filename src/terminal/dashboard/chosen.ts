import type { Place } from '../../views/dashboard/place.ts';
import { itemAt } from '../screen/listed.ts';
import { listedOn, type Listed } from './items.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/** The item that keys act on; undefined if the list is empty. */
export function itemChosen(listed: Listed, state: DashboardState): unknown {
  return itemAt(listed, pageShown(state));
}

/** The object behind the chosen item, or what it opens; otherwise the page itself. */
export function placeChosen(state: DashboardState, view: DashboardView): Place {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const item = listed && itemChosen(listed, state);
  if (item === undefined) return place;
  return listed?.list.object?.(item) ?? listed?.list.opens(item) ?? place;
}
