/** "1 workload", "3 workloads", "2 policies". */
export function plural(count: number, one: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count} ${one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`}`;
}

/**
 * Names in a sentence, only the first few of many: "dublin, oregon and 3 more".
 * @param between the separator if all are named
 */
export function listed(names: string[], most = 8, between = ', '): string {
  if (names.length <= most) return names.join(between);
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
