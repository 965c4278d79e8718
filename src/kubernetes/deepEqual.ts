/** Structural equality of JSON values; absent and undefined members are the same. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of Object.keys(x)) if (!deepEqual(x[key], y[key])) return false;
  for (const key of Object.keys(y)) if (y[key] !== undefined && x[key] === undefined) return false;
  return true;
}
