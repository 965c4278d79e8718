import { isObject } from '../kubernetes/json.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { ApiResource } from '../state/live/resources.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

/**
 * Explains why a change is missing although the server confirmed it, and lists the admission webhooks for such writes
 * that the user may read.
 */
export async function revertedText(
  server: ApiServer,
  resource: ApiResource,
  field: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const webhooks = await webhooksFor(server, resource, signal);
  const who =
    webhooks.length === 0
      ? 'an admission webhook or policy reverts it'
      : `an admission webhook reverts it: ${webhooks.join(' or ')}`;
  return `the API server accepts the change, but the object does not show it in ${field}; ${who}`;
}

interface Rule {
  apiGroups?: unknown;
  apiVersions?: unknown;
  resources?: unknown;
}

/** The mutating webhooks, except Karmada's own, that see writes of this resource; none if they cannot be read. */
async function webhooksFor(
  server: ApiServer,
  { group, version, resource }: ApiResource,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  try {
    const { items } = await server.list(CONFIGURATIONS, { signal });
    const concerned = ({ apiGroups, apiVersions, resources }: Rule): boolean =>
      names(apiGroups, group) && names(apiVersions, version) && names(resources, resource, '*/*');
    return items.flatMap((item) =>
      objectsIn((item as { webhooks?: unknown }).webhooks)
        .filter(({ rules }) => objectsIn(rules).some(concerned))
        .map(({ name }) => String(name))
        .filter((name) => !name.endsWith('.karmada.io'))
        .map((name) => `${name} (${item.metadata.name})`),
    );
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function names(list: unknown, wanted: string, all = '*'): boolean {
  return Array.isArray(list) && [wanted, '*', all].some((one) => list.includes(one));
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
