import { simulatedTasks, type SimulatedTasks } from '../../analysis/explanation/tasks/simulatedTasks.ts';
import { unverified, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions, runScenario } from '../scenario/runScenario.ts';
import type { OpenedState } from '../state/openState.ts';

/**
 * Simulates how a state continues: how evictions end, and the assumptions about member clusters.
 *
 * @param readyAfter milliseconds until new replicas are ready
 */
export function simulateEvictions(
  { world, now, configuration, assumptions }: OpenedState,
  readyAfter: number | undefined,
  ports: Ports,
): { tasks: (binding: ResourceBinding) => SimulatedTasks | undefined; assumptions: AnsweredAssumption[] } {
  const members = usualMembers(world, readyAfter);
  const scenario = { start: now, members, events: [] };
  const options = { unverified: unverified(assumptions) };
  const simulation = runScenario(world, scenario, configuration, options, ports);
  return {
    tasks: simulatedTasks(simulation),
    assumptions: memberAssumptions(scenario, readyAfter !== undefined, world, ports.names),
  };
}
