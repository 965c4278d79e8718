import { StateError } from '../../errors.ts';
import { LONGEST_TIMER, parseDuration } from '../../../kubernetes/time.ts';
import type { ConnectionOptions } from './connectionOptions.ts';
import {
  loadKubeconfig,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
} from './kubeconfig.ts';
import type { Unresolved, Endpoint } from './resolvedEndpoint.ts';
import { access, readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';

/**
 * The server and the user: flags override the kubeconfig, by kubectl's rules (tools/clientcmd: DirectClientConfig).
 * Inside a cluster without a kubeconfig: the pod's service account. Throws a StateError that names the flag or entry.
 */
export async function resolveEndpoint(
  options: ConnectionOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Endpoint> {
  const kubeconfig = await loadKubeconfig(options.kubeconfig, environment);
  const requestTimeout = parseTimeout(options.requestTimeout);
  const empty = kubeconfig.contexts.size === 0 && kubeconfig.clusters.size === 0;
  const asked = options.karmadaContext ?? options.context ?? options.cluster ?? options.user;
  if (empty && asked === undefined) {
    const inCluster = await inClusterEndpoint(environment);
    if (inCluster) return endpointOf({ ...inCluster, requestTimeout }, options);
    if (options.server === undefined) throw new StateError(nothingFound(kubeconfig, options));
  }
  const { context, contextName } = chooseContext(kubeconfig, options);
  const clusterName = options.cluster ?? context.cluster;
  const userName = options.user ?? context.user;
  const cluster = clusterName === undefined ? undefined : kubeconfig.clusters.get(clusterName);
  const user = userName === undefined ? undefined : kubeconfig.users.get(userName);
  if (!cluster && options.cluster !== undefined)
    throw new StateError(
      `--cluster ${options.cluster} is not in ${described(kubeconfig)}${there(kubeconfig.clusters)}`,
    );
  if (!user && options.user !== undefined)
    throw new StateError(
      `--user ${options.user} is not in ${described(kubeconfig)}${there(kubeconfig.users)}`,
    );
  if (!cluster && options.server === undefined)
    throw new StateError(
      clusterName
        ? `context "${contextName}" names cluster "${clusterName}", which is not in ${described(kubeconfig)}${there(kubeconfig.clusters)}`
        : `context "${contextName}" in ${described(kubeconfig)} names no cluster; give --cluster or --server`,
    );
  return endpointOf(
    {
      server: cluster?.server ?? '',
      context: contextName || undefined,
      namespace: context.namespace,
      userName,
      cluster: cluster ?? {},
      user: user ?? {},
      requestTimeout,
    },
    options,
    clusterName,
  );
}

function endpointOf(found: Unresolved, options: ConnectionOptions, clusterName?: string): Endpoint {
  const cluster = clusterWith(found.cluster, options);
  const user = userWith(found.user, options);
  const text = options.server ?? found.server;
  if (text === '')
    throw new StateError(`cluster "${clusterName}" in the kubeconfig has no server; give --server`);
  checkCluster(cluster, clusterName ?? text);
  checkUser(user, found.userName ?? 'the user');
  return { ...found, server: parseServer(text), cluster, user };
}

function chooseContext(kubeconfig: Kubeconfig, options: ConnectionOptions) {
  const wanted = options.karmadaContext ?? options.context;
  const contextName = wanted ?? kubeconfig.currentContext;
  const context = kubeconfig.contexts.get(contextName);
  if (context) return { context, contextName };
  const where = described(kubeconfig);
  if (wanted !== undefined && kubeconfig.files.length === 0)
    throw new StateError(`context "${wanted}": ${nothingFound(kubeconfig, {})}`);
  if (wanted !== undefined)
    throw new StateError(`context "${wanted}" is not in ${where}${there(kubeconfig.contexts)}`);
  if (contextName !== '')
    throw new StateError(
      `the current context "${contextName}" is not in ${where}; give --context${there(kubeconfig.contexts)}`,
    );
  if (options.cluster === undefined && options.server === undefined)
    throw new StateError(`${where} has no current context; give --context NAME${there(kubeconfig.contexts)}`);
  return { context: {}, contextName: '' };
}

function described({ files }: Kubeconfig): string {
  return files.length === 0 ? 'the kubeconfig (none was found)' : `kubeconfig ${files.join(', ')}`;
}

function there(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? '' : `; there are ${[...entries.keys()].slice(0, 20).join(', ')}`;
}

function nothingFound(
  { files, missing }: Kubeconfig,
  { instead }: Pick<ConnectionOptions, 'instead'>,
): string {
  const what =
    files.length > 0
      ? `kubeconfig ${files.join(', ')} has neither a context nor a cluster`
      : `no kubeconfig at ${missing.join(', ') || 'the paths of KUBECONFIG, which are empty'}`;
  const otherwise = instead ? ` for a live control plane, or ${instead}` : '';
  return `${what}; give --kubeconfig FILE or KUBECONFIG${otherwise}`;
}

/**
 * The cluster with the options applied. A certificate authority and skipping TLS verification override each other; a
 * server option drops the kubeconfig's tls-server-name.
 */
function clusterWith(cluster: KubeconfigCluster, options: ConnectionOptions): KubeconfigCluster {
  const { certificateAuthority, insecureSkipTlsVerify, server, tlsServerName } = options;
  const merged = { ...cluster };
  if (insecureSkipTlsVerify || certificateAuthority) {
    delete merged['certificate-authority-data'];
    delete merged['certificate-authority'];
    merged['insecure-skip-tls-verify'] = insecureSkipTlsVerify ?? false;
    if (certificateAuthority) merged['certificate-authority'] = certificateAuthority;
  }
  if (tlsServerName || server) {
    delete merged['tls-server-name'];
    if (tlsServerName) merged['tls-server-name'] = tlsServerName;
  }
  if (options.proxyUrl) merged['proxy-url'] = options.proxyUrl;
  if (options.disableCompression) merged['disable-compression'] = true;
  return merged;
}

function userWith(user: KubeconfigUser, options: ConnectionOptions): KubeconfigUser {
  const merged = { ...user };
  if (options.clientCertificate) {
    delete merged['client-certificate-data'];
    merged['client-certificate'] = options.clientCertificate;
  }
  if (options.clientKey) {
    delete merged['client-key-data'];
    merged['client-key'] = options.clientKey;
  }
  if (options.token) {
    delete merged.tokenFile;
    merged.token = options.token;
  }
  if (options.username) merged.username = options.username;
  if (options.password) merged.password = options.password;
  if (options.as) merged.as = options.as;
  if (options.asUid) merged['as-uid'] = options.asUid;
  if (options.asGroups?.length) merged['as-groups'] = options.asGroups;
  return merged;
}

function checkCluster(cluster: KubeconfigCluster, name: string): void {
  const authority = cluster['certificate-authority'] || cluster['certificate-authority-data'];
  if (cluster['certificate-authority'] && cluster['certificate-authority-data'])
    throw new StateError(
      `cluster "${name}" has both certificate-authority and certificate-authority-data; remove one`,
    );
  if (authority && cluster['insecure-skip-tls-verify'])
    throw new StateError(
      `cluster "${name}": a certificate authority and insecure-skip-tls-verify contradict each other; leave one out`,
    );
}

function checkUser(user: KubeconfigUser, name: string): void {
  const either = (file: keyof KubeconfigUser, data: keyof KubeconfigUser) => {
    if (user[file] && user[data])
      throw new StateError(`user "${name}" has both ${file} and ${data}; remove one`);
    return Boolean(user[file] || user[data]);
  };
  const certificate = either('client-certificate', 'client-certificate-data');
  const key = either('client-key', 'client-key-data');
  if (certificate && !key)
    throw new StateError(`user "${name}" has a client certificate without its key; give --client-key`);
  if ((user.token || user.tokenFile) && (user.username || user.password))
    throw new StateError(`user "${name}" has a token and a password; leave one of them out`);
  if (user.exec && user['auth-provider'])
    throw new StateError(`user "${name}" has exec and auth-provider; leave one of them out`);
  if ((user['as-uid'] || user['as-groups']?.length || user['as-user-extra']) && !user.as)
    throw new StateError(`user "${name}": --as-group and --as-uid need a user to impersonate; give --as`);
}

/** Like kubectl, uses plain HTTP for a server without a scheme. */
function parseServer(text: string): URL {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url) || (text.includes('://') && !/^https?:/i.test(text)))
    throw new StateError(`server "${text}" is not an address such as https://10.0.0.1:6443; check --server`);
  const parsed = new URL(url);
  parsed.search = '';
  parsed.hash = '';
  return parsed;
}

function parseTimeout(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const milliseconds = /^\+?\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (milliseconds === undefined || milliseconds < 0)
    throw new StateError(
      `--request-timeout "${text}" is neither seconds nor a duration; write for example 10, 30s or 1m`,
    );
  return Math.min(milliseconds, LONGEST_TIMER);
}

/** Where kubelet mounts a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The in-cluster API server, with the pod's service account; undefined outside a cluster. */
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
