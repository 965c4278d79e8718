/** The most typos in a recognizable name. */
export const MAX_EDIT_DISTANCE = 2;

/** The most edits between a typed name and one that is suggested. */
const MAX_SUGGESTED_DISTANCE = 3;

/**
 * Edits that turn one word into the other: insert, delete or replace a letter, swap two neighbours. Infinity if the
 * lengths alone differ by more than any caller accepts.
 */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_SUGGESTED_DISTANCE) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** Below this length, two typos make a different word. */
const SHORT = 5;

/** The only name close to a misspelt one, ignoring case; undefined if none is close, or several are. */
export function closestName(written: string, names: readonly string[]): string | undefined {
  const most = written.length < SHORT ? 1 : MAX_EDIT_DISTANCE;
  const near = names
    .map((name) => ({ name, slips: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return near[0] && near[0].slips !== near[1]?.slips ? near[0].name : undefined;
}

/**
 * Up to three of `known` that a user who typed `typed` may have meant, nearest first: at most one edit for each three
 * letters; a prefix counts as one edit.
 */
export function nearMatches(typed: string, known: string[]): string[] {
  const wanted = typed.toLowerCase();
  const near = [...new Set(known)]
    .map((name) => ({ name, distance: distanceOfTyped(wanted, name.toLowerCase()) }))
    .filter(
      ({ name, distance }) =>
        distance <= Math.min(MAX_SUGGESTED_DISTANCE, Math.max(name.length, wanted.length) / 3),
    )
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near
    .filter(({ distance }) => distance <= near[0]!.distance + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

function distanceOfTyped(typed: string, name: string): number {
  const isPrefix = typed !== '' && (name.startsWith(typed) || typed.startsWith(name));
  return isPrefix && typed !== name ? 1 : editDistance(typed, name);
}
