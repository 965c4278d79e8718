import type { ResourceBinding } from '../api/work.ts';
import type { AppliedPlacement } from '../objects/appliedPlacement.ts';
import { bindingKey } from '../objects/identities.ts';
import { termsOf, type EvictionTerms } from './evictionTerms.ts';
import type { EnqueueDecision } from './taintedPair.ts';
import type { View } from '../controllers/view.ts';

/**
 * What the taint manager keeps of the bindings of a faulty cluster until that has recovered, by their keys: from its
 * first taint that evicts until it has none. Changes of tolerations and policies meanwhile do not alter who is evicted,
 * when and how. Design optimize-cluster-failover, "The scenario of a faulty cluster's recovery".
 */
export type Incident = Readonly<Record<string, KeptBinding>>;

/** A binding as it was when the taint manager first looked at it in an incident. */
export interface KeptBinding {
  uid?: string;
  terms: EvictionTerms;
  /** which version of it was given to the eviction queue last, and for when: nothing new has to be given again */
  given?: string;
}

/** Keeps bindings over looks, and forgets those that are gone. */
export interface IncidentLook {
  /** what decides about a binding; recorded now if this is the first look at it */
  kept(binding: ResourceBinding, applied: AppliedPlacement): KeptBinding;
  /** Whether a decision is still to be given to the queue; notes that it is given now. */
  gives(binding: ResourceBinding, decision: EnqueueDecision, now: number): boolean;
  /** Notes that a binding no longer belongs in the queue. */
  withholds(binding: ResourceBinding): void;
  /** the keys of bindings whose names other objects have now */
  readonly replaced: readonly string[];
  /** the incident after the look */
  end(view: View): Incident;
}

/** @param before the incident as the last look left it; undefined for the first */
export function lookAtIncident(before: Incident | undefined): IncidentLook {
  const kept: Record<string, KeptBinding> = {};
  const replaced: string[] = [];

  return {
    kept(binding, applied) {
      const key = bindingKey(binding);
      const { uid } = binding.metadata;
      const known = before?.[key];
      if (known && known.uid === uid) return (kept[key] = known);
      if (known) replaced.push(key);
      const terms = termsOf(binding, applied);
      const entry: KeptBinding = { ...(uid && { uid }), terms };
      // Tolerations that cannot be read yet are recorded once they can be.
      if (terms.tolerations) kept[key] = entry;
      return entry;
    },
    gives(binding, decision, now) {
      const key = bindingKey(binding);
      const at = decision.kind === 'after' ? now + decision.milliseconds : 'now';
      const given = `${binding.metadata.generation ?? `unknown at ${now}`} ${at}`;
      if (kept[key]?.given === given) return false;
      if (kept[key]) kept[key] = { ...kept[key], given };
      return true;
    },
    withholds(binding) {
      const key = bindingKey(binding);
      const { given, ...rest } = kept[key] ?? {};
      if (given !== undefined) kept[key] = rest as KeptBinding;
    },
    replaced,
    end(view) {
      // Those that have left the cluster may come back to it.
      for (const key in before) {
        const binding = kept[key] ? undefined : view.get('Binding', key);
        if (binding && binding.metadata.uid === before[key]!.uid) kept[key] = before[key]!;
      }
      return kept;
    },
  };
}
