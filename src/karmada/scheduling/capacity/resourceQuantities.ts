import type { ResourceList } from '../../api/meta.ts';
import { parseQuantity, type QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import { InvalidQuantity, type Quantity } from '../../../kubernetes/quantity.ts';

/**
 * The quantities of a resource list by resource name. Throws InvalidQuantity that names the field if one
 * cannot be read; the API server accepts no such object.
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
