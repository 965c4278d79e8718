import type { NamedTaint } from '../../karmada/evidence.ts';
import { taintIdentity } from '../../karmada/objects/sameTaint.ts';
import type { ClusterLook } from './clusterLook.ts';

/** Policies that want different things for a taint of a cluster. */
export interface TaintFight {
  /**
   * - `renewed-again-and-again`: an older one removes what a newer one adds, at every change of a condition
   * - `order-open`: they were created in the same second, and Karmada has no fixed order for them
   */
  code: 'renewed-again-and-again' | 'order-open';
  taint: NamedTaint;
  policies: string[];
}

/** The fights that show in looks at a cluster, each once. A look that writes nothing shows none. */
export function fightsIn(looks: readonly ClusterLook[]): TaintFight[] {
  const all = looks
    .filter(({ refused }) => refused === undefined)
    .flatMap(({ renews, contested }): TaintFight[] => [
      ...renews.map(({ taint, evidence }) => ({
        code: 'renewed-again-and-again' as const,
        taint,
        policies: [...new Set(evidence.flatMap(({ object }) => object?.name ?? []))],
      })),
      ...contested.map(({ taint, policies }) => ({ code: 'order-open' as const, taint, policies })),
    ]);
  return [...new Map(all.map((fight) => [`${fight.code} ${taintIdentity(fight.taint)}`, fight])).values()];
}

/** The new fights: between other policies, or over other taints. */
export function newFights(before: readonly TaintFight[], after: readonly TaintFight[]): TaintFight[] {
  const known = new Set(before.map(textOf));
  return after.filter((fight) => !known.has(textOf(fight)));
}

function textOf({ code, taint, policies }: TaintFight): string {
  return JSON.stringify([code, taintIdentity(taint), policies.toSorted()]);
}
