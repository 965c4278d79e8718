import type { DrainedWorkload, DrainWrite } from '../../analysis/drain/decide/drainStep.ts';
import { bindingIdentity, bindingKey, identityOf } from '../../karmada/objects/identities.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';

/**
 * Milliseconds until each further try of a write that the API server has refused; after the last one the drain gives
 * up.
 */
const TRIES_AGAIN_AFTER = [10_000, 30_000, 60_000];

interface Postponement {
  uid: string | undefined;
  /** the generation that was refused: another one may be accepted */
  generation: number | undefined;
  tries: number;
  /** epoch milliseconds; Infinity: given up */
  until: number;
  workload?: DrainedWorkload;
}

/** Bindings whose writes the API server has refused; meanwhile the others go on. */
export interface Postponements {
  refused(
    due: Extract<DrainWrite, { binding: ResourceBinding }>,
    message: string,
    now: number,
    seen: DrainedWorkload | undefined,
  ): void;
  /** notes that the binding no longer exists, as a write has found */
  gone(binding: ResourceBinding): void;
  written(binding: ResourceBinding): void;
  /**
   * Set if the binding must not be looked at now, with what to report of it: nothing if it no longer exists. A binding
   * that has changed since the refusal is looked at.
   */
  of(binding: ResourceBinding, now: number): { workload?: DrainedWorkload } | undefined;
  /** epoch milliseconds of the next try of any of them */
  nextTry(now: number): number | undefined;
}

/** No binding is postponed yet. */
export function createPostponements(): Postponements {
  const byBinding = new Map<string, Postponement>();
  const known = (binding: ResourceBinding) => {
    const { uid, generation } = binding.metadata;
    const found = byBinding.get(bindingKey(binding));
    return found?.uid === uid && (!found?.workload || found.generation === generation) ? found : undefined;
  };
  return {
    refused(due, message, now, seen) {
      const { binding, type } = due;
      const { uid, generation } = binding.metadata;
      const tries = (known(binding)?.tries ?? 0) + 1;
      const workload: DrainedWorkload = {
        binding: bindingIdentity(binding),
        workload: identityOf({ kind: binding.spec.resource.kind, metadata: binding.spec.resource }),
        from: [],
        to: [],
        evidence: [],
        ...seen,
        phase: type === 'evict' ? 'skipped' : 'stuck',
        waitingFor: `the API server refuses the change: ${message}`,
      };
      const until = now + (TRIES_AGAIN_AFTER[tries - 1] ?? Infinity);
      byBinding.set(bindingKey(binding), { uid, generation, tries, until, workload });
    },
    gone(binding) {
      const { uid, generation } = binding.metadata;
      byBinding.set(bindingKey(binding), { uid, generation, tries: 0, until: Infinity });
    },
    written: (binding) => void byBinding.delete(bindingKey(binding)),
    of(binding, now) {
      const found = known(binding);
      return found && found.until > now ? found : undefined;
    },
    nextTry(now) {
      let next: number | undefined;
      for (const { until } of byBinding.values()) if (until > now && until < (next ?? Infinity)) next = until;
      return next;
    },
  };
}
