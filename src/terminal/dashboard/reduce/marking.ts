import { listedOn } from '../items.ts';
import { pageShown, type DashboardState, type DashboardView } from '../state.ts';
import { went } from './going.ts';
import { itemChosen, moved } from './moving.ts';

/** Marks the chosen cluster as failing, or takes the mark away. */
export function marked(state: DashboardState, view: DashboardView): DashboardState {
  const name = clusterChosen(state, view);
  if (name === undefined) return { ...state, note: 'm marks clusters as failing, in the list of clusters.' };
  const { failing } = state;
  const next = failing.includes(name) ? failing.filter((one) => one !== name) : [...failing, name].sort();
  return moved({ ...state, failing: next }, 1, view);
}

/** Marks all clusters of the region of the chosen one, or takes the marks away if all have them. */
export function regionMarked(state: DashboardState, view: DashboardView): DashboardState {
  const clusters = view.feed.overview?.status.clusters ?? [];
  const name = clusterChosen(state, view);
  const region = clusters.find((one) => one.name === name)?.region;
  if (region === undefined)
    return { ...state, note: 'M marks a region, and no cluster with a region is chosen.' };
  const own = clusters.filter((one) => one.region === region).map((one) => one.name);
  const others = state.failing.filter((one) => !own.includes(one));
  const all = own.every((one) => state.failing.includes(one));
  return { ...state, failing: all ? others : [...others, ...own].sort() };
}

/** Shows what becomes of everything if the marked clusters fail; without marks, the chosen one. */
export function tomorrow(state: DashboardState, view: DashboardView): DashboardState {
  const chosen = clusterChosen(state, view);
  const failing = state.failing.length > 0 ? state.failing : chosen === undefined ? [] : [chosen];
  return went(state, { view: 'tomorrow', failing });
}

function clusterChosen(state: DashboardState, view: DashboardView): string | undefined {
  const listed = listedOn(state, view);
  if (pageShown(state).place.view !== 'clusters' || !listed) return undefined;
  const cluster = itemChosen(listed, state);
  return cluster === undefined ? undefined : listed.list.key(cluster);
}
