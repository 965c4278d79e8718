import { type QuantityReader, parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import {
  InvalidQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../../kubernetes/quantity.ts';
import type { ResourceList } from '../../api/meta.ts';

/**
 * The quantities of a resource list by resource name. Throws InvalidQuantity, naming the field, for a malformed one;
 * the API server accepts no such object.
 */
export function resourceQuantities(
  list: ResourceList | undefined | null,
  field: string,
  read: QuantityReader = parseQuantity,
): [string, Quantity][] {
  return Object.entries(list ?? {}).map(([name, written]) => {
    try {
      return [name, read(written ?? null)];
    } catch (error) {
      if (!(error instanceof InvalidQuantity)) throw error;
      throw new InvalidQuantity(`${field}.${name}: ${error.message}`);
    }
  });
}

/**
 * The unit in which Karmada adds up the resources of components: thousandths for decimal quantities ("1500M"), whole
 * units for binary ones ("1Gi"). Both sides may differ; Karmada compares them anyway.
 */
export function componentAmount(quantity: Quantity): bigint {
  return quantity.format === 'DecimalSI' || quantity.format === 'DecimalExponent'
    ? quantityMilliValue(quantity)
    : quantityValue(quantity);
}
