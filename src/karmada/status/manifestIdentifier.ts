import type { KubernetesObject } from '../api/meta.ts';
import type { ManifestIdentifier } from '../api/work.ts';

/** How a Work's status names the first of its manifests. */
export function manifestIdentifier({ apiVersion, kind, metadata }: KubernetesObject): ManifestIdentifier {
  const slash = apiVersion.indexOf('/');
  return {
    ordinal: 0,
    ...(slash > 0 && { group: apiVersion.slice(0, slash) }),
    version: apiVersion.slice(slash + 1),
    kind,
    resource: '',
    ...(metadata.namespace && { namespace: metadata.namespace }),
    name: metadata.name,
  };
}
