import { dump } from 'js-yaml';

/** A document as YAML that kubectl reads back: no anchors, no folded lines. */
export function toYaml(document: unknown): string {
  // JSON first: what is undefined is absent, and values shared between places are written out
  return dump(JSON.parse(JSON.stringify(document)), { lineWidth: -1, noRefs: true });
}
