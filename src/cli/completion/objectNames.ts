import type { ApiResource } from '../../state/live/resources.ts';

/** Names of one kind, with the namespace for objects that have one. */
export interface NamedObject {
  name: string;
  namespace?: string | undefined;
  description?: string | undefined;
}

/** Names of objects, from a live control plane or from files. Rejects, or never answers, if it cannot be read. */
export type ObjectNames = (resource: ApiResource, namespace: string | undefined) => Promise<NamedObject[]>;
