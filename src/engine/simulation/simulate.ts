import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { World } from '../world.ts';
import type { SimulatedControlPlane } from './controlPlane.ts';
import { taintText } from './controllers/taintChanges.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import type { Scenario } from '../scenario.ts';
import { simulationStart } from './simulationStart.ts';
import { setStage, type Stage, type StageOptions } from './stage.ts';
import type { ClusterLoad, ClusterOutcome, Simulation } from './timeline.ts';

export type { Stage };

export interface SimulateOptions extends Omit<StageOptions, 'outcomesAlone'> {
  /** somebody who acts on the control plane besides Karmada's controllers, such as a drain */
  actor?: Actor;
}

/** Acts on a simulated control plane from its start on. */
export type Actor = (stage: Stage) => void;

/**
 * Lets Karmada's controllers act on a world in virtual time, while the scenario happens to it, until nothing
 * more happens or `scenario.until`. The same arguments always give the same simulation; what Karmada leaves
 * undefined is decided thus: of equal instants the earlier planned goes first, bindings go oldest first, then
 * by namespace and name, and a health report on its way is taken in before tasks are judged.
 */
export function simulate(
  world: World,
  scenario: Scenario,
  configuration: Configuration,
  { actor, ...options }: SimulateOptions = {},
): Simulation {
  const stage = setStage(simulationStart(world, configuration), scenario, configuration, options);
  const { plane, agenda, members, hooks, outcomes, attempts, readiness } = stage;
  const before = clusterLoads(plane);
  actor?.({ plane, agenda, members, hooks });
  const atRest = agenda.run(stage.until);
  const end = scenario.until ?? agenda.now();
  const after = clusterLoads(plane);
  return {
    start: scenario.start,
    end,
    atRest,
    events: plane.events,
    workloads: outcomes.all(end),
    ...(readiness ? { attempts, readiness } : {}),
    clusters: [...after].map(([name, load]): ClusterOutcome => ({
      name,
      before: before.get(name) ?? load,
      after: load,
    })),
  };
}

/** What each cluster carries, by name in order. */
function clusterLoads(plane: SimulatedControlPlane): Map<string, ClusterLoad> {
  const loads = new Map<string, ClusterLoad>();
  for (const name of [...plane.clusters.keys()].sort()) {
    const cluster = plane.clusters.get(name)!;
    loads.set(name, {
      workloads: 0,
      replicas: 0,
      taints: (cluster.spec?.taints ?? []).map(taintText),
      ready: readyCondition(cluster)?.status ?? 'Unknown',
    });
  }
  const count = ({ name, replicas }: TargetCluster) => {
    const load = loads.get(name);
    if (!load) return;
    load.workloads++;
    load.replicas += replicas ?? 0;
  };
  for (const record of plane.bindings) if (!record.deleted) record.current.spec.clusters?.forEach(count);
  return loads;
}
