import type { World } from '../../karmada/world.ts';
import { isPropagatable } from '../../karmada/propagation/propagatable.ts';
import { readsReplicas } from '../../karmada/propagation/interpretReplicas.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { slimTemplate } from '../snapshot/slim.ts';
import type { TemplateOptions } from '../source.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import { inParallel } from './inParallel.ts';
import type { KindReader } from './kindReader.ts';
import { groupAndVersion } from './resources.ts';
import { servedResources, type ServedResource } from './served/servedResources.ts';
import type { StateKind } from './stateKinds.ts';

/** Policies may select these, but they are never read. */
const NEVER = new Set(['v1/Secret']);

/**
 * The resource templates of the kinds that bindings and policies name, except those that Karmada does not propagate.
 * Only what interpreters need is read: for most kinds, such as ConfigMaps, only the metadata. Secrets are never read.
 */
export async function readTemplates(
  server: ApiServer,
  reader: KindReader,
  world: World,
  options: TemplateOptions,
  limit: number,
): Promise<KubernetesObject[]> {
  if (world.bindings.length > (options.mostBindings ?? Infinity)) return [];
  // a selection by labels only needs workloads that have bindings
  const { bindings, policies } = world;
  const kinds = namedKinds(bindings, options.metadataOnly ? [] : policies, options.kinds ?? []);
  const versions = [...new Set(kinds.map(({ apiVersion }) => apiVersion))];
  const served = new Map(
    await inParallel(
      limit,
      versions.map((version) => async () => [version, await discover(server, version)] as const),
    ),
  );
  const customizations = world.others.filter(({ kind }) => kind === 'ResourceInterpreterCustomization');
  const lists = await inParallel(
    limit,
    kinds.map((named) => async () => {
      const found = served.get(named.apiVersion)?.find(({ kind }) => kind === named.kind);
      if (!found) return [];
      const metadataOnly = options.metadataOnly || !readsReplicas(named, customizations);
      const objects = await reader.read(asStateKind(named.apiVersion, found, options), { metadataOnly });
      return objects.filter(isPropagatable).map(metadataOnly ? onlyMetadata : slimTemplate);
    }),
  );
  return lists.flat();
}

function onlyMetadata({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata };
}

function namedKinds(
  bindings: World['bindings'],
  policies: World['policies'],
  more: readonly { apiVersion: string; kind: string }[],
): { apiVersion: string; kind: string }[] {
  const kinds = new Map<string, { apiVersion: string; kind: string }>();
  const add = ({ apiVersion, kind }: { apiVersion: string; kind: string }) =>
    void kinds.set(`${apiVersion}/${kind}`, { apiVersion, kind });
  for (const { spec } of bindings) add(spec.resource);
  for (const { spec } of policies) for (const selector of spec.resourceSelectors ?? []) add(selector);
  more.forEach(add);
  return [...kinds]
    .filter(([key, kind]) => !NEVER.has(key) && isPropagatable({ ...kind, metadata: { name: '' } }))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, kind]) => kind);
}

async function discover(server: ApiServer, apiVersion: string): Promise<ServedResource[]> {
  try {
    return (await servedResources(server, apiVersion)).filter(
      ({ name, verbs }) => !name.includes('/') && verbs.includes('list'),
    );
  } catch (error) {
    // a kind that the API no longer serves has no objects
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/**
 * A resource as a kind to read. If its labels are needed, it must be readable: without them a selection would be
 * silently wrong.
 */
function asStateKind(
  apiVersion: string,
  { kind, name, namespaced }: ServedResource,
  { metadataOnly }: TemplateOptions,
): StateKind {
  const [group, version] = groupAndVersion(apiVersion);
  return {
    kind,
    group,
    version,
    resource: name,
    namespaced,
    isTemplate: true,
    ...(metadataOnly ? {} : { without: 'the effect of a changed policy on newly selected ones is unknown' }),
  };
}
