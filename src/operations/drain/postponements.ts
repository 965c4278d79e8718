import type { DrainedWorkload } from '../../analysis/drain/decide/drainStep.ts';
import { bindingIdentity, bindingKey, identityOf } from '../../karmada/objects/identities.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { CONTENDED, pauseBeforeTry, TRIES } from '../retries.ts';

/**
 * Milliseconds until each further try of a write that the API server has refused, does not answer, or that others were
 * faster at each time; after the last one the drain gives up.
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
  /** whatever happens to the binding: others keep writing it */
  contended?: boolean;
}

/** A write that did not succeed. */
interface FailedWrite {
  binding: ResourceBinding;
  /** it would have evicted the binding */
  evicts: boolean;
  /** how its workload stood then */
  seen: DrainedWorkload | undefined;
}

/** Bindings whose writes do not succeed; meanwhile the others continue. */
export interface Postponements {
  /** Returns when it is tried again (epoch milliseconds). */
  refused(due: FailedWrite, reason: string, now: number): number;
  /** Somebody else was faster: tried again soon, and like a refused write once that was so at each try. */
  conflict(due: FailedWrite, now: number): number;
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
    if (found?.uid !== uid) return undefined;
    return !found?.workload || found.contended || found.generation === generation ? found : undefined;
  };
  /** by binding: conflicts since the last write, when the next try is due, and what was seen of it */
  const conflicts = new Map<string, { count: number; until: number; workload?: DrainedWorkload }>();
  function postpone(
    { binding, evicts, seen }: FailedWrite,
    reason: string,
    now: number,
    contended = false,
  ): number {
    const { uid, generation } = binding.metadata;
    const tries = (known(binding)?.tries ?? 0) + 1;
    const workload: DrainedWorkload = {
      binding: bindingIdentity(binding),
      workload: identityOf({ kind: binding.spec.resource.kind, metadata: binding.spec.resource }),
      from: [],
      to: [],
      evidence: [],
      ...seen,
      phase: evicts ? 'skipped' : 'stuck',
      waitingFor: reason,
    };
    const until = now + (TRIES_AGAIN_AFTER[tries - 1] ?? Infinity);
    byBinding.set(bindingKey(binding), { uid, generation, tries, until, workload, contended });
    return until;
  }
  return {
    refused: postpone,
    conflict(due, now) {
      const { binding, seen } = due;
      const key = bindingKey(binding);
      const count = (conflicts.get(key)?.count ?? 0) + 1;
      if (count < TRIES) {
        const until = now + pauseBeforeTry(count);
        conflicts.set(key, { count, until, ...(seen && { workload: seen }) });
        return until;
      }
      conflicts.delete(key);
      return postpone(due, CONTENDED, now, true);
    },
    gone(binding) {
      const { uid, generation } = binding.metadata;
      byBinding.set(bindingKey(binding), { uid, generation, tries: 0, until: Infinity });
    },
    written(binding) {
      byBinding.delete(bindingKey(binding));
      conflicts.delete(bindingKey(binding));
    },
    of(binding, now) {
      const conflict = conflicts.get(bindingKey(binding));
      if (conflict && conflict.until > now) return conflict;
      const found = known(binding);
      return found && found.until > now ? found : undefined;
    },
    nextTry(now) {
      let next: number | undefined;
      for (const { until } of [...byBinding.values(), ...conflicts.values()])
        if (until > now && until < (next ?? Infinity)) next = until;
      return next;
    },
  };
}
