import type { DataChange } from '../../kubernetes/dataChange.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** The severities of findings, lowest first. */
export const severities = ['note', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

/** A position in a user's text; line and column count from 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/** Changes of an object as written, with paths relative to it. */
interface CertainFix {
  of: object;
  changes: readonly DataChange[];
}

/** A rule's finding about a position in an object. */
export interface Finding {
  /** the id of a FindingRule */
  rule: string;
  severity: Severity;
  /** the problem in one line, with the field and the value */
  message: string;
  /** absent if the text is not an object yet */
  object?: ObjectIdentity;
  /** path of the field: "spec.taints[0].effect"; absent for the object as a whole */
  field?: string;
  place: SourcePlace;
  /** an unambiguous fix: no other change could be intended */
  fix?: CertainFix;
  /** set if the finding does not count: the reason given in the object */
  ignored?: { reason: string };
}

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

/** The most findings of one kind in one object; more would not be read. */
const MAX = 100;

/** Findings about the first items only; the last one counts the others. Looking up each position takes time. */
export function limitedFindings<Thing, Entry extends { message: string }>(
  things: readonly Thing[],
  finding: (thing: Thing) => Entry,
): Entry[] {
  const findings = things.slice(0, MAX).map(finding);
  const last = findings.at(-1);
  if (things.length > MAX && last)
    findings[MAX - 1] = { ...last, message: `${last.message}; and ${things.length - MAX} more like it` };
  return findings;
}
