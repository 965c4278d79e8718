import type { ObjectIdentity, Taint } from './api/meta.ts';

/** A taint by key and effect, with its value. */
export type NamedTaint = Pick<Taint, 'key' | 'value' | 'effect'>;

/** How certain a statement is; estimate and unknown name the missing input. */
export type Certainty = 'certain' | 'estimate' | 'unknown';

/** The basis of a decision: recorded with it, printed elsewhere. */
export interface Evidence {
  /** the rule in words: "toleration of 300s ends", "no toleration for the taint" */
  rule: string;
  object?: ObjectIdentity;
  /** path of the field that was read, as kubectl explain spells it: "spec.taints[0]" */
  field?: string;
  /** the value of that field */
  value?: unknown;
  /** the taint concerned, if any */
  taint?: NamedTaint;
  /** certain if absent */
  certainty?: Certainty;
  /** for estimate and unknown: the missing input, and how to provide it */
  missing?: string;
}
