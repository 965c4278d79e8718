import type { Finding } from '../../engine/finding.ts';

/** So many findings of one kind in one object are read by nobody to their end. */
const MOST = 100;

/** The findings about the first of many things, the last of which says how many more there are: to tell each its place takes time. */
export function fewOf<T>(things: readonly T[], finding: (thing: T) => Finding): Finding[] {
  const findings = things.slice(0, MOST).map(finding);
  const last = findings.at(-1);
  if (things.length > MOST && last)
    findings[MOST - 1] = { ...last, message: `${last.message}; and ${things.length - MOST} more like it` };
  return findings;
}
