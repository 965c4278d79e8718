import { writeFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Api } from './controlPlane/api.ts';
import { eventually } from './controlPlane/processes.ts';

/** The kinds to `kubectl get` when capturing a state by hand, by the path of each collection. */
const collections = {
  clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
  resourcebindings: '/apis/work.karmada.io/v1alpha2/resourcebindings',
  clusterresourcebindings: '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
  propagationpolicies: '/apis/policy.karmada.io/v1alpha1/propagationpolicies',
  clusterpropagationpolicies: '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies',
  clustertaintpolicies: '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies',
  works: '/apis/work.karmada.io/v1alpha1/works',
  deployments: '/apis/apps/v1/deployments',
  statefulsets: '/apis/apps/v1/statefulsets',
  cronfederatedhpas: '/apis/autoscaling.karmada.io/v1alpha1/cronfederatedhpas',
};

/** Writes the control plane's state as `kubectl get … -A -o json` prints it. */
export async function captureState(api: Api, file: string): Promise<void> {
  await writeState(api, Object.values(collections), file);
}

/** Writes the objects of those collections as `kubectl get … -A -o json` prints them. Returns their uids. */
export async function writeState(api: Api, paths: string[], file: string): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(paths.map((path) => api.list(path)));
  const items = lists.flatMap((list) => list.items).map(withoutManagedFields);
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items, metadata: { resourceVersion: '' } }, null, 1),
  );
  return new Set(items.map(({ metadata: { uid = '' } }) => uid));
}

/** An object as kubectl prints it. */
export function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata as KubernetesObject['metadata'] & {
    managedFields?: unknown;
  };
  return { ...object, metadata };
}

/** A change as the recordings keep it. */
export interface Change {
  /** RFC 3339, to the millisecond */
  time: string;
  resource: string;
  type: string;
  object: KubernetesObject & {
    status?: { conditions?: { type: string; status: string; reason?: string }[] };
  };
}

export interface Recording {
  changes: Change[];
  stop(): Promise<void>;
}

/** Records every change of bindings, works and clusters from now on. */
export async function record(api: Api): Promise<Recording> {
  const changes: Change[] = [];
  const seen = new Map<string, string | undefined>();
  const abort = new AbortController();
  const watched = ['clusters', 'resourcebindings', 'clusterresourcebindings', 'works'] as const;
  const watches = watched.map((resource) =>
    api.follow(
      collections[resource],
      ({ type, object }) => {
        const time = new Date().toISOString();
        const { uid = '', resourceVersion } = object.metadata;
        if (type === 'DELETED') seen.delete(uid);
        else seen.set(uid, resourceVersion);
        changes.push({ time, resource, type, object: withoutManagedFields(object) as Change['object'] });
      },
      abort.signal,
    ),
  );
  // on a busy machine watches start late, and lag behind what a test has read
  const caughtUp = (what: string) =>
    eventually(what, async () => {
      const lists = await Promise.all(watched.map((resource) => api.list(collections[resource])));
      const there = lists.flatMap(({ items }) => items);
      return (
        there.length === seen.size &&
        there.every(({ metadata: { uid = '', resourceVersion } }) => seen.get(uid) === resourceVersion)
      );
    });
  await caughtUp('the watches to have begun');
  return {
    changes,
    async stop() {
      await caughtUp('the watches to have seen all');
      abort.abort();
      await Promise.all(watches);
    },
  };
}
