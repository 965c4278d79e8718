import type { ObjectMeta } from '../api/meta.ts';
import type { ResourceBinding, Work } from '../api/work.ts';
import type { Kind, Kinds } from './kinds.ts';
import { bindingKey, identityOf, objectKey, workKey } from '../objects/identities.ts';

/** The key of an object of a kind. A Copy has the key of its Work. */
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
