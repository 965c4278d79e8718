import { uriPart } from '../../kubernetes/escaping.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';

/** Where the API keeps the objects of a kind. */
export interface ApiResource {
  kind: string;
  /** "" for the core group */
  group: string;
  version: string;
  /** plural, as in paths */
  resource: string;
  namespaced: boolean;
}

export interface TypedResource<T> extends ApiResource {
  /** never set: it only carries the type */
  readonly object?: T;
}

const define = <T>(
  kind: string,
  apiVersion: string,
  resource: string,
  namespaced: boolean,
): TypedResource<T> => {
  const [group, version] = groupAndVersion(apiVersion);
  return { kind, group, version, resource, namespaced };
};

/** Objects that an ApiServer has listed at a resource's path, which has checked that they fit their kind. */
export function objectsOf<T>(_: TypedResource<T>, items: readonly KubernetesObject[]): T[] {
  return items as unknown as T[];
}

/** The kinds of Karmada's control plane itself, at the versions that this tool reads. */
export const CLUSTERS = define<Cluster>('Cluster', 'cluster.karmada.io/v1alpha1', 'clusters', false);
export const RESOURCE_BINDINGS = define<ResourceBinding>(
  'ResourceBinding',
  'work.karmada.io/v1alpha2',
  'resourcebindings',
  true,
);
export const CLUSTER_RESOURCE_BINDINGS = define<ResourceBinding>(
  'ClusterResourceBinding',
  'work.karmada.io/v1alpha2',
  'clusterresourcebindings',
  false,
);
export const WORKS = define<Work>('Work', 'work.karmada.io/v1alpha1', 'works', true);
export const CLUSTER_TAINT_POLICIES = define<ClusterTaintPolicy>(
  'ClusterTaintPolicy',
  'policy.karmada.io/v1alpha1',
  'clustertaintpolicies',
  false,
);

/**
 * The path of a kind's objects, in one namespace or in all, or the path of one object. The namespace of a
 * cluster-scoped kind is ignored: kustomize adds one to unknown kinds.
 */
export function apiPath(resource: ApiResource, namespace?: string, name?: string): string {
  const { group, version, namespaced } = resource;
  const scope = namespace === undefined || !namespaced ? '' : `/namespaces/${uriPart(namespace)}`;
  return `${groupPath(group, version)}${scope}/${uriPart(resource.resource)}${name === undefined ? '' : `/${uriPart(name)}`}`;
}

/**
 * The path under which the API lists the kinds of a group and version. Both are encoded: objects and servers may use
 * any names.
 */
export function groupPath(group: string, version: string): string {
  return group === '' ? `/api/${uriPart(version)}` : `/apis/${uriPart(group)}/${uriPart(version)}`;
}

/** "apps/v1" as group and version; the group of "v1" is "". */
export function groupAndVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
