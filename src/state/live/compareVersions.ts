/** Resource versions are numbers that grow with each change, longer than JavaScript's may be. */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
