import type { Choice } from '../../views/dashboard/answered.ts';
import { workloadName } from '../../views/words/names.ts';
import { commandOfAction } from './actions/commandOfAction.ts';
import { commandOf, kubectlGet } from './commandOf.ts';
import { listedOn } from './items.ts';
import { itemChosen } from './chosen.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/** The command line that shows the same as the present page, or does the same; on the page of commands, the chosen one. */
export function commandLineShown(state: DashboardState, view: DashboardView): string | undefined {
  if (pageShown(state).place.view === 'commands') {
    const listed = listedOn(state, view);
    return listed && (itemChosen(listed, state) as Choice | undefined)?.key;
  }
  const words = commandShown(state, view);
  return words && view.commandLine(words);
}

/**
 * The words of the command that shows the same as the present page, without those that name the control plane. Undefined if there is
 * none.
 */
export function commandShown(state: DashboardState, view: DashboardView): readonly string[] | undefined {
  const { feed } = view;
  const { place } = pageShown(state);
  if (place.view === 'action') return commandOfAction(place.action, feed.source?.live ?? false);
  if (place.view === 'choose' || place.view === 'actions') return commandChosen(state, view);
  // kubectl cannot ask files
  if (place.view === 'object') return feed.source?.live ? kubectlGet(place.object) : undefined;
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
