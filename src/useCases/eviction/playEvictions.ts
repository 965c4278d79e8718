import { playedTasks, type PlayedTasks } from '../../analysis/explanation/tasks/playedTasks.ts';
import { unconfirmed, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
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
export function playEvictions(
  { world, now, configuration, assumptions }: OpenedState,
  readyAfter: number | undefined,
  ports: Ports,
): { tasks: (binding: ResourceBinding) => PlayedTasks | undefined; assumptions: AnsweredAssumption[] } {
  const usual = usualMembers(world);
  const members = readyAfter === undefined ? usual : { ...usual, workloadReadyAfter: readyAfter };
  const scenario = { start: now, members, events: [] };
  const options = { unconfirmed: unconfirmed(assumptions) };
  const simulation = runScenario(world, scenario, configuration, options, ports);
  return {
    tasks: playedTasks(simulation),
    assumptions: memberAssumptions(scenario, readyAfter !== undefined, world, ports.names),
  };
}
