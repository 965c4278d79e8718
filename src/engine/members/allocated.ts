import type { ResourceList } from '../../karmada/api/meta.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';

/**
 * What a member has allocated after `pods` have come (or gone, if negative) that ask for `request` each. A member of
 * which nothing is known to be counted goes on like that: undefined.
 */
export function allocatedAfter(
  before: ResourceList | undefined,
  request: ResourceList | undefined,
  pods: number,
): ResourceList | undefined {
  if (!before) return undefined;
  const after: ResourceList = { ...before };
  for (const [name, amount] of Object.entries({ ...request, pods: 1 })) {
    const total = milli(before[name] ?? 0) + milli(amount) * BigInt(pods);
    after[name] = `${total < 0n ? 0n : total}m`;
  }
  return after;
}

function milli(amount: string | number): bigint {
  return quantityMilliValue(parseQuantity(amount));
}
