import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { NamedController } from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../../karmada/world.ts';
import { ordersInBudget, ordersToTry, placementSteps, withOtherOrders } from './otherOrders.ts';
import { savedWorld, setStage, setUnwatchedStage, type Stage, type StageOptions } from './stage.ts';
import { createStartingWorld, type StartingWorld } from '../store/startingWorld.ts';
import type { ClusterLoad, ClusterOutcome, Simulation } from './simulation.ts';

export type { Stage };

export interface SimulateOptions extends Omit<StageOptions, 'outcomesAlone' | 'beside'> {
  /** creates an actor beside Karmada's controllers, such as a drain: one per order, the reported one first */
  actor?: () => Actor;
  /** the start shared with other simulations of this world, configuration and instant; absent: computed */
  starting?: StartingWorld;
  /** how many other processing orders to try; absent: none */
  otherOrders?: number;
  /** called with the final world, from which a simulation can continue */
  save?: (world: World) => void;
}

/** Acts on a simulated control plane from the start. */
export interface Actor {
  /** beside Karmada's */
  controllers?: readonly NamedController[];
  /** called with the stage before the first step */
  follow?(stage: Stage): void;
}

/**
 * Runs Karmada's controllers on a world in virtual time, with the events of the scenario, until it settles or until
 * `scenario.until`. Deterministic: the same arguments give the same simulation. It fixes the processing order, which
 * Karmada does not guarantee: controllers react after their `latencies`; of two events at one instant, the one planned
 * first comes first; bindings are processed oldest first, then by namespace and name.
 */
export function simulate(
  world: World,
  scenario: Scenario,
  configuration: Configuration,
  {
    actor,
    save,
    otherOrders = 0,
    starting = createStartingWorld(world, configuration, scenario),
    ...options
  }: SimulateOptions = {},
): Simulation {
  const acting = actor?.();
  const stage = setStage(starting, scenario, { ...options, beside: acting?.controllers });
  const steps = placementSteps(stage.time);
  const { time, outcomes, events, attempts, readiness, spans } = stage;
  const before = clusterLoads(time.view);
  acting?.follow?.(stage);
  const ended = stage.play();
  const { end, atRest } = ended;
  save?.(savedWorld(stage, scenario, end));
  const after = clusterLoads(time.view);
  const inOneOrder = outcomes.all(ended);
  const workloads =
    otherOrders === 0
      ? inOneOrder
      : withOtherOrders(
          { workloads: inOneOrder, steps },
          ordersToTry(
            ordersInBudget(otherOrders, time.reconciles()),
            scenario.events,
            starting.world.simulation?.events,
          ),
          (ordering) => {
            const another = actor?.();
            const other = setUnwatchedStage(starting, scenario, {
              ordering,
              beside: another?.controllers,
              ...(options.latest === undefined ? {} : { latest: options.latest }),
            });
            another?.follow?.(other);
            return other;
          },
          scenario.until !== undefined,
        );
  return {
    start: scenario.start,
    end,
    atRest,
    events,
    workloads,
    ...(spans ? { spans: spans.all(workloads) } : {}),
    ...(readiness ? { attempts, readiness } : {}),
    clusters: [...after].map(([name, load]): ClusterOutcome => ({
      name,
      before: before.get(name) ?? load,
      after: load,
    })),
  };
}

/** The workloads of each cluster, sorted by name. */
function clusterLoads(view: View): Map<string, ClusterLoad> {
  const loads = new Map<string, ClusterLoad>();
  for (const cluster of view.all('Cluster'))
    loads.set(cluster.metadata.name, {
      workloads: 0,
      replicas: 0,
      taints: (cluster.spec?.taints ?? []).map(formatTaint),
      ready: readyCondition(cluster)?.status ?? 'Unknown',
    });
  const count = ({ name, replicas }: TargetCluster) => {
    const load = loads.get(name);
    if (!load) return;
    load.workloads++;
    load.replicas += replicas ?? 0;
  };
  for (const { spec } of view.all('Binding')) placedOn(spec).forEach(count);
  return loads;
}
