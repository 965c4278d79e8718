import { narrowSimulation, type Simulation } from '../../simulator/simulation/simulation.ts';
import type { SimulateOptions } from '../../simulator/simulation/simulate.ts';
import type { World } from '../../karmada/world.ts';
import { unverified, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { Ports } from '../ports.ts';
import { isSelective, selectedBindings, type Selection } from '../selection/selection.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { OpenedScenario, StateRequest } from '../state/stateRequest.ts';
import { makeScenario, type MadeScenario, type ScenarioRequest } from './makeScenario.ts';
import { memberAssumptions, runScenario, templatesFor } from './runScenario.ts';
import { unknownFieldWarnings } from './unknownFields.ts';

export interface SimulationRequest {
  state: StateRequest;
  scenario: ScenarioRequest;
  opened?: OpenedScenario | undefined;
  selection: Selection;
  /** whether to return the course of every workload as spans */
  spans?: boolean;
  /** saves the world at the end of the simulation (epoch milliseconds), so that another one can continue it */
  save?: ((state: OpenedState, end: World, time: number) => Promise<void>) | undefined;
}

export interface SimulatedFailover extends Omit<MadeScenario, 'sources'> {
  state: OpenedState;
  /** limited to the workloads of the selection */
  simulation: Simulation;
  assumptions: AnsweredAssumption[];
}

/**
 * Simulates Karmada's controllers on the state in virtual time. Rejects with a Problem if the state lacks a requested
 * object.
 */
export async function simulateFailover(
  { state: asked, scenario: request, opened, selection, spans, save }: SimulationRequest,
  ports: Ports,
): Promise<SimulatedFailover> {
  const state = await openStateToRead(asked, ports, {
    scenario: opened,
    live: { templates: templatesFor(request.events, opened?.file) },
  });
  const { world, now, configuration } = state;
  const { sources, ...made } = makeScenario(request, opened, world, now, ports);
  const { scenario } = made;
  const applied = scenario.events.map(({ action }) => [action, sources.get(action)] as const);
  for (const warning of unknownFieldWarnings(applied, state.karmadaVersion, configuration.rules))
    ports.warn(warning);
  const shown = isSelective(selection) ? selectedBindings(world, selection) : undefined;
  let saved: World | undefined;
  const options: SimulateOptions = {
    unverified: unverified(state.assumptions),
    ...(spans && { spans }),
    ...(save ? { save: (end) => void (saved = end) } : {}),
  };
  const whole = runScenario(world, scenario, configuration, options, ports, sources);
  if (saved) await save?.(state, saved, whole.end);
  const given = opened?.file.members.workloadReadyAfter !== undefined || request.readyAfter !== undefined;
  return {
    ...made,
    state,
    simulation: shown ? narrowSimulation(whole, shown) : whole,
    assumptions: [...state.assumptions, ...memberAssumptions(scenario, given, world, ports.names)],
  };
}
