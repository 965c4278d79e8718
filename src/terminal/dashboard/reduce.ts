import { isReplay } from '../../views/dashboard/place.ts';
import { actionPressed, withConfirmation, endsActionInput, enteredForAction } from './actions/actionKeys.ts';
import { commandLineShown, commandShown } from './commandShown.ts';
import type { Key, KeyName } from '../screen/keys.ts';
import {
  asYaml,
  goBack,
  nextList,
  evidence,
  inHistory,
  openSelected,
  openedPlace,
} from './reduce/navigation.ts';
import { placeChosen } from './items.ts';
import { toggleMark, regionMarked, taintAsked, outcomesShown, clearMarks } from './reduce/marking.ts';
import { linesBy, linesByText } from '../screen/listed.ts';
import { moveSelection, sortByColumn } from './reduce/moving.ts';
import { type Reduced, pageShown, type DashboardState, type DashboardView } from './state.ts';
import {
  atNextEviction,
  multiplyReplaySpeed,
  playedOrPaused,
  replay,
  stopHiddenReplay,
} from './reduce/replaying.ts';
import { typeKey } from './reduce/typing.ts';
import { pageLength } from './textOnPage.ts';

/** The dashboard after a key. */
export function reduce(before: DashboardState, key: Key, view: DashboardView): Reduced {
  // a redraw or a suspension keeps the note, which may be unread
  if ('name' in key && key.name in ALWAYS)
    return { state: before, effect: ALWAYS[key.name as keyof typeof ALWAYS] };
  const { note: _said, ...state } = before;
  if (state.input && endsActionInput(state.input, key)) {
    const entered = enteredForAction(state, state.input, view);
    return { ...entered, state: remembered(state, entered.state, view) };
  }
  if (state.input) return { state: remembered(state, typeKey(state, state.input, key, view), view) };
  const reduced = 'name' in key ? named(state, key.name, view) : pressed(state, key.text, view);
  return { ...reduced, state: remembered(state, stopHiddenReplay(state, reduced.state), view) };
}

const ALWAYS = {
  interrupt: { type: 'quit', interrupted: true },
  suspend: { type: 'suspend' },
  redraw: { type: 'redraw' },
} as const;

function named(state: DashboardState, name: KeyName, view: DashboardView): Reduced {
  const lines = linesBy(name, pageLength(state, view));
  if (lines !== undefined) return { state: moveSelection(state, lines, view) };
  switch (name) {
    case 'enter':
    case 'right':
      return { state: withConfirmation(state, view) ?? openSelected(state, view) };
    case 'escape':
    case 'left':
    case 'backspace':
      return { state: goBack(state, name) };
    case 'tab':
      return { state: nextList(state, 1, view) };
    case 'backTab':
      return { state: nextList(state, -1, view) };
    default:
      return { state };
  }
}

function pressed(state: DashboardState, text: string, view: DashboardView): Reduced {
  const acted = actionPressed(state, text, view);
  if (acted) return acted;
  if (text === ' ' && isReplay(pageShown(state).place)) return { state: playedOrPaused(state, view) };
  const lines = linesByText(text, pageLength(state, view));
  if (lines !== undefined) return { state: moveSelection(state, lines, view) };
  switch (text) {
    case '+':
    case '-':
      return { state: multiplyReplaySpeed(state, text === '+' ? 2 : 0.5) };
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
      return { state: openedPlace(state, { view: 'help' }) };
    case 'c':
      return { state: openedPlace(state, { view: 'commands' }) };
    case 'e':
      return { state: evidence(state) };
    case 'y':
      return { state: asYaml(state, view) };
    case 'x':
      return copied(state, view);
    case 'm':
      return { state: toggleMark(state, view) };
    case 'M':
      return { state: regionMarked(state, view) };
    case 't':
      return { state: taintAsked(state, view) };
    case 'E':
      return { state, effect: { type: 'edit', place: placeChosen(state, view) } };
    case 'W':
      return { state: clearMarks(state) };
    case 'w':
      return { state: outcomesShown(state, view) };
    case 'r':
      return { state: replay(state, view) };
    case 'q':
      return { state, effect: { type: 'quit' } };
    default:
      return { state: /^[0-9]$/.test(text) ? sortByColumn(state, Number(text), view) : state };
  }
}

/** Records the command for the page that was just opened. */
function remembered(before: DashboardState, after: DashboardState, view: DashboardView): DashboardState {
  if (after.trail === before.trail && after.commands.length > 0) return after;
  // the page of commands shows the selected command, and keeps their order
  if (pageShown(after).place.view === 'commands') return after;
  const words = commandShown(after, view);
  if (!words) return after;
  const text = words.join(' ');
  return { ...after, commands: [...after.commands.filter((one) => one.join(' ') !== text), words] };
}

function copied(state: DashboardState, view: DashboardView): Reduced {
  const text = commandLineShown(state, view);
  if (text === undefined) return { state: { ...state, note: 'No command shows this page.' } };
  return {
    state: { ...state, note: 'Copied, if the terminal supports it (OSC 52).' },
    effect: { type: 'copy', text },
  };
}
