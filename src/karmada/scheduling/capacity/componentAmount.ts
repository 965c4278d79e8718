import { quantityMilliValue, quantityValue, type Quantity } from '../../../kubernetes/quantity.ts';

/**
 * The unit in which Karmada adds up the resources of components: thousandths for quantities written in
 * decimal ("1500M"), whole units for those in binary ("1Gi"). Both sides may differ; Karmada compares them so.
 */
export function componentAmount(quantity: Quantity): bigint {
  return quantity.format === 'DecimalSI' || quantity.format === 'DecimalExponent'
    ? quantityMilliValue(quantity)
    : quantityValue(quantity);
}
