/** Compares resource versions: numbers that grow with each change and may be too long for JavaScript's. */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
