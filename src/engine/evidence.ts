import type { ObjectIdentity, Taint } from '../karmada/api/meta.ts';

/** A taint as it is told from others, with its value. */
export type NamedTaint = Pick<Taint, 'key' | 'value' | 'effect'>;

/** How far a statement can be trusted: estimate and unknown name the input that is missing. */
export type Certainty = 'certain' | 'estimate' | 'unknown';

/** What a decision rests on: produced where the decision is made, printed elsewhere. */
export interface Evidence {
  /** the rule in words: "toleration of 300s ends", "no toleration for the taint" */
  rule: string;
  object?: ObjectIdentity;
  /** path of the field looked at, as kubectl explain spells it: "spec.taints[0]" */
  field?: string;
  /** the value seen there */
  value?: unknown;
  /** the taint that it speaks of, if it speaks of one */
  taint?: NamedTaint;
  /** certain if absent */
  certainty?: Certainty;
  /** for estimate and unknown: what would settle it, and how to give it */
  missing?: string;
}
