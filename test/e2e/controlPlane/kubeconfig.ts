import { writeFileSync } from 'node:fs';
import { dump } from 'js-yaml';

/** Writes a kubeconfig with a context for each server; the first is the current one. */
export function writeKubeconfig(
  file: string,
  servers: { name: string; server: string }[],
  caFile: string,
  token: string,
): void {
  const text = dump({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': servers[0]?.name,
    clusters: servers.map(({ name, server }) => ({
      name,
      cluster: { server, 'certificate-authority': caFile },
    })),
    users: [{ name: 'admin', user: { token } }],
    contexts: servers.map(({ name }) => ({ name, context: { cluster: name, user: 'admin' } })),
  });
  writeFileSync(file, text, { mode: 0o600 });
}
