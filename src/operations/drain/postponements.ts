import type { DrainedWorkload } from '../../analysis/drain/decide/drainStep.ts';
import { bindingIdentity, bindingKey, identityOf } from '../../karmada/objects/identities.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { CONFLICTS, pauseBeforeTry, MAX_TRIES } from '../retries.ts';

/**
 * Milliseconds until each retry of a write that the API server refuses or does not answer, or that conflicts each time;
 * after the last one the drain gives up on it.
 */
const TRIES_AGAIN_AFTER = [10_000, 30_000, 60_000];

interface Postponement {
  uid: string | undefined;
  /** the generation that was refused; the server may accept another one */
  generation: number | undefined;
  tries: number;
  /** epoch milliseconds; Infinity: given up */
  until: number;
  workload?: DrainedWorkload;
  /** postponed even if the binding changes: other clients keep writing it */
  contended?: boolean;
}

/** A write that did not succeed. */
interface FailedWrite {
  binding: ResourceBinding;
  /** it was meant to evict the binding */
  evicts: boolean;
  /** the state of its workload at that time */
  seen: DrainedWorkload | undefined;
}

/** Bindings whose writes fail; the others continue. */
export interface Postponements {
  /** Records a refused write; returns the time of its retry (epoch milliseconds). */
  refused(due: FailedWrite, reason: string, now: number): number;
  /** Another client wrote first: retried soon, and treated as a refused write once every try has conflicted. */
  conflict(due: FailedWrite, now: number): number;
  /** records that a write found the binding deleted */
  gone(binding: ResourceBinding): void;
  written(binding: ResourceBinding): void;
  /**
   * Set if the binding must be skipped now, with the workload to report; none if it no longer exists. A binding that
   * has changed since the refusal is not skipped.
   */
  of(binding: ResourceBinding, now: number): { workload?: DrainedWorkload } | undefined;
  /** epoch milliseconds of the next retry of any binding */
  nextTry(now: number): number | undefined;
}

/** Creates it with no binding postponed. */
export function createPostponements(): Postponements {
  const byBinding = new Map<string, Postponement>();
  const known = (binding: ResourceBinding) => {
    const { uid, generation } = binding.metadata;
    const found = byBinding.get(bindingKey(binding));
    if (found?.uid !== uid) return undefined;
    return !found?.workload || found.contended || found.generation === generation ? found : undefined;
  };
  /** by binding: conflicts since the last write, when the next try is due, and the workload's last state */
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
      if (count < MAX_TRIES) {
        const until = now + pauseBeforeTry(count);
        conflicts.set(key, { count, until, ...(seen && { workload: seen }) });
        return until;
      }
      conflicts.delete(key);
      return postpone(due, CONFLICTS, now, true);
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
