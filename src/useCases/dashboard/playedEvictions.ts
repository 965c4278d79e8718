import { conditionOf } from '../../karmada/objects/conditions.ts';
import { needsPlaying, type PlayedTasks } from '../../analysis/explanation/tasks/playedTasks.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { playEvictions } from '../eviction/playEvictions.ts';
import type { Ports } from '../ports.ts';
import type { OpenedState } from '../state/openState.ts';

/** The simulated outcomes of evictions under way. */
export interface PlayedEvictions {
  /** Simulates how a state continues. */
  play(state: OpenedState): void;
  /**
   * The outcomes for the bindings of a state that have not changed since they were simulated, provided that the
   * readiness and taints of all clusters have not either. Undefined if no simulation is needed.
   */
  in(state: OpenedState): ((binding: ResourceBinding) => PlayedTasks | undefined) | undefined;
}

/** A simulation of more bindings takes longer than a refresh may, so it runs after it. */
const AT_ONCE = 1000;

/** Keeps the results of the last simulation; small states are simulated on request. */
export function createPlayedEvictions(ports: Ports, atOnce = AT_ONCE): PlayedEvictions {
  let last: { clusters: string; bindings: ReadonlySet<ResourceBinding>; tasks: Tasks } | undefined;
  function play(state: OpenedState): void {
    const { clusters, bindings } = state.world;
    const { tasks } = playEvictions(state, undefined, ports);
    last = { clusters: conditionsOf(clusters), bindings: new Set(bindings), tasks };
  }
  return {
    play,
    in(state) {
      const { world } = state;
      if (!needsPlaying(world, world.bindings)) return undefined;
      if (world.bindings.length <= atOnce) play(state);
      const known = last?.clusters === conditionsOf(world.clusters) ? last : undefined;
      return (binding) => (known?.bindings.has(binding) ? known.tasks(binding) : undefined);
    },
  };
}

type Tasks = ReturnType<typeof playEvictions>['tasks'];

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
