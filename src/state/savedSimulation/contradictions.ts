import type { Copy } from '../../karmada/controllers/kinds.ts';
import { isController } from '../../karmada/controllers/registry.ts';
import { referenceTo } from '../../karmada/objects/identities.ts';
import type { SavedSimulation } from '../../simulator/store/savedSimulation.ts';
import { executionNamespace } from '../../karmada/api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { show } from '../schema/check.ts';
import { firstProblem } from '../shape.ts';

/** The first field that names an unknown member, or contradicts its own object. */
export function unknownReferenceIn(saved: SavedSimulation): string | undefined {
  const {
    members,
    copies,
    events,
    assumptions,
    queues: { failing, parked },
  } = saved;
  const nobody = (path: string, cluster: string) =>
    Object.hasOwn(members, cluster)
      ? undefined
      : `simulation.${path}: ${show(cluster)} is not a member of the simulation`;
  return (
    firstProblem(Object.entries(members), ([name, own]) =>
      own.name === name
        ? undefined
        : `simulation.members[${JSON.stringify(name)}].name: ${show(own.name)} is another member`,
    ) ??
    firstProblem(Object.entries(copies), ([key, one]) => {
      const path = `copies[${JSON.stringify(key)}]`;
      return nobody(`${path}.cluster`, one.cluster) ?? strangeCopy(key, one, `simulation.${path}`);
    }) ??
    // an event about the health of a missing copy has no effect
    firstProblem(events.entries(), ([at, { action: one }]) =>
      'cluster' in one && one.type !== 'health'
        ? nobody(`events[${at}].action.cluster`, one.cluster)
        : undefined,
    ) ??
    firstProblem(assumptions.neverReady.entries(), ([at, { cluster }]) =>
      nobody(`assumptions.neverReady[${at}].cluster`, cluster),
    ) ??
    firstProblem(Object.keys(failing), (key) =>
      isController(key.replace(/ .*/s, ''))
        ? undefined
        : `simulation.queues.failing[${JSON.stringify(key)}]: is of no controller`,
    ) ??
    firstProblem(parked.entries(), ([at, { beat }]) =>
      'every' in beat || 'backOff' in beat
        ? undefined
        : `simulation.queues.parked[${at}].beat: has neither every nor backOff`,
    )
  );
}

function strangeCopy(
  key: string,
  { cluster, workload, object: own, replicas, ready }: Copy,
  path: string,
): string | undefined {
  if (!key.startsWith(`${executionNamespace(cluster)}/`))
    return `${path}.cluster: ${show(cluster)} is not where its Work is`;
  if (!deepEqual(workload, referenceTo(own))) return `${path}.workload: ${show(workload)} is not its object`;
  return ready > replicas ? `${path}.ready: ${ready} is more than its ${replicas} replicas` : undefined;
}
