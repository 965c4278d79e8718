/** "1 workload", "3 workloads", "2 policies". */
export function plural(count: number, one: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count} ${one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`}`;
}
