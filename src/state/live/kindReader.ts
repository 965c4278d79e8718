import type { UnreadKind } from '../../karmada/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { Sharing } from '../schema/sharing.ts';
import { withoutHistory } from '../world/withoutHistory.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import { checkedObject } from './checkedObject.ts';
import { newestOfEach } from './newestOfEach.ts';
import { apiPath } from './resources.ts';
import { slimWork } from '../snapshot/slim.ts';
import type { StateKind } from './stateKinds.ts';

export const READER_ROLE = 'the ClusterRole karmada-failover-reader in docs/rbac.yaml';
export const HISTORY_ROLE = 'the ClusterRole karmada-failover-history in docs/rbac.yaml';
export const TEMPLATES_ROLE = 'the ClusterRole karmada-failover-templates in docs/rbac.yaml';
export const CHECKS_ROLE = 'the ClusterRole karmada-failover-doctor in docs/rbac.yaml';

/** The part of a kind to read: everything, one namespace, or the matches of a label selector. */
interface Part {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  metadataOnly?: boolean;
  /** reads about this many objects, and warns if there are more */
  most?: number;
  /** keeps the writers that `withoutHistory` keeps */
  managedFields?: boolean | undefined;
}

export interface KindReader {
  /**
   * The objects of a kind, checked like objects from files, without their history; none if the API does not serve it. A
   * forbidden kind is recorded as unread; if no answer is possible without it, rejects with an ApiError that names the
   * missing permission.
   */
  read(kind: StateKind, part?: Part): Promise<KubernetesObject[]>;
  readonly unread: readonly UnreadKind[];
  /** one line each, for kinds that could not be read */
  readonly warnings: readonly string[];
}

/** @param progress called with the current kind and the number of objects so far */
export function createKindReader(
  server: ApiServer,
  { signal, progress }: { signal?: AbortSignal; progress?: (reading: string, objects: number) => void } = {},
): KindReader {
  const sharing = new Sharing();
  const unread: UnreadKind[] = [];
  const warnings: string[] = [];
  const unchecked: string[] = [];
  let objects = 0;

  function kept(value: KubernetesObject, type: StateKind, path: string): KubernetesObject {
    const slim = type.kind === 'Work' ? slimWork(value) : value;
    return checkedObject(withoutHistory(slim, sharing), { server, path }, { type, sharing });
  }

  return {
    unread,
    get warnings() {
      if (unchecked.length === 0) return warnings;
      return [
        ...warnings,
        `failures that need list on ${unchecked.join(', ')} are not checked; ${CHECKS_ROLE} and ${HISTORY_ROLE} grant it`,
      ];
    },
    async read(kind, { namespace = kind.inNamespace, metadataOnly, managedFields, most, ...selectors } = {}) {
      const found: KubernetesObject[] = [];
      const path = apiPath(kind, namespace);
      try {
        await server.list(path, {
          ...(signal ? { signal } : {}),
          query: { ...selectors },
          most,
          ...(metadataOnly ? { metadataOnly } : {}),
          ...(managedFields ? { managedFields } : {}),
          onPage(page) {
            for (const object of page) found.push(kept(object, kind, path));
            objects += page.length;
            progress?.(kind.resource, objects);
          },
          onRestart: () => void (found.length = 0),
        });
        if (found.length >= (most ?? Infinity))
          warnings.push(
            `${server.url} has more than ${found.length} ${kind.resource} with ${Object.values(selectors).join(' and ')}; others were not read`,
          );
        return newestOfEach(found, path, (text) => warnings.push(text));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 404 && kind.without !== undefined) return [];
        if (error.status !== 403) throw error;
        note(kind, error);
        return [];
      }
    },
  };

  function note(kind: StateKind, error: ApiError): void {
    const lack = missingPart(kind, error);
    if (unread.some(({ kind: known }) => known === kind.kind)) return;
    unread.push(lack.unread);
    if (kind.isForChecks) unchecked.push(resourceName(kind));
    else warnings.push(lack.warning);
  }
}

/**
 * The report about a forbidden kind: the missing permission, and a one-line warning. If no answer is possible without
 * the kind, throws an ApiError that names the permission.
 */
export function missingPart(kind: StateKind, error: ApiError): { unread: UnreadKind; warning: string } {
  const resource = resourceName(kind);
  const role = kind.isTemplate
    ? TEMPLATES_ROLE
    : kind.isHistory
      ? HISTORY_ROLE
      : kind.isForChecks
        ? CHECKS_ROLE
        : READER_ROLE;
  if (kind.without === undefined)
    throw new ApiError(`${error.message}; list on ${resource} is granted by ${role}`, {
      status: error.status,
      reason: error.reason,
      cause: error,
    });
  return {
    unread: { kind: kind.kind, missing: `list on ${resource}, granted by ${role}` },
    warning: `${error.message}; ${kind.without}; list on ${resource} is granted by ${role}`,
  };
}

/** "works.work.karmada.io", "pods" */
function resourceName({ resource, group }: Pick<StateKind, 'resource' | 'group'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}
