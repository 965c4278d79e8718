import type { ResourceList } from '../api/meta.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';

/**
 * What a member has allocated after `pods` with this `request` have come (or gone, if negative). Undefined if it was
 * unknown before.
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
