import {
  isReplay,
  LIST_NAMES,
  JUMPS,
  placeKey,
  type ListName,
  type Place,
} from '../../views/dashboard/place.ts';
import type { Step } from '../../views/dashboard/replayed.ts';
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

/** What a key asks of the owner of the terminal. */
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
  return { ...reduced, state: remembered(state, stopped(state, reduced.state), view) };
}

const ALWAYS = {
  interrupt: { type: 'quit', interrupted: true },
  suspend: { type: 'suspend' },
  redraw: { type: 'redraw' },
} as const;

/** Stops a replay if it is no longer shown, or if somebody moved in it. */
function stopped(before: DashboardState, after: DashboardState): DashboardState {
  return before.playing && after.playing && before.trail !== after.trail ? paused(after) : after;
}

/** The dashboard after some milliseconds, if a replay goes on by itself. */
export function passed(state: DashboardState, milliseconds: number, view: DashboardView): DashboardState {
  const { playing } = state;
  if (!playing) return state;
  const found = stepsShown(state, view);
  if (!found) return paused(state);
  const at = playing.at + milliseconds * playing.speed;
  const next = found.items.findIndex(({ time }) => time > at);
  const line = Math.max(0, next === -1 ? found.items.length - 1 : next - 1);
  const moving = toLine({ ...state, playing: { ...playing, at } }, line, view);
  return next === -1 ? paused(moving) : moving;
}

/** Adds the command for the page that has just been opened. */
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
      if (isReplay(pageShown(state).place)) return { state: playedOrPaused(state, view) };
      return { state: moved(state, pageLength(view), view) };
    case '+':
    case '-':
      return { state: faster(state, text === '+' ? 2 : 0.5) };
    case '>':
      return { state: atNextEviction(state, view) };
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
    case 'm':
      return { state: marked(state, view) };
    case 'M':
      return { state: regionMarked(state, view) };
    case 'w':
      return { state: tomorrow(state, view) };
    case 'r':
      return { state: replay(state, view) };
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

/** Shows another trail, and keeps the present one to go back to. */
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
  if (!workload) return state;
  const moment = 'at' in page.place && page.place.at !== undefined ? { at: page.place.at } : {};
  return went(state, { view: 'object', object: workload.binding, ...moment });
}

function back(state: DashboardState, name: KeyName): DashboardState {
  const page = pageShown(state);
  if (page.filter !== '' && name === 'escape')
    return withPage(state, { ...page, filter: '', line: 0, top: 0 });
  const [first, ...rest] = state.trail.slice(0, -1);
  if (first) return left(state, [first, ...rest]);
  return page.place.view === 'clusters' ? state : left(state, [pageOf({ view: 'clusters' })]);
}

/** Marks the chosen cluster as failing, or takes the mark away. */
function marked(state: DashboardState, view: DashboardView): DashboardState {
  const name = clusterChosen(state, view);
  if (name === undefined) return { ...state, note: 'm marks clusters as failing, in the list of clusters.' };
  const { failing } = state;
  const next = failing.includes(name) ? failing.filter((one) => one !== name) : [...failing, name].sort();
  return moved({ ...state, failing: next }, 1, view);
}

/** Marks all clusters of the region of the chosen one, or takes the marks away if all have them. */
function regionMarked(state: DashboardState, view: DashboardView): DashboardState {
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

function clusterChosen(state: DashboardState, view: DashboardView): string | undefined {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  if (page.place.view !== 'clusters' || !listed) return undefined;
  return keyAt(listed, chosenAt(listed, page));
}

/** Shows what becomes of everything if the marked clusters fail; without marks, the chosen one. */
function tomorrow(state: DashboardState, view: DashboardView): DashboardState {
  const chosen = clusterChosen(state, view);
  const failing = state.failing.length > 0 ? state.failing : chosen === undefined ? [] : [chosen];
  return went(state, { view: 'tomorrow', failing });
}

/** The same step by step; of a recording, unless somebody asks what if, what was recorded. */
function replay(state: DashboardState, { feed }: DashboardView): DashboardState {
  const { place } = pageShown(state);
  if (feed.source?.recorded && place.view !== 'tomorrow' && state.failing.length === 0)
    return went(state, { view: 'recording' });
  return went(state, { view: 'replay', failing: place.view === 'tomorrow' ? place.failing : state.failing });
}

function stepsShown(state: DashboardState, view: DashboardView) {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const known = view.answers.get(placeKey(place));
  if (known?.type !== 'steps' || !listed) return undefined;
  return { listed, items: listed.items as readonly Step[], start: known.start };
}

function playedOrPaused(state: DashboardState, view: DashboardView): DashboardState {
  if (state.playing) return paused(state);
  const found = stepsShown(state, view);
  if (!found) return state;
  const line = chosenAt(found.listed, pageShown(state));
  // from the end it begins again
  const from = line >= found.items.length - 1 ? 0 : line;
  const at = found.items[from]?.time ?? found.start;
  return toLine({ ...state, playing: { at, speed: FIRST_SPEED } }, from, view);
}

/** Virtual seconds in a second: an eviction takes minutes. */
const FIRST_SPEED = 16;
const SPEEDS = { least: 1, most: 1024 };

function paused(state: DashboardState): DashboardState {
  const { playing: _stopped, ...rest } = state;
  return rest;
}

function faster(state: DashboardState, by: number): DashboardState {
  const { playing } = state;
  if (!playing) return state;
  const speed = Math.max(SPEEDS.least, Math.min(SPEEDS.most, playing.speed * by));
  return { ...state, playing: { ...playing, speed } };
}

function atNextEviction(state: DashboardState, view: DashboardView): DashboardState {
  const found = stepsShown(state, view);
  if (!found) return state;
  const from = chosenAt(found.listed, pageShown(state));
  const next = found.items.findIndex(({ type }, index) => index > from && type === 'Evicted');
  return next === -1 ? { ...state, note: 'No eviction follows.' } : toLine(paused(state), next, view);
}

/** The list with this line chosen. */
function toLine(state: DashboardState, line: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  if (!listed) return state;
  const top = windowOf(page.top, line, listed.items.length, listRoom(view));
  return withPage(state, { ...page, line, top, chosen: keyAt(listed, line) });
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

/** Sorts by the column with this number, from 1; 0: in the first order. */
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

/** The longest text that can be typed. */
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

/** Completes what is typed, as far as it is unambiguous. */
function completed({ purpose, text }: Input, view: DashboardView): string {
  if (text === '') return text;
  if (purpose === 'jump') return jumpNamed(text) ?? text;
  if (purpose !== 'namespace') return text;
  const found = view.feed.workloads.find(({ workload }) => workload.namespace?.startsWith(text));
  return found?.workload.namespace ?? text;
}
