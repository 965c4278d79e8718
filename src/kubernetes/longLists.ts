/*
 * For lists whose length others decide. `list.push(...items)` and `Math.max(...numbers)` hand over each item as an argument, and some
 * hundred thousand of them are more than the stack holds.
 */

/** Adds items to the end of a list. */
export function appendAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** As Math.min is of all of them: Infinity of none. */
export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}

/** As Math.max is of all of them: -Infinity of none. */
export function largest(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
