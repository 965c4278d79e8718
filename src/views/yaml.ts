import { dump } from 'js-yaml';
import { redactedJson } from '../kubernetes/redacted.ts';
import { hasUnseen, visibleJson } from '../presentation/visible.ts';

/**
 * A document as YAML that kubectl reads back, without secrets: no anchors, no folded lines. If a string in it has characters that a
 * terminal would obey or hide, it is printed as JSON, which is YAML too and can show them all as escapes.
 */
export function toYaml(document: unknown): string {
  // JSON first: what is undefined is absent, and values shared between places are written out
  const json = redactedJson(document, 2);
  const data: unknown = JSON.parse(json);
  const text = dump(data, { lineWidth: -1, noRefs: true });
  return hasUnseen(text) ? `${visibleJson(json)}\n` : text;
}
