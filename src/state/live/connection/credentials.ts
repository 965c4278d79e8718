import { X509Certificate } from 'node:crypto';
import { StateError } from '../../errors.ts';
import { LARGEST_PEM, wholeFile } from '../../input/wholeFile.ts';
import { whyUnreadable } from '../../systemProblem.ts';
import type { Endpoint } from './resolvedEndpoint.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import type { Timing } from '../mirrors/timing.ts';
import type { Credentials, Credential, ClientCertificate } from './credential.ts';

/**
 * Credentials of a kubeconfig's user, in client-go's order of precedence: a certificate combines with anything else;
 * with a token or a password, no exec plugin or auth provider is used. `pluginSays` receives a plugin's stderr.
 */
export async function credentialsFor(
  endpoint: Endpoint,
  timing: Timing,
  pluginSays: (line: string) => void,
): Promise<Credentials> {
  const { user, userName = 'of the command line', cluster } = endpoint;
  // as in client-go: no credentials over plain HTTP
  if (endpoint.server.protocol === 'http:') return fixed({});
  const certificate = await clientCertificate(user, userName);
  if (user.tokenFile) {
    const { tokenFileCredentials } = await import('./tokenFile.ts');
    return tokenFileCredentials(user.tokenFile, user.token, certificate, timing);
  }
  if (user.token) return fixed({ certificate, authorization: `Bearer ${user.token.trim()}` });
  if (user.username || user.password) {
    const pair = `${user.username ?? ''}:${user.password ?? ''}`;
    return fixed({ certificate, authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  }
  if (certificate && (user['client-certificate'] ?? user['client-key']) !== undefined) {
    const { certificateFileCredentials } = await import('./certificateFiles.ts');
    return certificateFileCredentials(certificate, () => clientCertificate(user, userName), timing);
  }
  if (certificate) return fixed({ certificate });
  if (user.exec) {
    const { execCredentials } = await import('./execPlugin.ts');
    return execCredentials(user.exec, userName, () => execCluster(endpoint, cluster), timing, pluginSays);
  }
  if (user['auth-provider']) {
    const { authProviderCredentials } = await import('./authProvider.ts');
    return authProviderCredentials(user['auth-provider'], userName);
  }
  return fixed({});
}

function fixed(credential: Credential): Credentials {
  return { current: () => Promise.resolve(credential), refused: () => Promise.resolve(false) };
}

async function clientCertificate(
  user: KubeconfigUser,
  userName: string,
): Promise<ClientCertificate | undefined> {
  const cert = await pem(user, 'client-certificate', userName);
  const key = await pem(user, 'client-key', userName);
  return cert && key ? { cert, key } : undefined;
}

async function pem(
  user: KubeconfigUser,
  field: 'client-certificate' | 'client-key',
  userName: string,
): Promise<Buffer | undefined> {
  const data = user[`${field}-data`];
  if (data) return Buffer.from(data, 'base64');
  const file = user[field];
  return file ? readNamed(file, `${field} of user "${userName}"`) : undefined;
}

/** PEM of the certificate authorities in the kubeconfig for the cluster; undefined: the system's. */
export async function authority(cluster: KubeconfigCluster): Promise<Buffer | undefined> {
  const data = cluster['certificate-authority-data'];
  const file = cluster['certificate-authority'];
  if (!data && !file) return undefined;
  const text = data ? Buffer.from(data, 'base64') : await readNamed(file ?? '', 'certificate-authority');
  try {
    // if it contains no certificate, Node silently trusts none
    void new X509Certificate(text);
  } catch {
    throw new StateError(
      `${data ? 'certificate-authority-data' : `certificate-authority ${file}`} has no certificate in PEM that can be read; give that of the API server's authority`,
    );
  }
  return text;
}

async function readNamed(file: string, what: string): Promise<Buffer> {
  try {
    return await wholeFile(file, LARGEST_PEM);
  } catch (error) {
    throw new StateError(`${what}: ${file}: ${whyUnreadable(error)}`);
  }
}

/** The cluster information for plugins with provideClusterInfo. */
async function execCluster(endpoint: Endpoint, cluster: KubeconfigCluster): Promise<object> {
  const extension = cluster.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec');
  const ca = await authority(cluster);
  return {
    server: endpoint.server.href.replace(/\/$/, ''),
    ...(cluster['tls-server-name'] ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca ? { 'certificate-authority-data': ca.toString('base64') } : {}),
    ...(cluster['proxy-url'] ? { 'proxy-url': cluster['proxy-url'] } : {}),
    ...(cluster['disable-compression'] ? { 'disable-compression': true } : {}),
    config: extension?.extension ?? null,
  };
}
