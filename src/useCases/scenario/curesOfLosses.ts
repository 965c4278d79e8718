import { bestCures, type Cures } from '../../analysis/audit/cures.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import { helpfulChanges, MAX_REPLAYED } from '../explanation/explainFailover.ts';
import type { Ports } from '../ports.ts';
import type { OpenedState } from '../state/openState.ts';

/** Changes are searched for this many workloads: each search takes a few simulations with all bindings. */
const MAX_CURED = 5;

/**
 * Changes that would help workloads that a simulation leaves lost, blocked or down. Only clusters that fail at the
 * start are considered.
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
  if (failing.length < events.length) return [];
  const harmed = simulation.workloads.filter(
    ({ outcome, down }) => outcome === 'lost' || outcome === 'blocked' || down,
  );
  return curesWithout(failing, harmed, state, ports, members.workloadReadyAfter);
}

/**
 * Changes that would help these workloads if all these clusters failed now; none in a world too large to simulate each
 * change.
 * @param readyAfter milliseconds until new replicas are ready; absent: the default
 */
export function curesWithout(
  failing: readonly string[],
  harmed: readonly (ObjectIdentity & { before: readonly TargetCluster[] })[],
  state: OpenedState,
  ports: Ports,
  readyAfter?: number,
): Cures[] {
  if (failing.length === 0 || state.world.bindings.length > MAX_REPLAYED) return [];
  return harmed.slice(0, MAX_CURED).map(({ kind, namespace, name, before }): Cures => {
    const workload = { kind, ...(namespace !== undefined && { namespace }), name };
    const changes = helpfulChanges(workload, failing, state, ports, readyAfter);
    return { workload, contingency: failing.join('+'), changes: bestCures(changes, before) };
  });
}
