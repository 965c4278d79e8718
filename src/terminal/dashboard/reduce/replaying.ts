import { placeKey } from '../../../views/dashboard/place.ts';
import type { ReplayedStep } from '../../../views/dashboard/answered.ts';
import { isNothing } from '../../../views/dashboard/whatIf.ts';
import { chosenAt } from '../../screen/listed.ts';
import { listedOn } from '../items.ts';
import { pageShown, type DashboardState, type DashboardView } from '../state.ts';
import { openedPlace } from './navigation.ts';
import { toLine } from './moving.ts';

/** Simulated seconds per second: an eviction takes minutes. */
const FIRST_SPEED = 16;
const SPEEDS = { least: 1, most: 1024 };

/** The same, step by step; for a recording, the recorded steps unless a what-if is requested. */
export function replay(state: DashboardState, { feed }: DashboardView): DashboardState {
  const { place } = pageShown(state);
  if (feed.source?.recorded && place.view !== 'tomorrow' && isNothing(state.marks))
    return openedPlace(state, { view: 'recording' });
  return openedPlace(state, {
    view: 'replay',
    whatIf: place.view === 'tomorrow' ? place.whatIf : state.marks,
  });
}

/** Starts playing from the selected step, or stops. */
export function playedOrPaused(state: DashboardState, view: DashboardView): DashboardState {
  if (state.playing) return paused(state);
  const found = stepsShown(state, view);
  if (!found) return state;
  const line = chosenAt(found.listed, pageShown(state));
  // from the end it starts over
  const from = line >= found.items.length - 1 ? 0 : line;
  const at = found.items[from]?.time ?? found.start;
  return toLine({ ...state, playing: { at, speed: FIRST_SPEED } }, from, view);
}

/** Multiplies the speed of a replay. */
export function multiplyReplaySpeed(state: DashboardState, by: number): DashboardState {
  const { playing } = state;
  if (!playing) return state;
  const speed = Math.max(SPEEDS.least, Math.min(SPEEDS.most, playing.speed * by));
  return { ...state, playing: { ...playing, speed } };
}

/** Pauses at the next eviction. */
export function atNextEviction(state: DashboardState, view: DashboardView): DashboardState {
  const found = stepsShown(state, view);
  if (!found) return state;
  const from = chosenAt(found.listed, pageShown(state));
  const next = found.items.findIndex(({ type }, index) => index > from && type === 'Evicted');
  return next === -1 ? { ...state, note: 'No eviction follows.' } : toLine(paused(state), next, view);
}

/** The dashboard after some milliseconds of a running replay. */
export function advanceReplay(
  state: DashboardState,
  milliseconds: number,
  view: DashboardView,
): DashboardState {
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

/** Stops a replay that is no longer visible, or in which the user has moved. */
export function stopHiddenReplay(before: DashboardState, after: DashboardState): DashboardState {
  return before.playing && after.playing && before.trail !== after.trail ? paused(after) : after;
}

function paused(state: DashboardState): DashboardState {
  const { playing: _stopped, ...rest } = state;
  return rest;
}

function stepsShown(state: DashboardState, view: DashboardView) {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const known = view.answers.get(placeKey(place));
  if (known?.type !== 'steps' || !listed) return undefined;
  return { listed, items: listed.items as readonly ReplayedStep[], start: known.start };
}
