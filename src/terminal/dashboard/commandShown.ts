import { commandOf, kubectlGet } from './commandOf.ts';
import { workloadName } from '../../views/workloadName.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/**
 * The words of the command that shows the same as the present page, without those that name the control plane; on the
 * page of commands, the chosen one. Undefined if there is none.
 */
export function commandShown(state: DashboardState, { feed }: DashboardView): readonly string[] | undefined {
  const { place, line } = pageShown(state);
  if (place.view === 'commands') return state.commands.toReversed()[line];
  // kubectl cannot ask files
  if (place.view === 'object') return feed.source?.live ? kubectlGet(place.object) : undefined;
  if (place.view === 'events' && feed.source?.recorded)
    return commandOf({ view: 'recording' }, state.namespace, none);
  return commandOf(place, state.namespace, (key) => {
    const found = feed.workloads.find((one) => one.key === key);
    return found && workloadName(found.workload);
  });
}

const none = () => undefined;
