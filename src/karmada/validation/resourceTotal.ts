// A pod's or workload's total requests, as Karmada counts them (pkg/util Resource): milli-CPU, bytes and counts, as
// int64.
import {
  type Quantity,
  formatQuantity,
  integerQuantity,
  milliQuantity,
  quantityMilliValue,
  quantityValue,
  toInt64,
} from '../../kubernetes/quantity.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { isScalarResourceName } from '../../kubernetes/scalarResourceNames.ts';
import type { ResourceList } from '../api/meta.ts';

/** Amounts by resource: thousandths of "cpu", whole units of the others. */
export type ResourceTotal = ReadonlyMap<string, bigint>;

const BINARY_RESOURCES = ['memory', 'ephemeral-storage'];
const COUNTED_RESOURCES = ['cpu', 'pods', ...BINARY_RESOURCES];

/** total + list; only Kubernetes' own compute resources and scalar resources count. */
export function addResourceList(total: ResourceTotal, list: ResourceList | undefined): ResourceTotal {
  return combine(total, list, (before, amount) => toInt64(before + amount));
}

/** The larger of both amounts for each resource. */
export function maxResourceList(total: ResourceTotal, list: ResourceList | undefined): ResourceTotal {
  return combine(total, list, (before, amount) => (amount > before ? amount : before));
}

function combine(
  total: ResourceTotal,
  list: ResourceList | undefined,
  merge: (before: bigint, amount: bigint) => bigint,
): ResourceTotal {
  const result = new Map(total);
  for (const [name, written] of Object.entries(list ?? {})) {
    if (!COUNTED_RESOURCES.includes(name) && !isScalarResourceName(name)) continue;
    const quantity = parseQuantity(written);
    const amount = name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    result.set(name, merge(result.get(name) ?? 0n, amount));
  }
  return result;
}

/** The requested resources that are not zero, by name. */
export function totalQuantities(total: ResourceTotal): Map<string, Quantity> {
  const positive = [...total].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(positive.map(([name, amount]) => [name, amountQuantity(name, amount)]));
}

/** The total in its stored form, each quantity in canonical form; undefined if nothing is requested. */
export function toResourceList(total: ResourceTotal): ResourceList | undefined {
  const quantities = totalQuantities(total);
  if (quantities.size === 0) return undefined;
  return Object.fromEntries([...quantities].map(([name, quantity]) => [name, canonical(quantity)]));
}

// the form after one round trip through a webhook
const canonical = (quantity: Quantity) => formatQuantity(parseQuantity(formatQuantity(quantity)));

function amountQuantity(name: string, amount: bigint): Quantity {
  if (name === 'cpu') return milliQuantity(amount, 'DecimalSI');
  const binary = BINARY_RESOURCES.includes(name) || name.startsWith('hugepages-');
  return integerQuantity(amount, binary ? 'BinarySI' : 'DecimalSI');
}
