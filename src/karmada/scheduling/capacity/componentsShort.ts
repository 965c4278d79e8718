import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import {
  formatQuantity,
  integerQuantity,
  milliQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../../kubernetes/quantity.ts';
import type { Component } from '../../api/work.ts';
import type { ClusterCapacity } from './clusterCapacity.ts';

const MEBI = 1n << 20n;

/** An amount of a resource: in thousandths for cpu, else in whole units. */
export function amountOf(name: string, quantity: Quantity): bigint {
  return name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
}

/** This amount as a quantity, in whole MiB for memory, rounded up. */
export function amountText(name: string, amount: bigint): string {
  if (name === 'cpu') return formatQuantity(milliQuantity(amount, 'DecimalSI'));
  if (name !== 'memory' && name !== 'ephemeral-storage') return String(amount);
  const rounded = ((amount + MEBI - 1n) / MEBI) * MEBI;
  return formatQuantity(integerQuantity(rounded, 'BinarySI'));
}

/** The total requests of all replicas of all components, by resource. Throws InvalidQuantity for malformed ones. */
export function componentSums(components: readonly Component[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { replicas = 0, replicaRequirements } of components)
    for (const [name, asked] of Object.entries(replicaRequirements?.resourceRequest ?? {}))
      sums.set(
        name,
        (sums.get(name) ?? 0n) + amountOf(name, parseQuantity(asked ?? null)) * BigInt(replicas),
      );
  return sums;
}

/** A resource that a cluster lacks for a workload's components. */
interface ComponentsShort {
  resource: string;
  /** amounts */
  need: bigint;
  has: bigint;
  /** "its components need cpu 34 together, and y has 8" */
  text: string;
}

/**
 * The scarcest resource where the components of a workload together exceed a cluster's free capacity; undefined if it
 * has enough, or does not report it. Some releases place components without considering free capacity.
 */
export function componentsShort(
  components: readonly Component[] | undefined,
  cluster: string,
  { available }: Pick<ClusterCapacity, 'available'>,
): ComponentsShort | undefined {
  if (!components || components.length < 2) return undefined;
  let scarcest: Omit<ComponentsShort, 'text'> | undefined;
  for (const [resource, need] of componentSums(components)) {
    const has = available.get(resource)?.amount;
    if (has === undefined || has >= need) continue;
    if (!scarcest || has * scarcest.need < scarcest.has * need) scarcest = { resource, need, has };
  }
  if (!scarcest) return undefined;
  const { resource, need, has } = scarcest;
  const left = has > 0n ? has : 0n;
  const text = `its components need ${resource} ${amountText(resource, need)} together, and ${cluster} has ${amountText(resource, left)}`;
  return { resource, need, has: left, text };
}
