import { dump } from 'js-yaml';
import { hasUnseen, visibleJson } from '../../presentation/visible.ts';

/**
 * One of our manifests as YAML for kubectl. It contains settings and no secrets, so nothing is redacted: a ConfigMap must keep its exact
 * content. If a string has characters that a terminal obeys or hides, the output is JSON, which can escape them.
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
