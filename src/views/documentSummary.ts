/** How many there are of each: counts by name, or of each value by name. */
export type DocumentSummary = Record<string, number | Record<string, number>>;

/**
 * The `summary` of a document with lists: the length of each, and of the values in `kinds` how often each occurs. Scripts read totals
 * there without counting.
 */
export function documentSummary(
  lists: Readonly<Record<string, readonly unknown[]>>,
  kinds: Readonly<Record<string, readonly string[]>> = {},
): DocumentSummary {
  const lengths = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  const counts = Object.entries(kinds).map(([name, values]) => [name, countOfEach(values)] as const);
  return Object.fromEntries([...lengths, ...counts]);
}

/** How often each value occurs. */
export function countOfEach<Value extends string>(values: readonly Value[]): Partial<Record<Value, number>> {
  const counts: Partial<Record<Value, number>> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
