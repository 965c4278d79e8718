import type { SimulateOptions } from '../../simulator/simulation/simulate.ts';
import { changeEvents } from '../../analysis/taintPolicy/changeEvents.ts';
import type { PolicyChange } from '../../analysis/taintPolicy/policyChange.ts';
import type { RemovalPlan } from '../../analysis/taintPolicy/removalPlan.ts';
import type { World } from '../../karmada/world.ts';
import { unconfirmed } from '../../karmada/configuration/answeredAssumption.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { runScenario } from '../scenario/runScenario.ts';
import { savedState } from '../snapshot/savedState.ts';
import type { OpenedState } from '../state/openState.ts';

/**
 * The state after a change of policies, without the taints of `removal` if one is given: simulated to its end, as the
 * text of a snapshot that can be opened as a state.
 */
export function stateAfterChange(
  state: OpenedState,
  change: PolicyChange,
  removal: RemovalPlan | undefined,
  ports: Ports,
): Iterable<string> {
  let end: World | undefined;
  const options: SimulateOptions = {
    unconfirmed: unconfirmed(state.assumptions),
    save: (saved) => void (end = saved),
  };
  const start = state.world.simulation?.queues.now ?? state.now;
  const events = changeEvents(change, removal, start);
  const scenario = { start, members: usualMembers(state.world), events };
  const simulation = runScenario(state.world, scenario, state.configuration, options, ports);
  return savedState(state, end!, simulation.end);
}
