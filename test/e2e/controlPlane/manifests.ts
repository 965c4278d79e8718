import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

/** Karmada's CustomResourceDefinitions as its chart installs them, with conversion by the webhook. */
export function crds(sources: string, webhook: string, caBundle: string): KubernetesObject[] {
  const directory = join(sources, 'charts/karmada/_crds');
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url: `${webhook}/convert`, caBundle }, conversionReviewVersions: ['v1'] },
  };
  const patched = yamlFiles(join(directory, 'patches')).map(({ metadata }) => metadata.name);
  return yamlFiles(join(directory, 'bases')).map((crd) =>
    patched.includes(crd.metadata.name)
      ? { ...crd, spec: { ...(crd as unknown as { spec: object }).spec, conversion } }
      : crd,
  );
}

/** The admission webhooks as Karmada's own installation registers them. */
export function webhookConfigurations(
  sources: string,
  webhook: string,
  caBundle: string,
): KubernetesObject[] {
  const text = readFileSync(join(sources, 'artifacts/deploy/webhook-configuration.yaml'), 'utf8')
    .replaceAll('{{caBundle}}', caBundle)
    .replaceAll('https://karmada-webhook.karmada-system.svc:443', webhook);
  return loadAll(text) as KubernetesObject[];
}

function yamlFiles(directory: string): KubernetesObject[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => loadAll(readFileSync(join(directory, file), 'utf8')) as (KubernetesObject | null)[])
    .filter((object) => object !== null);
}
