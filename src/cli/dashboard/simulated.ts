import { conditionOf } from '../../karmada/objects/conditions.ts';
import { readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { narrowSimulation, type Simulation } from '../../simulator/simulation/simulation.ts';
import { sharedStart } from '../../useCases/dashboard/sharedStart.ts';
import type { Ports } from '../../useCases/ports.ts';
import {
  makeScenario,
  requestedTaintChange,
  type ScenarioRequest,
  type RequestedEvent,
} from '../../useCases/scenario/makeScenario.ts';
import { runScenario } from '../../useCases/scenario/runScenario.ts';
import { isSelective, selectedBindings, type Selection } from '../../useCases/selection/selection.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import type { OpenedScenario } from '../../useCases/state/stateRequest.ts';
import { NO_CHANGES, type WhatIf } from '../../views/dashboard/whatIf.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';

/** The initial what-if of a dashboard: the marked events, and the scenario of `failover simulate --interactive`. */
export interface InitialWhatIf {
  whatIf: WhatIf;
  given?: GivenScenario | undefined;
}

/** The flags of `failover simulate --interactive`: the state was opened with its scenario. */
export interface GivenScenario {
  request: ScenarioRequest;
  opened?: OpenedScenario | undefined;
  /** the workloads to show */
  selection: Selection;
}

/** A cache: outcomes and steps come from the same simulation. */
let last: { state: OpenedState; key: string; simulation: Simulation } | undefined;

/**
 * Simulates the events like `failover simulate`; for a single binding with the evidence of each step. Throws a Problem
 * if they are impossible in this state.
 */
export function simulated(
  whatIf: WhatIf,
  { state, given, trace }: { state: OpenedState; given?: GivenScenario | undefined; trace?: ObjectIdentity },
  ports: Ports,
): Simulation {
  const key = JSON.stringify([whatIf, trace]);
  if (last?.state === state && last.key === key) return last.simulation;
  const { world, configuration } = state;
  const { made, selected } = prepareScenario(whatIf, { state, given }, ports);
  const options = { ...sharedStart(state, made.scenario), ...(trace && { trace }) };
  const whole = runScenario(world, made.scenario, configuration, options, ports, made.sources);
  const simulation = selected ? narrowSimulation(whole, selected) : whole;
  last = { state, key, simulation };
  return simulation;
}

/** A cache, shared by all what-ifs. */
let undisturbed: { state: OpenedState; workloads: Simulation['workloads'] } | undefined;

/** The outcome of workloads if nothing else happens; empty if no workload is moving and all clusters are reachable. */
export function outcomesWithoutEvents(state: OpenedState, ports: Ports): Simulation['workloads'] {
  if (undisturbed?.state === state) return undisturbed.workloads;
  const { world, configuration } = state;
  const isAtRest =
    world.clusters.every((cluster) => readyCondition(cluster)?.status === 'True') &&
    !world.bindings.some(isOnItsWay);
  const { made } = prepareScenario(NO_CHANGES, { state }, ports);
  const options = sharedStart(state, made.scenario);
  const workloads = isAtRest
    ? []
    : runScenario(world, made.scenario, configuration, options, ports, made.sources).workloads;
  undisturbed = { state, workloads };
  return workloads;
}

/** Whether a binding is leaving a cluster or is unscheduled. */
function isOnItsWay({ spec, status }: ResourceBinding): boolean {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  return (spec.gracefulEvictionTasks ?? []).length > 0 || scheduled?.status === 'False';
}

/**
 * The events to simulate, and the workloads to show, if not all. Throws a Problem if they are impossible in this state,
 * such as for an unknown cluster.
 */
export function prepareScenario(
  whatIf: WhatIf,
  { state: { world, now }, given }: { state: OpenedState; given?: GivenScenario | undefined },
  ports: Ports,
) {
  const more = whatIf.given ? given : undefined;
  const request = { ...more?.request, events: [...(more?.request.events ?? []), ...requestedEvents(whatIf)] };
  const made = makeScenario(request, more?.opened, world, now, ports);
  const { selection = {} } = more ?? {};
  return { made, selected: isSelective(selection) ? selectedBindings(world, selection) : undefined };
}

/** In the order of the flags of `failover simulate`. */
function requestedEvents({ edits, failing, taints }: WhatIf): RequestedEvent[] {
  return [
    ...edits.map((edit): RequestedEvent => ({
      type: 'patch',
      ...edit,
      after: 0,
      source: 'the edit',
      file: 'the edit',
    })),
    ...failing.map((cluster): RequestedEvent => ({ type: 'fail', cluster, after: 0 })),
    ...taints.map((mark) => requestedTaintChange(mark, 0)),
  ];
}
