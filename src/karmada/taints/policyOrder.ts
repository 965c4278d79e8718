import type { Arrange } from '../controllers/controller.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import { instant } from '../../kubernetes/time.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';

/**
 * The order in which policies act: by creation, so that the newest decides last; an edit does not change it. Those of
 * the same second act in name order, or as `arrange` orders them.
 */
export function inOrderOfCreation(
  policies: readonly ClusterTaintPolicy[],
  arrange: Arrange = (keys) => keys,
): ClusterTaintPolicy[] {
  const named = policies
    .map((policy) => ({ key: policy.metadata.name, created: createdAt(policy), policy }))
    .sort((a, b) => compareUtf8(a.key, b.key));
  return [...arrange(named)]
    .sort((a, b) => (a.created === b.created ? 0 : a.created < b.created ? -1 : 1))
    .map(({ policy }) => policy);
}

/** The creationTimestamp of a policy in epoch milliseconds; without one it is the oldest, as in Karmada. */
export function createdAt({ metadata: { creationTimestamp } }: ClusterTaintPolicy): number {
  return creationTimestamp ? instant(creationTimestamp) : -Infinity;
}
