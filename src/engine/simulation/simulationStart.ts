import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { createClusterSnapshot, schedulerOptions, type ClusterSnapshot } from '../scheduling/scheduler.ts';
import { declaredHooks, type DeclaredHooks } from '../status/healthInterpreter.ts';
import type { World } from '../world.ts';
import { indexWorks, type WorkIndex } from './simulatedWork.ts';

/** What all simulations of a world start from, whatever happens in them; none of them changes it. */
export interface SimulationStart {
  readonly world: World;
  readonly works: WorkIndex;
  readonly hooks: DeclaredHooks;
  readonly snapshot: ClusterSnapshot;
}

/** Makes a world ready for simulations. Throws InvalidQuantity for quantities of clusters that cannot be read. */
export function simulationStart(world: World, configuration: Configuration): SimulationStart {
  return {
    world,
    works: indexWorks(world.works, configuration.rules),
    hooks: declaredHooks(world.others),
    snapshot: schedulerSnapshot(world.clusters, configuration),
  };
}

/** Clusters as the scheduler sees them, but for the groups of workloads. Throws InvalidQuantity. */
export function schedulerSnapshot(
  clusters: readonly Cluster[],
  configuration: Configuration,
): ClusterSnapshot {
  return createClusterSnapshot(clusters, schedulerOptions(configuration));
}
