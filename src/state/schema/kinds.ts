import { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { newestPolicyTypes } from '../../karmada/api/policy.ts';
import { Work, newestBindingTypes } from '../../karmada/api/work.ts';
import type { World, WorldList } from '../../karmada/world.ts';
import { ObjectMeta, TypeMeta } from '../../kubernetes/schema/meta.ts';
import { type StructSchema, embeddedFields, optional, struct } from '../../kubernetes/schema/schema.ts';

/** A kind that decisions read: its version, and its list in the world. */
export interface WorldKind {
  group: string;
  version: string;
  /** the name that kubectl uses */
  resource: string;
  list: Exclude<WorldList, 'others'>;
  schema: StructSchema;
}

const kind = (
  group: string,
  version: string,
  resource: string,
  list: WorldKind['list'],
  schema: StructSchema,
): WorldKind => ({ group, version, resource, list, schema });

const { ResourceBinding, ClusterResourceBinding } = newestBindingTypes;
const { PropagationPolicy, ClusterPropagationPolicy, ClusterTaintPolicy } = newestPolicyTypes;

export const worldKinds: ReadonlyMap<string, WorldKind> = new Map([
  ['Cluster', kind('cluster.karmada.io', 'v1alpha1', 'clusters', 'clusters', Cluster)],
  ['ResourceBinding', kind('work.karmada.io', 'v1alpha2', 'resourcebindings', 'bindings', ResourceBinding)],
  [
    'ClusterResourceBinding',
    kind('work.karmada.io', 'v1alpha2', 'clusterresourcebindings', 'bindings', ClusterResourceBinding),
  ],
  ['Work', kind('work.karmada.io', 'v1alpha1', 'works', 'works', Work)],
  [
    'PropagationPolicy',
    kind('policy.karmada.io', 'v1alpha1', 'propagationpolicies', 'policies', PropagationPolicy),
  ],
  [
    'ClusterPropagationPolicy',
    kind('policy.karmada.io', 'v1alpha1', 'clusterpropagationpolicies', 'policies', ClusterPropagationPolicy),
  ],
  [
    'ClusterTaintPolicy',
    kind('policy.karmada.io', 'v1alpha1', 'clustertaintpolicies', 'taintPolicies', ClusterTaintPolicy),
  ],
]);

/** For all other kinds: the fields of every object. */
export const anyKind: StructSchema = struct('Object', {
  ...embeddedFields('TypeMeta', TypeMeta),
  metadata: optional(ObjectMeta),
});

/** "work.karmada.io" of "work.karmada.io/v1alpha2", "" of "v1". */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** Adds objects of one kind to the list of a world where decisions read them. */
export function addObjects(world: World, kind: string, objects: Iterable<KubernetesObject>): void {
  const list = world[worldKinds.get(kind)?.list ?? 'others'] as KubernetesObject[];
  for (const object of objects) list.push(object);
}
