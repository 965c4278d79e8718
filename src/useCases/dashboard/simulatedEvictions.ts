import { conditionOf } from '../../karmada/objects/conditions.ts';
import { needsSimulation, type SimulatedTasks } from '../../analysis/explanation/tasks/simulatedTasks.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { simulateEvictions } from '../eviction/simulateEvictions.ts';
import type { Ports } from '../ports.ts';
import type { OpenedState } from '../state/openState.ts';

/** The simulated outcomes of evictions in progress. */
export interface SimulatedEvictions {
  /** Simulates how a state continues. */
  play(state: OpenedState): void;
  /**
   * The outcomes for the bindings of a state that have not changed since they were simulated, provided that the
   * readiness and taints of all clusters have not either. Undefined if no simulation is needed.
   */
  in(state: OpenedState): ((binding: ResourceBinding) => SimulatedTasks | undefined) | undefined;
}

/** A simulation of more bindings takes longer than a refresh may, so it runs after it. */
const AT_ONCE = 1000;

/** Keeps the results of the last simulation; small states are simulated on request. */
export function createSimulatedEvictions(ports: Ports, atOnce = AT_ONCE): SimulatedEvictions {
  let last: { clusters: string; bindings: ReadonlySet<ResourceBinding>; tasks: Tasks } | undefined;
  function play(state: OpenedState): void {
    const { clusters, bindings } = state.world;
    const { tasks } = simulateEvictions(state, undefined, ports);
    last = { clusters: conditionsOf(clusters), bindings: new Set(bindings), tasks };
  }
  return {
    play,
    in(state) {
      const { world } = state;
      if (!needsSimulation(world, world.bindings)) return undefined;
      if (world.bindings.length <= atOnce) play(state);
      const known = last?.clusters === conditionsOf(world.clusters) ? last : undefined;
      return (binding) => (known?.bindings.has(binding) ? known.tasks(binding) : undefined);
    },
  };
}

type Tasks = ReturnType<typeof simulateEvictions>['tasks'];

/** The conditions of clusters that evictions depend on most, as text. */
function conditionsOf(clusters: readonly Cluster[]): string {
  return JSON.stringify(
    clusters.map(({ metadata, spec, status }) => [
      metadata.name,
      metadata.deletionTimestamp,
      spec?.taints,
      conditionOf(status?.conditions, 'Ready')?.status,
    ]),
  );
}
