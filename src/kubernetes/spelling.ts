/** The most typing errors in a recognizable name. */
export const MAX_EDIT_DISTANCE = 2;

/** How many letters to insert, delete or change to turn one text into the other; above `MAX_SLIPS` any larger one. */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDIT_DISTANCE) return Infinity;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    before = row;
  }
  return before[b.length]!;
}

/** Below this length two errors make a different word. */
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
