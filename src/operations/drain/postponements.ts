import type { DrainedWorkload, DrainWrite } from '../../engine/drain/drainStep.ts';
import { identityOfBinding } from '../../engine/drain/planBasis.ts';
import { identityOf, objectKey } from '../../engine/simulation/controlPlane.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';

/** Milliseconds until a write that the API server has refused is tried again; after these it is given up. */
const TRIES_AGAIN_AFTER = [10_000, 30_000, 60_000];

interface Postponement {
  type: 'evict' | 'release' | 'gone';
  uid: string | undefined;
  tries: number;
  /** epoch milliseconds; Infinity: given up */
  until: number;
  workload?: DrainedWorkload;
}

/** Bindings whose writes the API server has refused: the others go on meanwhile. */
export interface Postponements {
  refused(
    due: Extract<DrainWrite, { binding: ResourceBinding }>,
    message: string,
    now: number,
    seen: DrainedWorkload | undefined,
  ): void;
  /** a write has found that the binding does not exist any more */
  gone(binding: ResourceBinding): void;
  written(binding: ResourceBinding): void;
  /** whether the binding is not to be looked at now */
  hides(binding: ResourceBinding, now: number): boolean;
  /** whether the write is not to be tried now */
  holdsBack(due: DrainWrite, now: number): boolean;
  /** what is to be said of the workloads now, by `objectKey` of their bindings */
  workloads(now: number): Map<string, DrainedWorkload>;
  /** epoch milliseconds at which one of them is to be tried again */
  nextTry(now: number): number | undefined;
}

export function createPostponements(): Postponements {
  const byBinding = new Map<string, Postponement>();
  const keyOf = (binding: ResourceBinding) => objectKey(identityOfBinding(binding));
  const isUnder = (type: Postponement['type'], binding: ResourceBinding, now: number) => {
    const known = byBinding.get(keyOf(binding));
    return known?.type === type && known.until > now && known.uid === binding.metadata.uid;
  };
  return {
    refused(due, message, now, seen) {
      const { binding, type } = due;
      const tries = (byBinding.get(keyOf(binding))?.tries ?? 0) + 1;
      const workload: DrainedWorkload = {
        binding: identityOfBinding(binding),
        workload: identityOf({ kind: binding.spec.resource.kind, metadata: binding.spec.resource }),
        from: [],
        to: [],
        evidence: [],
        ...seen,
        phase: type === 'evict' ? 'skipped' : 'stuck',
        waitingFor: `the API server refuses the change: ${message}`,
      };
      const until = now + (TRIES_AGAIN_AFTER[tries - 1] ?? Infinity);
      byBinding.set(keyOf(binding), { type, uid: binding.metadata.uid, tries, until, workload });
    },
    gone(binding) {
      byBinding.set(keyOf(binding), { type: 'gone', uid: binding.metadata.uid, tries: 0, until: Infinity });
    },
    written: (binding) => void byBinding.delete(keyOf(binding)),
    hides: (binding, now) => isUnder('gone', binding, now) || isUnder('evict', binding, now),
    holdsBack: (due, now) => due.type === 'release' && isUnder('release', due.binding, now),
    workloads(now) {
      const shown = new Map<string, DrainedWorkload>();
      for (const [key, { until, workload }] of byBinding)
        if (workload && until > now) shown.set(key, workload);
      return shown;
    },
    nextTry(now) {
      let next: number | undefined;
      for (const { until } of byBinding.values()) if (until > now && until < (next ?? Infinity)) next = until;
      return next;
    },
  };
}
