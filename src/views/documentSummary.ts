import { countOfEach } from '../kubernetes/longLists.ts';

/** How many there are of each: counts by name, or of each value by name. */
type DocumentSummary = Record<string, number | Record<string, number>>;

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
