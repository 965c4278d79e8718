import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js';
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
  const oidc = new OpenIDConnectAuth();
  const user = { name: userName, authProvider: { name: 'oidc', config: { ...provider.config } } };
  const failed = (what: string, cause?: unknown) =>
    new ApiError(`the OpenID Connect login of user "${userName}" ${what}; log in again`, {
      status: 0,
      reason: 'AuthProviderFailed',
      cause,
    });
  return {
    async current() {
      const headers: Record<string, string> = {};
      await oidc.applyAuthentication(user, { headers }).catch((error: unknown) => {
        throw failed(`could not be refreshed: ${(error as Error).message}`, error);
      });
      const { Authorization: authorization } = headers;
      if (!authorization) throw failed('has expired and cannot be refreshed, or never took place');
      return { authorization };
    },
    refused: () => Promise.resolve(false),
  };
}
