import type { Finding } from '../../analysis/findings/finding.ts';

/** The most findings of one kind in one object; nobody reads more. */
const MOST = 100;

/**
 * Findings about the first things only; the last one says how many more there are. Looking up the place of each takes
 * time.
 */
export function fewOf<T>(things: readonly T[], finding: (thing: T) => Finding): Finding[] {
  const findings = things.slice(0, MOST).map(finding);
  const last = findings.at(-1);
  if (things.length > MOST && last)
    findings[MOST - 1] = { ...last, message: `${last.message}; and ${things.length - MOST} more like it` };
  return findings;
}
