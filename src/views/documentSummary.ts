import { countOfEach } from '../kubernetes/longLists.ts';

/** Counts by name, or for each value by name. */
type DocumentSummary = Record<string, number | Record<string, number>>;

/**
 * The `summary` of a document with lists: the length of each, and how often each value in `kinds` occurs. Scripts read totals there instead
 * of counting.
 */
export function documentSummary(
  lists: Readonly<Record<string, readonly unknown[]>>,
  kinds: Readonly<Record<string, readonly string[]>> = {},
): DocumentSummary {
  const lengths = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  const counts = Object.entries(kinds).map(([name, values]) => [name, countOfEach(values)] as const);
  return Object.fromEntries([...lengths, ...counts]);
}
