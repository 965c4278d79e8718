import { dump } from 'js-yaml';
import { redactedJson } from '../../kubernetes/redaction/redactedData.ts';
import { hasUnseen, visibleJson } from '../../presentation/visible.ts';

/**
 * A document as YAML that kubectl can read, without secrets, anchors or folded lines. If a string has characters that a terminal obeys or
 * hides, the document is printed as JSON, which is valid YAML and can escape them all.
 * @param sortKeys sorts the fields of each object by name
 */
export function toYaml(document: unknown, { sortKeys = false } = {}): string {
  // JSON first: it drops undefined fields and expands shared values
  const json = redactedJson(document, 2);
  const data: unknown = JSON.parse(json);
  const text = dump(data, { lineWidth: -1, noRefs: true, sortKeys });
  return hasUnseen(text) ? `${visibleJson(json)}\n` : text;
}
