import { bestCures, type Cures } from '../../analysis/audit/cures.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import { helpfulChanges, MAX_REPLAYED } from '../explanation/explainFailover.ts';
import type { Ports } from '../ports.ts';
import type { OpenedState } from '../state/openState.ts';

/** Changes are searched for this many workloads: each search takes a few simulations with all bindings. */
const MAX_CURED = 5;

/**
 * Changes that would help workloads that a simulation leaves lost, blocked or down. Only clusters that fail at the
 * start are considered, and only in a world small enough to simulate each change.
 */
export function curesOfLosses(
  state: OpenedState,
  { scenario, simulation }: { scenario: Scenario; simulation: Pick<Simulation, 'workloads'> },
  ports: Ports,
): Cures[] {
  const { start, events, members } = scenario;
  const failing = events.flatMap(({ at, action }) =>
    at === start && action.type === 'fail' ? [action.cluster] : [],
  );
  if (failing.length === 0 || failing.length < events.length) return [];
  if (state.world.bindings.length > MAX_REPLAYED) return [];
  const harmed = simulation.workloads.filter(
    ({ outcome, down }) => outcome === 'lost' || outcome === 'blocked' || down,
  );
  return harmed.slice(0, MAX_CURED).map(({ kind, namespace, name, before }): Cures => {
    const workload = { kind, ...(namespace !== undefined && { namespace }), name };
    const changes = helpfulChanges(workload, failing, state, ports, members.workloadReadyAfter);
    return { workload, contingency: failing.join('+'), changes: bestCures(changes, before) };
  });
}
