import type { DrainSelection } from '../../analysis/drain/drainOptions.ts';
import type { Template } from '../../analysis/drain/decide/selects.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, groupAndVersion } from '../../state/live/resources.ts';
import { servedResources } from '../../state/live/served/servedResources.ts';

/**
 * The metadata of the resource templates of bindings, if a drain selects by their labels; otherwise it reads none.
 * Rejects with ApiError if a kind is forbidden, because the selection would be silently wrong.
 */
export async function readTemplateLabels(
  server: ApiServer,
  { labelSelector, namespace }: DrainSelection,
  bindings: Iterable<ResourceBinding>,
): Promise<(binding: ResourceBinding) => Template | undefined> {
  if (!labelSelector) return () => undefined;
  const kinds = new Map<string, { apiVersion: string; kind: string }>();
  for (const { spec } of bindings)
    kinds.set(`${spec.resource.apiVersion}/${spec.resource.kind}`, spec.resource);
  const templates = new Map<string, KubernetesObject>();
  for (const { apiVersion, kind } of kinds.values()) {
    const resource = await findResource(server, apiVersion, kind);
    if (!resource) continue;
    const within = resource.namespaced ? namespace : undefined;
    const { items } = await server.list(apiPath(resource, within), { metadataOnly: true });
    for (const template of items) templates.set(templateKey(apiVersion, kind, template.metadata), template);
  }
  return ({ spec: { resource } }) => templates.get(templateKey(resource.apiVersion, resource.kind, resource));
}

/** The resource that serves a kind; undefined if the API no longer serves it. */
async function findResource(server: ApiServer, apiVersion: string, kind: string) {
  const [group, version] = groupAndVersion(apiVersion);
  try {
    const resources = await servedResources(server, apiVersion);
    const found = resources.find((one) => one.kind === kind && one.verbs.includes('list'));
    return found && { kind, group, version, resource: found.name, namespaced: found.namespaced };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function templateKey(
  apiVersion: string,
  kind: string,
  { namespace, name }: { namespace?: string; name: string },
): string {
  return `${apiVersion}/${kind}/${namespace ?? ''}/${name}`;
}
