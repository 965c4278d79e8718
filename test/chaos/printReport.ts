import type { Finding } from './checks.ts';

export function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** A row for each count. */
export function countRows(counts: Record<string, number>): [string, string][] {
  return Object.entries(counts).map(([what, count]) => [`  ${what}`, `${count}`]);
}

/** Prints what a scenario did, the faults it met, and what was found. */
export function printReport(
  title: string,
  rows: readonly [string, string][],
  { faults, findings }: { faults: Record<string, number>; findings: readonly Finding[] },
): void {
  const often = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const verdicts = findings.map(({ what, figure, violations }): [string, string] => [
    what,
    `${violations.length === 0 ? 'yes' : `NO, ${violations.length}`} (${figure})`,
  ]);
  console.log(`\n${title}`);
  for (const [name, value] of [
    ...rows,
    ['faults', `${total(faults)}`],
    ...countRows(Object.fromEntries(often)),
    ...verdicts,
  ])
    console.log(`  ${name!.padEnd(42)} ${value}`);
  for (const { violations } of findings)
    for (const line of violations.slice(0, 10)) console.log(`    ${line}`);
}
