import type { Action } from '../../../views/dashboard/actions/action.ts';
import type { Place } from '../../../views/dashboard/place.ts';
import type { DashboardView } from '../state.ts';

/** The page of an action that is to begin. */
export function actionPlace(action: Action, { actions }: Pick<DashboardView, 'actions'>): Place {
  return { view: 'action', action, number: actions?.next ?? 0 };
}
