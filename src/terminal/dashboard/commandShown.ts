import type { Choice } from '../../views/dashboard/answered.ts';
import { workloadName } from '../../views/words/workloadName.ts';
import { commandOfAction } from './actions/commandOfAction.ts';
import { commandOf, kubectlGet } from './commandOf.ts';
import { listedOn } from './items.ts';
import { itemChosen } from './reduce/moving.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/**
 * The words of the command that shows the same as the present page, without those that name the control plane; on the
 * page of commands, the chosen one. Undefined if there is none.
 */
export function commandShown(state: DashboardState, view: DashboardView): readonly string[] | undefined {
  const { feed } = view;
  const { place, line } = pageShown(state);
  if (place.view === 'commands') return state.commands.toReversed()[line];
  if (place.view === 'action') return commandOfAction(place.action, feed.source?.live ?? false);
  if (place.view === 'choose' || place.view === 'actions') return commandChosen(state, view);
  // kubectl cannot ask files
  if (place.view === 'object') return feed.source?.live ? kubectlGet(place.object) : undefined;
  if (place.view === 'events' && feed.source?.recorded)
    return commandOf({ view: 'recording' }, state.namespace, none);
  return commandOf(place, state.namespace, (key) => {
    const found = feed.workloads.find((one) => one.key === key);
    return found && workloadName(found.workload);
  });
}

/** The command of the action that is chosen in a list of actions. */
function commandChosen(state: DashboardState, view: DashboardView): readonly string[] | undefined {
  const listed = listedOn(state, view);
  const place = listed && (itemChosen(listed, state) as Choice | undefined)?.opens;
  if (place?.view !== 'action') return undefined;
  return commandOfAction(place.action, view.feed.source?.live ?? false);
}

const none = () => undefined;
