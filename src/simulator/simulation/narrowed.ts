import type { ResourceBinding } from '../../karmada/api/work.ts';
import { identityOf, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import type { Simulation } from './simulation.ts';

/**
 * A simulation narrowed to some bindings: their workloads, without the events of other bindings. Everything was
 * simulated all the same, and clusters keep the load of all.
 */
export function narrowed(simulation: Simulation, bindings: readonly ResourceBinding[]): Simulation {
  const told = new Set(bindings.map((binding) => objectKey(identityOf(binding))));
  const { spans } = simulation;
  const workloads = new Set(bindings.map((binding) => objectKey(workloadOf(binding))));
  return {
    ...simulation,
    ...(spans && { spans: spans.filter(({ workload }) => workloads.has(objectKey(workload))) }),
    events: simulation.events.filter(
      ({ object }) => !/^(Cluster)?ResourceBinding$/.test(object.kind) || told.has(objectKey(object)),
    ),
    workloads: simulation.workloads.filter(({ binding }) => told.has(objectKey(binding))),
  };
}
