/** Context lines around a change, as in diff -u. */
const CONTEXT = 3;
/** With more lines than this between the first and the last change, all of them count as changed. */
const MAX = 2000;

interface Line {
  sign: ' ' | '-' | '+';
  text: string;
}

/** The difference between two texts, as `diff -u` prints it, without times; empty if they are the same. */
export function unifiedDiff(before: string, after: string, names: { before: string; after: string }): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  let at = 0;
  let numbers: [number, number] = [1, 1];
  while (at < lines.length) {
    const first = lines.findIndex(({ sign }, index) => index >= at && sign !== ' ');
    if (first === -1) break;
    const start = Math.max(at, first - CONTEXT);
    let end = first;
    for (let i = first; i < lines.length && i <= end + 2 * CONTEXT; i++) if (lines[i]?.sign !== ' ') end = i;
    const stop = Math.min(lines.length, end + 1 + CONTEXT);
    numbers = advanced(numbers, lines.slice(at, start));
    const hunk = lines.slice(start, stop);
    const count = (sign: '-' | '+') => hunk.filter((line) => line.sign === ' ' || line.sign === sign).length;
    const range = (line: number, length: number) =>
      `${length === 0 ? line - 1 : line}${length === 1 ? '' : `,${length}`}`;
    hunks.push(
      `@@ -${range(numbers[0], count('-'))} +${range(numbers[1], count('+'))} @@`,
      ...hunk.map(({ sign, text }) => `${sign}${text}`),
    );
    numbers = advanced(numbers, hunk);
    at = stop;
  }
  return [`--- ${names.before}`, `+++ ${names.after}`, ...hunks].join('\n');
}

function advanced([a, b]: [number, number], lines: readonly Line[]): [number, number] {
  for (const { sign } of lines) {
    if (sign !== '+') a++;
    if (sign !== '-') b++;
  }
  return [a, b];
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Compares by the longest common subsequence between the first and the last difference. */
function diffLines(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (texts: readonly string[]) => texts.map((text): Line => ({ sign: ' ', text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): Line[] {
  const removed = (texts: readonly string[]) => texts.map((text): Line => ({ sign: '-', text }));
  const added = (texts: readonly string[]) => texts.map((text): Line => ({ sign: '+', text }));
  if (a.length > MAX || b.length > MAX) return [...removed(a), ...added(b)];
  const lengths = a.map(() => new Uint16Array(b.length));
  /** The length of the longest common subsequence of a from i and b from j: 0 past an end. */
  const common = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (const [i, row] of [...lengths.entries()].reverse())
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [old, now] = [a[i], b[j]];
    if (old === undefined || now === undefined) break;
    const sign = old === now ? ' ' : common(i + 1, j) >= common(i, j + 1) ? '-' : '+';
    lines.push({ sign, text: sign === '+' ? now : old });
    if (sign !== '+') i++;
    if (sign !== '-') j++;
  }
  return [...lines, ...removed(a.slice(i)), ...added(b.slice(j))];
}
