import type { Taint } from '../api/meta.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

/** Key and effect identify a taint; a cluster has at most one of each pair. */
export function sameTaint(a: Pick<Taint, 'key' | 'effect'>, b: Pick<Taint, 'key' | 'effect'>): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** A text that is equal for taints with the same key and effect. */
export function taintIdentity({ key, effect }: Pick<Taint, 'key' | 'effect'>): string {
  return `${effect} ${key}`;
}

type Named = Pick<Taint, 'key' | 'effect'>;

/** Lists up to this length are searched; longer ones are indexed. */
const FEW = 16;

const indexes = new WeakMap<readonly object[], ReadonlyMap<string, readonly object[]>>();

/** The first taint in a list with the same key and effect. The list must not change: a long one is indexed once. */
export function findTaint<Listed extends Named>(
  taints: readonly Listed[] | undefined,
  taint: Named,
): Listed | undefined {
  if (!taints || taints.length <= FEW) return taints?.find((one) => sameTaint(one, taint));
  return findTaints(taints, taint)[0];
}

/** All taints in a list with the same key and effect; Karmada's API allows one. The list must not change. */
export function findTaints<Listed extends Named>(taints: readonly Listed[], taint: Named): readonly Listed[] {
  let index = indexes.get(taints) as ReadonlyMap<string, readonly Listed[]> | undefined;
  if (!index) {
    index = groupedBy(taints, taintIdentity);
    indexes.set(taints, index);
  }
  return index.get(taintIdentity(taint)) ?? [];
}

/** Returns the entries of a list for a taint, in the list's order. */
export function groupByTaint<Entry extends { taint: Named }>(
  list: readonly Entry[],
): (taint: Named) => readonly Entry[] {
  const entries = groupedBy(list, (one) => taintIdentity(one.taint));
  return (taint) => entries.get(taintIdentity(taint)) ?? [];
}
