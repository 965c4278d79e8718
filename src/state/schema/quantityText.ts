const QUANTITY = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?\d+)?$/;
/** Sums of quantities are exact, so each digit costs time. No cluster has 10^1000 of anything. */
const MOST_DIGITS = 400;
const LARGEST_EXPONENT = 999;

/** Whether a value is a quantity that can be added up: "500m", "2Gi", "1e3", 4. */
export function isQuantity(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value.length > MOST_DIGITS || !QUANTITY.test(value)) return false;
  const exponent = /[eE]([-+]?\d+)$/.exec(value)?.[1];
  return exponent === undefined || Math.abs(Number(exponent)) <= LARGEST_EXPONENT;
}
