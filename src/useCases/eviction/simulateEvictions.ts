import {
  type EvictionTaskExplanation,
  explainEvictionTasks,
} from '../../analysis/explanation/tasks/evictionTask.ts';
import {
  needsSimulation,
  simulatedTasks,
  type SimulatedTasks,
} from '../../analysis/explanation/tasks/simulatedTasks.ts';
import { unverified, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions, runScenario } from '../scenario/runScenario.ts';
import { assumedTimeout } from '../state/assumptions.ts';
import type { OpenedState } from '../state/openState.ts';

type SimulatedState = Pick<OpenedState, 'world' | 'now' | 'configuration' | 'assumptions'>;

/** Explains the eviction tasks of bindings as `eviction inspect` does, simulated if the state does not show how they end. */
export function explainEvictions(
  state: SimulatedState,
  bindings: ResourceBinding[],
  readyAfter: number | undefined,
  ports: Ports,
): { items: EvictionTaskExplanation[]; assumptions: AnsweredAssumption[] } {
  const { world, now, configuration } = state;
  const played = needsSimulation(world, bindings) ? simulateEvictions(state, readyAfter, ports) : undefined;
  const timeout = assumedTimeout(state.assumptions, configuration, ports.names);
  const items = explainEvictionTasks(world, bindings, {
    now,
    configuration,
    ...(played && { played: played.tasks }),
    ...(timeout && { timeoutAssumed: timeout.missing }),
  });
  return { items, assumptions: played?.assumptions ?? [] };
}

/**
 * Simulates how a state continues: how evictions end, and the assumptions about member clusters.
 *
 * @param readyAfter milliseconds until new replicas are ready
 */
export function simulateEvictions(
  { world, now, configuration, assumptions }: SimulatedState,
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
