import { KubeConfig } from '@kubernetes/client-node';
import { StateError } from '../../errors.ts';
import { ApiError } from '../apiError.ts';
import type { Credentials } from './credential.ts';
import type { KubeconfigUser } from './kubeconfig.ts';

/**
 * Credentials of the one auth provider that kubectl still has, oidc; refreshed by client-node, for this process
 * alone. Throws a StateError for others.
 */
export function authProviderCredentials(
  provider: NonNullable<KubeconfigUser['auth-provider']>,
  userName: string,
): Credentials {
  if (provider.name !== 'oidc')
    throw new StateError(
      `user "${userName}": auth-provider ${provider.name} was removed from Kubernetes; use an exec plugin instead`,
    );
  /** client-node puts renewed tokens in here */
  const config: Record<string, unknown> = { ...provider.config };
  const issuer = provider.config?.['idp-issuer-url'];
  if (issuer !== undefined && !URL.canParse(issuer))
    throw new StateError(`user "${userName}": idp-issuer-url "${issuer}" is not an address; correct it`);
  // it gives the text on to openid-client, which refuses all but a URL
  if (issuer !== undefined) config['idp-issuer-url'] = new URL(issuer);
  const failed = (what: string, cause?: unknown) =>
    new ApiError(`the OpenID Connect login of user "${userName}" ${what}; log in again`, {
      status: 0,
      reason: 'AuthProviderFailed',
      cause,
    });

  async function authorization(): Promise<string> {
    const headers: Record<string, string> = {};
    await kubeConfig(config)
      .applyToHTTPSOptions({ headers })
      .catch((error: unknown) => {
        throw failed(`could not be refreshed: ${(error as Error).message}`, error);
      });
    const { Authorization: found } = headers;
    if (!found) throw failed('has expired and cannot be refreshed, or never took place');
    return found;
  }

  // a refresh token may be good for one time only: requests at the same time share what is made of it
  let underWay: Promise<string> | undefined;
  return {
    async current() {
      underWay ??= authorization().finally(() => (underWay = undefined));
      return { authorization: await underWay };
    },
    refused: () => Promise.resolve(false),
  };
}

/**
 * A new one each time: after a renewal, client-node's own takes the seconds that the token lasts for the moment at which it
 * ends, and renews it with each request; a new one reads that moment from the token.
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
