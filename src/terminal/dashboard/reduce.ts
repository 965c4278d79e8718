import { LIST_NAMES, JUMPS, placeKey, type ListName, type Place } from '../../views/dashboard/place.ts';
import { commandShown } from './commandShown.ts';
import { chosenAt, listedOn, type Listed } from './items.ts';
import type { Key, KeyName } from './keys.ts';
import { listRoom, pageLength, textRoom, windowOf } from './room.ts';
import {
  pageOf,
  pageShown,
  type DashboardState,
  type DashboardView,
  type Input,
  type Page,
  type Trail,
} from './state.ts';

/** What a key asks of whoever owns the terminal. */
export type Effect =
  | { type: 'quit'; interrupted?: true }
  | { type: 'suspend' }
  | { type: 'redraw' }
  /** puts a text into the clipboard of the terminal */
  | { type: 'copy'; text: string };

export interface Reduced {
  state: DashboardState;
  effect?: Effect | undefined;
}

const MOST_HISTORY = 100;

/** The dashboard after a key. */
export function reduce(before: DashboardState, key: Key, view: DashboardView): Reduced {
  const { note: _said, ...state } = before;
  if ('name' in key && key.name in ALWAYS) return { state, effect: ALWAYS[key.name as keyof typeof ALWAYS] };
  if (state.input) return { state: typed(state, state.input, key, view) };
  const reduced = 'name' in key ? named(state, key.name, view) : pressed(state, key.text, view);
  return { ...reduced, state: remembered(state, reduced.state, view) };
}

const ALWAYS = {
  interrupt: { type: 'quit', interrupted: true },
  suspend: { type: 'suspend' },
  redraw: { type: 'redraw' },
} as const;

/** Adds the command for what has just been opened. */
function remembered(before: DashboardState, after: DashboardState, view: DashboardView): DashboardState {
  if (after.trail === before.trail && after.commands.length > 0) return after;
  const words = commandShown(after, view);
  if (!words) return after;
  const text = words.join(' ');
  return { ...after, commands: [...after.commands.filter((one) => one.join(' ') !== text), words] };
}

function named(state: DashboardState, name: KeyName, view: DashboardView): Reduced {
  switch (name) {
    case 'up':
      return { state: moved(state, -1, view) };
    case 'down':
      return { state: moved(state, 1, view) };
    case 'pageUp':
      return { state: moved(state, -pageLength(view), view) };
    case 'pageDown':
      return { state: moved(state, pageLength(view), view) };
    case 'home':
      return { state: moved(state, -Infinity, view) };
    case 'end':
      return { state: moved(state, Infinity, view) };
    case 'enter':
    case 'right':
      return { state: opened(state, view) };
    case 'escape':
    case 'left':
    case 'backspace':
      return { state: back(state, name) };
    case 'tab':
      return { state: beside(state, 1) };
    case 'backTab':
      return { state: beside(state, -1) };
    default:
      return { state };
  }
}

function pressed(state: DashboardState, text: string, view: DashboardView): Reduced {
  switch (text) {
    case 'j':
      return { state: moved(state, 1, view) };
    case 'k':
      return { state: moved(state, -1, view) };
    case 'g':
      return { state: moved(state, -Infinity, view) };
    case 'G':
      return { state: moved(state, Infinity, view) };
    case ' ':
      return { state: moved(state, pageLength(view), view) };
    case '/':
      return { state: { ...state, input: { purpose: 'filter', text: pageShown(state).filter } } };
    case ':':
      return { state: { ...state, input: { purpose: 'jump', text: '' } } };
    case 'n':
      return { state: { ...state, input: { purpose: 'namespace', text: state.namespace ?? '' } } };
    case 'N':
      return { state: { ...state, namespace: undefined } };
    case '[':
      return { state: inHistory(state, 'past', 'future') };
    case ']':
      return { state: inHistory(state, 'future', 'past') };
    case '?':
      return { state: went(state, { view: 'help' }) };
    case 'c':
      return { state: went(state, { view: 'commands' }) };
    case 'e':
      return { state: evidence(state) };
    case 'y':
      return { state: asYaml(state, view) };
    case 'x':
      return copied(state, view);
    case 'q':
      return { state, effect: { type: 'quit' } };
    default:
      return { state: /^[0-9]$/.test(text) ? sorted(state, Number(text), view) : state };
  }
}

function withPage(state: DashboardState, page: Page): DashboardState {
  return { ...state, trail: [...state.trail.slice(0, -1), page] as unknown as Trail };
}

/** Moves the chosen line of a list, or the lines of a text. */
function moved(state: DashboardState, by: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  const last = listed ? listed.items.length - 1 : textRoom(state, view);
  const from = listed ? chosenAt(listed, page) : Math.min(page.line, last);
  const line = Math.max(0, Math.min(last, from + by));
  const top = listed ? windowOf(page.top, line, listed.items.length, listRoom(view)) : line;
  return withPage(state, { ...page, line, top, chosen: listed && keyAt(listed, line) });
}

function keyAt({ list, items }: Listed, line: number): string | undefined {
  const item = items[line];
  return item === undefined ? undefined : list.key(item);
}

/** Shows a place after the present one. */
function went(state: DashboardState, place: Place): DashboardState {
  if (placeKey(pageShown(state).place) === placeKey(place)) return state;
  return left(state, [...state.trail, pageOf(place)]);
}

/** Shows another trail, and keeps the present one. */
function left(state: DashboardState, trail: Trail): DashboardState {
  return { ...state, trail, past: [...state.past, state.trail].slice(-MOST_HISTORY), future: [] };
}

function opened(state: DashboardState, view: DashboardView): DashboardState {
  const listed = listedOn(state, view);
  if (listed) {
    const item = listed.items[chosenAt(listed, pageShown(state))];
    const place = item === undefined ? undefined : listed.list.opens(item);
    return place ? went(state, place) : state;
  }
  return evidence(state);
}

/** From the explanation of a workload to its evidence. */
function evidence(state: DashboardState): DashboardState {
  const { place } = pageShown(state);
  if (place.view === 'workload') return went(state, { ...place, view: 'evidence' });
  return place.view === 'eviction' ? went(state, { view: 'workload', key: place.key }) : state;
}

function asYaml(state: DashboardState, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  const item = listed?.items[chosenAt(listed, page)];
  if (item !== undefined) {
    const place = listed?.list.object?.(item);
    return place ? went(state, place) : { ...state, note: 'There is no object behind this line.' };
  }
  if (!('key' in page.place)) return state;
  const { key } = page.place;
  const workload = view.feed.workloads.find((one) => one.key === key);
  return workload ? went(state, { view: 'object', object: workload.binding }) : state;
}

function back(state: DashboardState, name: KeyName): DashboardState {
  const page = pageShown(state);
  if (page.filter !== '' && name === 'escape')
    return withPage(state, { ...page, filter: '', line: 0, top: 0 });
  const [first, ...rest] = state.trail.slice(0, -1);
  if (first) return left(state, [first, ...rest]);
  return page.place.view === 'clusters' ? state : left(state, [pageOf({ view: 'clusters' })]);
}

/** The next list, or the one before. */
function beside(state: DashboardState, by: 1 | -1): DashboardState {
  const { view } = state.trail[0].place;
  const at = LIST_NAMES.indexOf(view as ListName);
  const name = LIST_NAMES[(at + by + LIST_NAMES.length) % LIST_NAMES.length]!;
  return left(state, [pageOf({ view: name })]);
}

function inHistory(state: DashboardState, from: 'past' | 'future', to: 'past' | 'future'): DashboardState {
  const trail = state[from].at(-1);
  if (!trail)
    return { ...state, note: from === 'past' ? 'Nothing was looked at before.' : 'This is the newest.' };
  return { ...state, trail, [from]: state[from].slice(0, -1), [to]: [...state[to], state.trail] };
}

/** Sorts by the column with this number, from 1; 0: as at first. */
function sorted(state: DashboardState, number: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  if (!listed) return state;
  if (number === 0) return withPage(state, { ...page, sort: undefined });
  const column = number - 1;
  if (!listed.list.columns[column]) return { ...state, note: `There is no column ${number}.` };
  const again = page.sort?.column === column;
  return withPage(state, { ...page, sort: { column, backwards: again && !page.sort!.backwards } });
}

function copied(state: DashboardState, view: DashboardView): Reduced {
  const words = commandShown(state, view);
  if (!words) return { state: { ...state, note: 'There is no command for this.' } };
  const text = view.commandLine(words);
  return {
    state: { ...state, note: 'Copied, if the terminal takes it (OSC 52).' },
    effect: { type: 'copy', text },
  };
}

/** What is typed into the last line. */
function typed(state: DashboardState, input: Input, key: Key, view: DashboardView): DashboardState {
  const { input: _input, ...closed } = state;
  const text = 'text' in key ? input.text + key.text : input.text;
  if ('text' in key) return edited(state, { ...input, text });
  switch (key.name) {
    case 'escape':
      return input.purpose === 'filter' ? withPage(closed, { ...pageShown(closed), filter: '' }) : closed;
    case 'backspace':
      if (text === '') return closed;
      return edited(state, { ...input, text: [...text].slice(0, -1).join('') });
    case 'clearLine':
      return edited(state, { ...input, text: '' });
    case 'tab':
      return edited(state, { ...input, text: completed(input, view) });
    case 'enter':
      return entered(closed, input, view);
    case 'up':
    case 'down':
    case 'pageUp':
    case 'pageDown':
      return named(state, key.name, view).state;
    default:
      return state;
  }
}

/** Longer texts are not taken from a keyboard. */
const LONGEST_INPUT = 200;

/** A filter works while it is typed. */
function edited(state: DashboardState, input: Input): DashboardState {
  const text = input.text.slice(0, LONGEST_INPUT);
  const next = { ...state, input: { ...input, text } };
  return input.purpose === 'filter'
    ? withPage(next, { ...pageShown(next), filter: text, line: 0, top: 0 })
    : next;
}

function entered(state: DashboardState, { purpose, text }: Input, view: DashboardView): DashboardState {
  const given = text.trim();
  if (purpose === 'namespace') return { ...state, namespace: given === '' ? undefined : given };
  if (purpose === 'filter' || given === '') return state;
  const name = jumpNamed(given);
  if (name === undefined) return { ...state, note: `There is no view "${given}"; ? lists them.` };
  const next = left(state, [pageOf({ view: name } as Place)]);
  return remembered(state, next, view);
}

/** The view with this name, or the first whose name begins so. */
function jumpNamed(given: string): string | undefined {
  const names = JUMPS.map(([name]) => name);
  return names.find((name) => name === given) ?? names.find((name) => name.startsWith(given.toLowerCase()));
}

/** What is typed, as far as only one thing can be meant. */
function completed({ purpose, text }: Input, view: DashboardView): string {
  if (text === '') return text;
  if (purpose === 'jump') return jumpNamed(text) ?? text;
  if (purpose !== 'namespace') return text;
  const found = view.feed.workloads.find(({ workload }) => workload.namespace?.startsWith(text));
  return found?.workload.namespace ?? text;
}
