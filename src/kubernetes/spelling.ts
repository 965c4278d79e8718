/** The most slips that a misspelt name may have. */
export const MOST_SLIPS = 2;

/** How many letters have to be put in, left out or changed to make one text the other; beyond `MOST_SLIPS` some larger number. */
export function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return Infinity;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    before = row;
  }
  return before[b.length]!;
}

/** Below this length a second slip makes another word. */
const SHORT = 5;

/** The one name that somebody has misspelt, whatever the case; undefined if none is near, or several are. */
export function onlyNear(written: string, names: readonly string[]): string | undefined {
  const most = written.length < SHORT ? 1 : MOST_SLIPS;
  const near = names
    .map((name) => ({ name, slips: slips(written.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return near[0] && near[0].slips !== near[1]?.slips ? near[0].name : undefined;
}
