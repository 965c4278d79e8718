import type { ObjectIdentity, Taint } from '../../../karmada/api/meta.ts';
import type { Evidence } from '../../evidence.ts';
import type { SimulatedControlPlane } from '../controlPlane.ts';

/** A taint as kubectl writes it: key=value:effect. */
export function taintText({ key, value, effect }: Pick<Taint, 'key' | 'value' | 'effect'>): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}

const same = (a: Taint, b: Taint) => a.key === b.key && a.effect === b.effect;

/** Puts the difference between two taint lists of a cluster on the timeline. */
export function noteTaintChanges(
  plane: SimulatedControlPlane,
  controller: string,
  object: ObjectIdentity,
  before: Taint[],
  after: Taint[],
  evidence: Evidence[],
): void {
  const note = (type: 'TaintAdded' | 'TaintRemoved', taint: Taint) =>
    plane.note({ controller, type, object, cluster: object.name, message: taintText(taint), evidence });
  for (const taint of before) if (!after.some((other) => same(taint, other))) note('TaintRemoved', taint);
  for (const taint of after) if (!before.some((other) => same(taint, other))) note('TaintAdded', taint);
}
