import type { Finding } from '../../analysis/findings/finding.ts';
import { isObject } from '../../kubernetes/json.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';

/** The prefix of the annotation by which an object ignores a rule; the value says why. */
const IGNORE_ANNOTATION = 'karmada-failover/ignore.';

/** The findings of one object after its annotations were applied. */
export interface Heeded {
  findings: Finding[];
  /** rules that the object ignores although they find nothing in it, with the annotation's field */
  useless: { rule: string; field: string }[];
}

/**
 * Marks the findings that the object itself says to ignore, by one annotation for each rule, with the reason as its
 * value. Findings of what the API server refuses always count.
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
