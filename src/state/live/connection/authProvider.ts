import { KubeConfig } from '@kubernetes/client-node';
import { StateError } from '../../errors.ts';
import { ApiError } from '../apiError.ts';
import type { Credentials } from './credential.ts';
import type { KubeconfigUser } from './kubeconfig.ts';
import { messageOf } from '../../systemProblem.ts';
import { isObject } from '../../../kubernetes/json.ts';

/**
 * Credentials of oidc, the only auth provider that kubectl still supports. client-node refreshes them, only for this
 * process. Throws a StateError for other providers.
 */
export function authProviderCredentials(
  provider: NonNullable<KubeconfigUser['auth-provider']>,
  userName: string,
): Credentials {
  if (!provider.name)
    throw new StateError(`user "${userName}": auth-provider has no name in the kubeconfig; correct it`);
  if (provider.name !== 'oidc')
    throw new StateError(
      `user "${userName}": auth-provider ${provider.name} was removed from Kubernetes; use an exec plugin instead`,
    );
  /** client-node stores renewed tokens here */
  const config: Record<string, unknown> = { ...provider.config };
  const issuer = provider.config?.['idp-issuer-url'];
  if (issuer !== undefined && !URL.canParse(issuer))
    throw new StateError(`user "${userName}": idp-issuer-url "${issuer}" is not a URL; correct it`);
  // client-node passes it to openid-client, which only accepts a URL object
  if (issuer !== undefined) config['idp-issuer-url'] = new URL(issuer);
  // client-node uses Node's own trust store for the provider, and ignores these
  const authorities = ['idp-certificate-authority', 'idp-certificate-authority-data'];
  const ignored = authorities.find((name) => config[name] !== undefined);
  const failed = (what: string, cause?: unknown) =>
    new ApiError(`the OpenID Connect login of user "${userName}" ${what}`, {
      status: 0,
      reason: 'AuthProviderFailed',
      cause,
    });

  async function authorization(): Promise<string> {
    const headers: Record<string, string> = {};
    await kubeConfig(config)
      .applyToHTTPSOptions({ headers })
      .catch((error: unknown) => {
        const trust = ignored
          ? `${ignored} is not used: give the file of the provider's CA in NODE_EXTRA_CA_CERTS, or log in again`
          : 'log in again';
        throw failed(`could not be refreshed: ${reasonOf(error)}; ${trust}`, error);
      });
    const { Authorization: found } = headers;
    if (!found) throw failed('has expired and cannot be refreshed, or does not exist; log in again');
    return found;
  }

  // a refresh token may work only once: concurrent requests share the result
  let underWay: Promise<string> | undefined;
  return {
    async current() {
      underWay ??= authorization().finally(() => (underWay = undefined));
      return { authorization: await underWay };
    },
    refused: () => Promise.resolve(false),
  };
}

/** The cause of a failure: a failed request itself only says "fetch failed". */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const cause = isObject(error) ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}

/**
 * A new KubeConfig for each renewal. After a renewal, client-node would misread the token's lifetime in seconds as
 * its expiry time, and renew it with each request; a new KubeConfig reads the expiry from the token.
 */
function kubeConfig(config: Record<string, unknown>): KubeConfig {
  const made = new KubeConfig();
  made.loadFromOptions({
    clusters: [{ name: 'any', server: 'https://localhost' }],
    users: [{ name: 'user', authProvider: { name: 'oidc', config } }],
    contexts: [{ name: 'any', cluster: 'any', user: 'user' }],
    currentContext: 'any',
  });
  return made;
}
