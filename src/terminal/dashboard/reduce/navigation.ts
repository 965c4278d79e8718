import { LIST_NAMES, placeKey, type Place, type SectionName } from '../../../views/dashboard/place.ts';
import { listedOn, itemChosen, pageOfList, sectionsOn } from '../items.ts';
import type { KeyName } from '../../screen/keys.ts';
import {
  FIRST_LIST,
  pageOf,
  pageShown,
  type DashboardState,
  type DashboardView,
  type Trail,
  withPage,
} from '../state.ts';

const MAX_HISTORY = 100;

/** Opens a place after the current one. */
export function openedPlace(state: DashboardState, place: Place): DashboardState {
  if (placeKey(pageShown(state).place) === placeKey(place)) return state;
  return switchTrail(state, [...state.trail, pageOf(place)]);
}

/** Switches to another trail, and keeps the current one to go back to. */
export function switchTrail(state: DashboardState, trail: Trail): DashboardState {
  return { ...state, trail, past: [...state.past, state.trail].slice(-MAX_HISTORY), future: [] };
}

/** Opens the selected item; on a text, the page under it. */
export function openSelected(state: DashboardState, view: DashboardView): DashboardState {
  const listed = listedOn(state, view);
  if (!listed) return evidence(state);
  const item = itemChosen(listed, state);
  const place = item === undefined ? undefined : listed.list.opens(item);
  return place ? openedPlace(state, place) : state;
}

/** From the explanation of a workload to its evidence. */
export function evidence(state: DashboardState): DashboardState {
  const { place } = pageShown(state);
  if (place.view === 'workload') return openedPlace(state, { ...place, view: 'evidence' });
  return place.view === 'eviction' ? openedPlace(state, { view: 'workload', key: place.key }) : state;
}

/** Opens the object behind the selected item, or behind the page. */
export function asYaml(state: DashboardState, view: DashboardView): DashboardState {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const item = listed && itemChosen(listed, state);
  if (item !== undefined) {
    const object = listed?.list.object?.(item);
    return object ? openedPlace(state, object) : { ...state, note: 'This line has no object.' };
  }
  if (!('key' in place)) return state;
  const { key } = place;
  const workload = view.feed.workloads.find((one) => one.key === key);
  if (!workload) return state;
  const moment = 'at' in place && place.at !== undefined ? { at: place.at } : {};
  const shown = openedPlace(state, { view: 'object', object: workload.binding, ...moment });
  return isOfWhatIf(place)
    ? { ...shown, note: 'This is the current object, without the changes of the what-if.' }
    : shown;
}

function isOfWhatIf(place: Place): boolean {
  return place.view === 'fate' || ('ifFails' in place && (place.ifFails ?? []).length > 0);
}

/** Clears the filter, or goes back one page in the trail. */
export function goBack(state: DashboardState, name: KeyName): DashboardState {
  const page = pageShown(state);
  if (page.filter !== '' && name === 'escape')
    return withPage(state, { ...page, filter: '', line: 0, top: 0 });
  const [first, ...rest] = state.trail.slice(0, -1);
  if (first) return switchTrail(state, [first, ...rest]);
  return page.place.view === 'clusters' ? state : switchTrail(state, [pageOf({ view: 'clusters' })]);
}

/**
 * Moves to the next or previous list on the page; on a page with one list, to the next or previous view with a list.
 */
export function nextList(state: DashboardState, by: 1 | -1, shown: DashboardView): DashboardState {
  const sections = [FIRST_LIST, ...sectionsOn(state, shown).map(({ name }) => name)] as const;
  if (sections.length > 1) {
    const now = Math.max(0, sections.indexOf(pageShown(state).section ?? FIRST_LIST));
    return choosingList(state, sections[(now + by + sections.length) % sections.length]!);
  }
  const { view } = state.trail[0].place;
  const at = LIST_NAMES.findIndex((one) => one === view);
  const name = LIST_NAMES[(at + by + LIST_NAMES.length) % LIST_NAMES.length]!;
  return switchTrail(state, [pageOf({ view: name })]);
}

/** The page with keys on another of its lists; the previous one keeps its state. */
function choosingList(state: DashboardState, name: SectionName | typeof FIRST_LIST): DashboardState {
  const page = pageShown(state);
  const { place, section = FIRST_LIST, left: before, ...own } = page;
  return withPage(state, {
    place,
    ...pageOfList(page, name),
    left: { ...before, [section]: own },
    section: name === FIRST_LIST ? undefined : name,
  });
}

/** Goes back or forward in the history, and keeps the current trail on the other side. */
export function inHistory(
  state: DashboardState,
  from: 'past' | 'future',
  to: 'past' | 'future',
): DashboardState {
  const trail = state[from].at(-1);
  if (!trail)
    return { ...state, note: from === 'past' ? 'This is the first page.' : 'This is the last page.' };
  return { ...state, trail, [from]: state[from].slice(0, -1), [to]: [...state[to], state.trail] };
}
