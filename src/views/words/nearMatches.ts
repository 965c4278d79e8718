/** Up to three of `known` that a user who typed `typed` may have meant, nearest first. */
export function nearMatches(typed: string, known: string[]): string[] {
  const wanted = typed.toLowerCase();
  const near = [...new Set(known)]
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.min(3, Math.max(name.length, wanted.length) / 2))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near
    .filter(({ distance }) => distance <= near[0]!.distance + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Edits (insert, delete, replace, swap of neighbours) between two words; a prefix counts as one edit. */
function distance(a: string, b: string): number {
  if (a !== '' && (b.startsWith(a) || a.startsWith(b))) return a === b ? 0 : 1;
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
