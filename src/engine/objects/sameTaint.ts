import type { Taint } from '../../karmada/api/meta.ts';

/** Taints are told apart by key and effect; a cluster has at most one of each pair. */
export function sameTaint(a: Pick<Taint, 'key' | 'effect'>, b: Pick<Taint, 'key' | 'effect'>): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** What two taints have in common if they are the same one. */
export function taintIdentity({ key, effect }: Pick<Taint, 'key' | 'effect'>): string {
  return `${effect} ${key}`;
}
