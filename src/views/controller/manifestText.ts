import { dump } from 'js-yaml';
import { hasUnseen, visibleJson } from '../../presentation/visible.ts';

/**
 * A manifest of ours as YAML for kubectl. It holds settings and no secret, so that nothing is redacted: a ConfigMap has
 * to keep its exact content. If a string has characters that a terminal obeys or hides, it is JSON, which can escape
 * them.
 */
export function manifestYaml(manifest: object): string {
  const data: unknown = JSON.parse(JSON.stringify(manifest));
  const text = dump(data, { lineWidth: -1, noRefs: true });
  return hasUnseen(text) ? `${manifestJson(data as object)}` : text;
}

/** The same as JSON. */
export function manifestJson(manifest: object): string {
  return `${visibleJson(JSON.stringify(manifest, null, 2))}\n`;
}
