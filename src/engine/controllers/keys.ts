import type { ObjectMeta } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { executionCluster } from '../../karmada/names.ts';
import type { Kind, Kinds } from './kinds.ts';
import { bindingKey, identityOf, objectKey } from '../objects/identities.ts';

/** "karmada-es-member1/cart-5f7c"; the same for the copy in the member. */
export function workKey({ metadata }: { metadata: ObjectMeta }): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The member that a Work is for; undefined outside of an execution namespace. */
export function clusterOfWork({ metadata: { namespace = '' } }: Work): string | undefined {
  return executionCluster(namespace);
}

/** The key of the binding that a requiredBy snapshot is of. */
export function snapshotKey({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** The key under which an object of a kind is kept. Copies have none of their own: that of their Work. */
export function keyOf<K extends Exclude<Kind, 'Copy'>>(kind: K, object: Kinds[K]): string {
  switch (kind) {
    case 'Binding':
      return bindingKey(object as ResourceBinding);
    case 'Work':
      return workKey(object as Work);
    case 'Member':
      return (object as Kinds['Member']).name;
    case 'Cluster':
    case 'ClusterTaintPolicy':
      return (object as Kinds['Cluster']).metadata.name;
    default:
      return objectKey(identityOf(object as { kind?: string; metadata: ObjectMeta }));
  }
}
