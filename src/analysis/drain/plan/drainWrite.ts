import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { Write } from '../../../karmada/controllers/write.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import type { DrainWrite } from '../decide/drainStep.ts';

/** A drain's write for the simulated API server, and whether the drain will see it. */
export function servedWrite(write: DrainWrite): { write: Write; arrives: boolean } {
  if ('binding' in write) {
    const key = bindingKey(write.binding);
    const object = { ...write.binding, spec: write.after };
    return {
      write: {
        verb: 'update',
        kind: 'Binding',
        key,
        part: 'object',
        lock: true,
        base: write.binding,
        object,
      },
      arrives: true,
    };
  }
  const object = write.after;
  const sameTaints = deepEqual(write.cluster.spec?.taints ?? [], object.spec?.taints ?? []);
  const key = write.cluster.metadata.name;
  return {
    write: { verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: write.cluster, object },
    // Versions do not change in the simulation, so the drain would never see a write that changes only the mark.
    arrives: !sameTaints,
  };
}
