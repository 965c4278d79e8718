import type { DataChange } from '../../kubernetes/dataChange.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** The severities of findings, lowest first. */
export const severities = ['note', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

/** A place in a text that somebody has written; line and column count from 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/** Changes of an object as it is written, by paths that count from it. */
interface CertainFix {
  of: object;
  changes: readonly DataChange[];
}

/** What a rule says of a place in an object. */
export interface Finding {
  /** the id of a FindingRule */
  rule: string;
  severity: Severity;
  /** one line: what is wrong, with the field and the value */
  message: string;
  /** absent if the text is no object yet */
  object?: ObjectIdentity;
  /** path of the field: "spec.taints[0].effect"; absent for the object as a whole */
  field?: string;
  place: SourcePlace;
  /** what mends it for certain: no other change could be meant */
  fix?: CertainFix;
  /** set if the finding does not count: the object's reason */
  ignored?: { reason: string };
}

/** A rule by which findings are made. */
export interface FindingRule {
  /** in lower case with hyphens: "unknown-field" */
  id: string;
  /** what the rule is about, in a few words */
  title: string;
  /** why it matters and what to do */
  help: string;
}

/** Whether one severity matters at least as much as another. */
export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(threshold);
}

/** The most findings of one kind in one object; nobody reads more. */
const MOST = 100;

/**
 * Findings about the first things only; the last one says how many more there are. Looking up the place of each takes
 * time.
 */
export function fewOf<Thing, Entry extends { message: string }>(
  things: readonly Thing[],
  finding: (thing: Thing) => Entry,
): Entry[] {
  const findings = things.slice(0, MOST).map(finding);
  const last = findings.at(-1);
  if (things.length > MOST && last)
    findings[MOST - 1] = { ...last, message: `${last.message}; and ${things.length - MOST} more like it` };
  return findings;
}
