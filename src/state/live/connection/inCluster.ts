import { access, readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Unresolved } from './resolvedEndpoint.ts';

/** Where the kubelet puts a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The API server of the cluster that this process runs in, as the pod's service account; undefined outside of a cluster. */
export async function inClusterEndpoint(
  environment: NodeJS.ProcessEnv,
  directory: string = SERVICE_ACCOUNT,
): Promise<Omit<Unresolved, 'requestTimeout'> | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, POD_NAMESPACE } = environment;
  const file = (name: string) => join(directory, name);
  if (!host || !port || !(await exists(file('token')))) return undefined;
  const namespace = await readFile(file('namespace'), 'utf8').catch(() => '');
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: POD_NAMESPACE || namespace.trim() || undefined,
    userName: "the pod's service account",
    cluster: (await exists(file('ca.crt'))) ? { 'certificate-authority': file('ca.crt') } : {},
    user: { tokenFile: file('token') },
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
