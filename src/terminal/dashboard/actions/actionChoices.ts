import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../../presentation/words.ts';
import {
  ACTION_DESCRIPTIONS,
  type Action,
  actionTitle,
  shortTitle,
  actionsOn,
  type Target,
} from '../../../views/dashboard/actions/action.ts';
import type { ActionShown } from '../../../views/dashboard/actions/actionShown.ts';
import type { Choice } from '../../../views/dashboard/answered.ts';
import { placeKey, type Place } from '../../../views/dashboard/place.ts';
import type { DashboardView } from '../state.ts';

/** The actions for a target. */
export function offeredOn(target: Target, view: DashboardView): Choice[] {
  const actions = actionsOn(target, view.feed);
  const width = Math.max(...actions.map((action) => shortTitle(action).length));
  return actions.map((action) => ({
    key: actionTitle(action),
    words: [shortTitle(action).padEnd(width), asFaint(`   ${ACTION_DESCRIPTIONS[action.name]}`)],
    opens: actionPlace(action, view),
  }));
}

/** The started actions, newest first. */
export function startedActions({ actions }: DashboardView): Choice[] {
  return [...(actions?.known.values() ?? [])].reverse().map((shown) => ({
    key: placeKey(shown.place),
    words: [stageWords(shown), '   ', actionTitle(shown.place.action)],
    opens: shown.place,
  }));
}

function stageWords({ stage, result }: ActionShown): Words {
  if (stage !== 'ended') return asWarning(stage === 'working' ? 'running' : stage);
  const { outcome } = result!;
  if (outcome === 'done') return asGood('done');
  return outcome === 'nothing' ? asFaint('nothing to do') : asBad(outcome.replace('-', ' '));
}

/** The page of an action to start. */
export function actionPlace(action: Action, { actions }: Pick<DashboardView, 'actions'>): Place {
  return { view: 'action', action, number: actions?.next ?? 0 };
}
