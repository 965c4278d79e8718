import { VIEW_DESCRIPTIONS, type Place } from '../../../views/dashboard/place.ts';
import type { Key } from '../../screen/keys.ts';
import { editedText } from '../../screen/lastLine.ts';
import {
  pageOf,
  pageShown,
  type DashboardState,
  type DashboardView,
  type Input,
  withPage,
} from '../state.ts';
import { switchTrail } from './navigation.ts';
import { toggleTaintMark } from './marking.ts';
import { linesBy } from '../../screen/listed.ts';
import { pageLength } from '../textOnPage.ts';
import { moveSelection } from './moving.ts';

/** The dashboard after a key while the last line takes input. */
export function typeKey(state: DashboardState, input: Input, key: Key, view: DashboardView): DashboardState {
  const { input: _input, ...closed } = state;
  const text = editedText(input.text, key);
  if (text === undefined) return closed;
  if ('text' in key) return edited(state, { ...input, text });
  switch (key.name) {
    case 'escape':
      return input.purpose === 'filter' ? withPage(closed, { ...pageShown(closed), filter: '' }) : closed;
    case 'backspace':
    case 'clearLine':
      return edited(state, { ...input, text });
    case 'tab':
      return edited(state, { ...input, text: completed(input, view) });
    case 'enter':
      return entered(closed, input, view);
    case 'up':
    case 'down':
    case 'pageUp':
    case 'pageDown':
      return moveSelection(state, linesBy(key.name, pageLength(state, view)) ?? 0, view);
    default:
      return state;
  }
}

/** A filter applies while it is typed. */
function edited(state: DashboardState, input: Input): DashboardState {
  const { purpose, text } = input;
  const next: DashboardState = { ...state, input: { purpose, text } };
  return purpose === 'filter' ? withPage(next, { ...pageShown(next), filter: text, line: 0, top: 0 }) : next;
}

function entered(state: DashboardState, { purpose, text }: Input, view: DashboardView): DashboardState {
  const given = text.trim();
  if (purpose === 'namespace') return { ...state, namespace: given === '' ? undefined : given };
  if (purpose === 'filter' || given === '') return state;
  if (purpose === 'taint') return toggleTaintMark(state, given, view);
  const name = jumpNamed(given);
  if (name === undefined) return { ...state, note: `There is no view "${given}"; ? lists them.` };
  return switchTrail(state, [pageOf({ view: name } as Place)]);
}

/** The view with this name, or the first that begins with it. */
function jumpNamed(given: string): string | undefined {
  const names = VIEW_DESCRIPTIONS.map(([name]) => name);
  return names.find((name) => name === given) ?? names.find((name) => name.startsWith(given.toLowerCase()));
}

/** Completes the input up to its first ambiguity. */
function completed({ purpose, text }: Input, view: DashboardView): string {
  if (text === '') return text;
  if (purpose === 'jump') return jumpNamed(text) ?? text;
  if (purpose !== 'namespace') return text;
  const found = view.feed.workloads.find(({ workload }) => workload.namespace?.startsWith(text));
  return found?.workload.namespace ?? text;
}
