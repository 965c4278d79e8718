import { apiPath, type ApiResource } from '../../state/live/resources.ts';
import { connectFromFlags, type ConnectionFlags } from '../connectFromFlags.ts';

/** Names of one kind, with the namespace for objects that have one. */
export interface NamedObject {
  name: string;
  namespace?: string | undefined;
  description?: string | undefined;
}

/**
 * Names of objects, from a live control plane or from files. Rejects, or never resolves, if the source cannot be read.
 */
export type ObjectNames = (resource: ApiResource, namespace: string | undefined) => Promise<NamedObject[]>;

/** Asks for a table, as kubectl get does: names and a few columns instead of whole objects. */
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** The most names: more do not help completion. */
const MAX = 500;

interface Table {
  columnDefinitions?: { name: string }[];
  rows?: { cells: unknown[]; object?: { metadata?: { namespace?: string } } }[];
}

/** Names from a live control plane. */
export function liveNames(flags: ConnectionFlags, signal: AbortSignal): ObjectNames {
  const connected = connectFromFlags(flags);
  return async (resource, namespace) => {
    const server = await connected;
    const { columnDefinitions = [], rows = [] } = await server.get<Table>(apiPath(resource, namespace), {
      accept: TABLE,
      // the namespace, which policies need, is only in the metadata
      query: { limit: MAX, includeObject: resource.group === 'policy.karmada.io' ? 'Metadata' : 'None' },
      signal,
    });
    const column = (name: string) => columnDefinitions.findIndex((one) => one.name.toLowerCase() === name);
    const [nameAt, readyAt] = [column('name'), column('ready')];
    return rows.map(({ cells, object }): NamedObject => {
      const ready = resource.kind === 'Cluster' ? cells[readyAt] : undefined;
      return {
        name: String(cells[nameAt]),
        namespace: object?.metadata?.namespace,
        ...(typeof ready === 'string' ? { description: `Ready: ${ready}` } : {}),
      };
    });
  };
}
