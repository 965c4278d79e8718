import type { Finding } from '../../engine/finding.ts';
import { isObject } from '../../kubernetes/json.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';

/** The annotation of an object by which a rule does not count there; its value says why. */
export const IGNORE_ANNOTATION = 'karmada-failover/ignore.';

/** What became of the findings of one object once its annotations were heeded. */
export interface Heeded {
  findings: Finding[];
  /** ids that the object ignores and that found nothing in it, with the annotation's field */
  useless: { rule: string; field: string }[];
}

/**
 * Marks the findings that the object itself says to ignore, by an annotation for each rule with the reason as its value. What the
 * API server refuses counts all the same.
 *
 * @param lasting rules that cannot be ignored
 */
export function heedIgnored(
  { object }: Manifest,
  findings: readonly Finding[],
  lasting: ReadonlySet<string>,
): Heeded {
  const { metadata } = object;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const ignored = Object.entries(isObject(annotations) ? annotations : {})
    .filter(([name]) => name.startsWith(IGNORE_ANNOTATION))
    .map(([name, reason]) => ({
      rule: name.slice(IGNORE_ANNOTATION.length),
      field: `metadata.annotations[${name}]`,
      reason: typeof reason === 'string' ? reason.trim() : '',
    }));
  const heeded = findings.map((finding): Finding => {
    const found = lasting.has(finding.rule) ? undefined : ignored.find(({ rule }) => rule === finding.rule);
    return found ? { ...finding, ignored: { reason: found.reason } } : finding;
  });
  const useless = ignored.filter(({ rule }) => !heeded.some((one) => one.rule === rule && one.ignored));
  return { findings: heeded, useless: useless.map(({ rule, field }) => ({ rule, field })) };
}
