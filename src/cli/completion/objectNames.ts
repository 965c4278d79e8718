import type { ApiResource } from '../../state/live/resources.ts';

/** Names of one kind, with the namespace for objects that have one. */
export interface NamedObject {
  name: string;
  namespace?: string | undefined;
  description?: string | undefined;
}

/** Where names of objects come from: a live control plane, or files. Rejects, or never answers, if there is none. */
export type ObjectNames = (resource: ApiResource, namespace: string | undefined) => Promise<NamedObject[]>;
