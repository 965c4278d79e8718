import { playedTasks, type PlayedTasks } from '../../engine/explanation/tasks/playedTasks.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import { unconfirmed, type AnsweredAssumption } from '../../views/assumptions.ts';
import { memberAssumptions, runScenario } from '../scenario/scenario.ts';
import type { OpenedState } from '../state/openState.ts';
import { givenDuration } from '../selection/subject.ts';

/**
 * Simulates how a state goes on: what becomes of evictions, and what that takes for granted of members.
 *
 * @param readyAfter as --ready-after has it
 */
export function playEvictions(
  { world, now, configuration, assumptions }: OpenedState,
  readyAfter: string | undefined,
): { tasks: (binding: ResourceBinding) => PlayedTasks | undefined; assumptions: AnsweredAssumption[] } {
  const usual = usualMembers(world);
  const members =
    readyAfter === undefined
      ? usual
      : { ...usual, workloadReadyAfter: givenDuration('--ready-after', readyAfter) };
  const scenario = { start: now, members, events: [] };
  const simulation = runScenario(world, scenario, configuration, { unconfirmed: unconfirmed(assumptions) });
  return {
    tasks: playedTasks(simulation),
    assumptions: memberAssumptions(scenario, readyAfter !== undefined, world),
  };
}
