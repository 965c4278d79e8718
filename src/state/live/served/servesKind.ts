import { ApiError } from '../apiError.ts';
import type { ApiServer } from '../apiServer.ts';
import { servedResources } from './servedResources.ts';

/**
 * Whether an API server serves a kind, by discovery. A server that has just started serves kinds before it shows
 * their schemas. Rejects with an ApiError if discovery fails.
 *
 * @param apiVersion "policy.karmada.io/v1alpha1"
 */
export async function servesKind(server: ApiServer, apiVersion: string, kind: string): Promise<boolean> {
  try {
    return (await servedResources(server, apiVersion)).some((one) => one.kind === kind);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
