import { bindingKey, identityOf, objectKey, workKey } from '../objects/identities.ts';
import type { Kind, Kinds } from './kinds.ts';

type Keyed = Exclude<Kind, 'Copy'>;

const KEYS: { readonly [K in Keyed]: (object: Kinds[K]) => string } = {
  Cluster: ({ metadata }) => metadata.name,
  Binding: bindingKey,
  Work: workKey,
  ClusterTaintPolicy: ({ metadata }) => metadata.name,
  Policy: (policy) => objectKey(identityOf(policy)),
  Object: (object) => objectKey(identityOf(object)),
  Member: ({ name }) => name,
};

/** The key of an object, by its kind. A Copy has the key of its Work. */
export function keyOf<K extends Keyed>(kind: K, object: Kinds[K]): string {
  return KEYS[kind](object);
}
