/*
 * For untrusted lists of any length. `list.push(...items)` and `Math.max(...numbers)` pass each item as an argument,
 * and some hundred thousand arguments overflow the stack.
 */

/** Appends items to a list. */
export function appendAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The smallest number; Infinity if there is none, as with Math.min. */
export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}

/** The largest number; -Infinity if there is none, as with Math.max. */
export function largest(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

/** The number of occurrences of each value. */
export function countOfEach<Value extends string>(values: readonly Value[]): Partial<Record<Value, number>> {
  const counts: Partial<Record<Value, number>> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
