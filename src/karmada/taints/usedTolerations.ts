import { toleratesTaint } from '../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../kubernetes/schema/core.ts';

/**
 * For each taint the first toleration that covers it, in taint order and with repetitions; undefined if a taint has
 * none. Later tolerations of the same taint do not count, not even stricter ones.
 */
export function usedTolerations(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const first = tolerations.find((toleration) => toleratesTaint(toleration, taint));
    if (!first) return undefined;
    used.push(first);
  }
  return used;
}
