import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import type { Write } from '../../controllers/write.ts';
import { bindingKey } from '../../objects/identities.ts';
import type { DrainWrite } from '../decide/drainStep.ts';

/** What the API server makes of a drain's write at `now` (epoch milliseconds). */
export function servedWrite(write: DrainWrite, now: number): { write: Write; arrives: boolean } {
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
  // The aggregated API server stamps NoExecute taints alone.
  const taints = (write.after.spec?.taints ?? []).map((taint) =>
    taint.effect === 'NoExecute' && !taint.timeAdded ? { ...taint, timeAdded: rfc3339(now) } : taint,
  );
  const sameTaints = deepEqual(write.cluster.spec?.taints ?? [], taints);
  const object = sameTaints ? write.after : { ...write.after, spec: { ...write.after.spec, taints } };
  const key = write.cluster.metadata.name;
  return {
    write: { verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: write.cluster, object },
    // Versions stand still here, so that a write of the mark alone would never be seen to have arrived.
    arrives: !sameTaints,
  };
}
