import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { ScenarioError } from '../../simulator/simulation/scenarioWrites.ts';
import { type SimulateOptions, simulate } from '../../simulator/simulation/simulate.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { ScenarioFile } from '../../state/scenario/scenarioFile.ts';
import type { TemplateOptions } from '../../state/source.ts';
import type { InputNames, Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import type { Sources, RequestedEvent } from './makeScenario.ts';

/** Simulates a scenario. Throws a Problem if it names unknown objects. */
export function runScenario(
  world: ResumableWorld,
  scenario: Scenario,
  configuration: Configuration,
  options: SimulateOptions,
  { startProgress }: Ports,
  sources: Sources = new Map(),
): Simulation {
  const progress = startProgress();
  try {
    return simulate(world, scenario, configuration, {
      otherOrders: OTHER_ORDERS,
      ...options,
      progress: (now) =>
        progress.report(`simulating T+${formatDuration(Math.floor((now - scenario.start) / 1000) * 1000)}`),
    });
  } catch (error) {
    throw scenarioProblem(error, sources);
  } finally {
    progress.done();
  }
}

/** Turns an error about an object of a scenario into a Problem that names its input; returns others unchanged. */
export function scenarioProblem(error: unknown, sources: Sources): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const source = error.action && sources.get(error.action);
  return new Problem({ code: 'scenario', source, message: error.message });
}

/**
 * A simulation's assumptions about member clusters, which no control plane state shows; `given`: set by the user.
 * Without `names`, no input can set them.
 */
export function memberAssumptions(
  { members }: Pick<Scenario, 'members'>,
  given: boolean,
  { simulation }: ResumableWorld,
  names?: InputNames,
): AnsweredAssumption[] {
  const guess = names ? `a guess; give ${names.readyAfter}` : 'a guess';
  return [
    {
      name: 'workloadReadyAfter',
      value: formatDuration(members.workloadReadyAfter),
      source: given ? 'given' : simulation ? 'saved with the state' : guess,
      assumed: true,
    },
  ];
}

const CHANGES: readonly string[] = ['apply', 'patch', 'delete'];

/**
 * Which resource templates a scenario needs: none if it changes no object, else those of the current bindings and
 * policies, and of the applied objects.
 */
export function templatesFor(
  requested: readonly RequestedEvent[],
  file: ScenarioFile | undefined,
): TemplateOptions | undefined {
  const actions = [...requested, ...(file?.events ?? []).map(({ action }) => action)];
  if (!actions.some(({ type }) => CHANGES.includes(type))) return undefined;
  const applied = actions.flatMap((action) => (action.type === 'apply' ? action.objects : []));
  return { kinds: applied.flatMap((object) => [object, ...selected(object)]) };
}

function selected(object: KubernetesObject): { apiVersion: string; kind: string }[] {
  const { spec } = object as Partial<PropagationPolicy>;
  const selectors = spec?.resourceSelectors;
  return Array.isArray(selectors) ? selectors : [];
}
