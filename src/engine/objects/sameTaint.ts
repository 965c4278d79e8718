import type { Taint } from '../../karmada/api/meta.ts';

/** Taints are told apart by key and effect; a cluster has at most one of each pair. */
export function sameTaint(a: Pick<Taint, 'key' | 'effect'>, b: Pick<Taint, 'key' | 'effect'>): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** What two taints have in common if they are the same one. */
export function taintIdentity({ key, effect }: Pick<Taint, 'key' | 'effect'>): string {
  return `${effect} ${key}`;
}

/** Of so few taints each is looked at; more than that are found by an index. */
const FEW = 16;

const indexes = new WeakMap<readonly object[], ReadonlyMap<string, object>>();

/** The first taint of a list that is the same one. The list must not change afterwards: one of many is indexed once. */
export function findTaint<Listed extends Pick<Taint, 'key' | 'effect'>>(
  taints: readonly Listed[] | undefined,
  taint: Pick<Taint, 'key' | 'effect'>,
): Listed | undefined {
  if (!taints || taints.length <= FEW) return taints?.find((one) => sameTaint(one, taint));
  let index = indexes.get(taints) as ReadonlyMap<string, Listed> | undefined;
  if (!index) {
    index = firstByIdentity(taints);
    indexes.set(taints, index);
  }
  return index.get(taintIdentity(taint));
}

function firstByIdentity<Listed extends Pick<Taint, 'key' | 'effect'>>(
  taints: readonly Listed[],
): Map<string, Listed> {
  const index = new Map<string, Listed>();
  for (const taint of taints) {
    const id = taintIdentity(taint);
    if (!index.has(id)) index.set(id, taint);
  }
  return index;
}
