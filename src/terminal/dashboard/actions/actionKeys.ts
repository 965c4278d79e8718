import { actionsOn } from '../../../views/dashboard/actions/action.ts';
import { placeKey } from '../../../views/dashboard/place.ts';
import { isYes } from '../../confirm.ts';
import type { Key } from '../../screen/keys.ts';
import { type Reduced, pageShown, type DashboardState, type DashboardView, type Input } from '../state.ts';
import { openedPlace } from '../reduce/navigation.ts';
import { actionPlace } from './actionChoices.ts';
import { ACTION_KEYS, targetOn } from './targetOn.ts';

/** The dashboard after a character, if that is an action key here; undefined if it is not. */
export function actionPressed(state: DashboardState, text: string, view: DashboardView): Reduced | undefined {
  const { place } = pageShown(state);
  if (place.view === 'action' && text === 's') return { state, effect: { type: 'stop', place } };
  if (text === 'a') return { state: menu(state, view) };
  if (text === 'A') return { state: { ...state, input: { purpose: 'file', text: '' } } };
  const key = Object.hasOwn(ACTION_KEYS, text) ? ACTION_KEYS[text] : undefined;
  if (!key) return undefined;
  const target = targetOn(state, view);
  const found = target ? actionsOn(target, view.feed).filter(({ name }) => name === key.name) : [];
  const [first, ...others] = found;
  if (!first) return { state: { ...state, note: `${text} ${key.does}.` } };
  if (others.length > 0) return { state: openedPlace(state, { view: 'choose', of: target! }) };
  return { state: openedPlace(state, actionPlace(first, view)) };
}

/** Lists the actions for the selected item. */
function menu(state: DashboardState, view: DashboardView): DashboardState {
  const target = targetOn(state, view);
  if (target && actionsOn(target, view.feed).length > 0)
    return openedPlace(state, { view: 'choose', of: target });
  return { ...state, note: 'No action is possible here.' };
}

/** On a plan's page, asks whether to carry it out; undefined on all other pages. */
export function withConfirmation(state: DashboardState, view: DashboardView): DashboardState | undefined {
  const { place } = pageShown(state);
  if (place.view !== 'action') return undefined;
  const shown = view.actions?.known.get(placeKey(place));
  return shown?.stage === 'planned' ? { ...state, input: { purpose: 'confirm', text: '' } } : state;
}

/** Whether a key ends the input of an action. */
export function endsActionInput({ purpose }: Input, key: Key): boolean {
  return (purpose === 'confirm' || purpose === 'file') && 'name' in key && key.name === 'enter';
}

/** The dashboard after Enter in an action's input: a file of policies, or an answer. */
export function enteredForAction(
  state: DashboardState,
  { purpose, text }: Input,
  view: DashboardView,
): Reduced {
  const { input: _input, ...closed } = state;
  const { place } = pageShown(closed);
  if (purpose === 'file') {
    const file = text.trim();
    return {
      state: file === '' ? closed : openedPlace(closed, actionPlace({ name: 'apply-policies', file }, view)),
    };
  }
  if (place.view !== 'action') return { state: closed };
  if (!isYes(text)) return { state: { ...closed, note: 'Nothing was changed.' } };
  return { state: closed, effect: { type: 'confirm', place } };
}
